// By which method each predicate is evaluated, for `explain`, and its cost, from 0 for a look-up of
// an id to 9 for reading every text. filter.cc evaluates the children of an AND in the order of
// cost.

#include <variant>

#include "index/search/filter/predicate_scan.h"

namespace recall {
namespace {

// Chooses the method for each type of column.
class MethodChoice final {
 public:
  explicit MethodChoice(const CompiledPredicate& predicate) : predicate_(predicate) {}

  template <typename Column>
  ScanMethod operator()(const Column& column) const {
    return std::visit([this](const auto& values) { return Of(values); }, column.values);
  }

 private:
  // ---- DocColumn

  ScanMethod Of(DocIds) const { return ById({"scan of documents", 5}); }
  ScanMethod Of(Mtimes) const {
    // Documents without a time are adjacent in the index; a list or a pattern is not a range of
    // times.
    const bool is_range = !predicate_.is_pattern() && predicate_.op != FilterOp::kIn;
    if (is_range && !predicate_.negated) return {"index on mtime", 2};
    return {"scan of mtimes", 3};
  }
  ScanMethod Of(const IndexedTexts& texts) const {
    return ByIndex({texts.by_index, 1}, texts.by_scan);
  }
  ScanMethod Of(MetadataValues values) const {
    if (predicate_.field.meta_path.size() != 1) return {"scan of metadata", 5};
    if (!values.of_sessions) return ByIndex({"index on metadata", 2}, "scan of one metadata key");
    return ByIndex({"index on metadata of sessions", 2}, "scan of one key of sessions");
  }
  ScanMethod Of(DocText) const { return {"scan of documents", 5}; }
  ScanMethod Of(DocNumber) const { return {"scan of documents", 5}; }

  // ---- ComputedColumn

  ScanMethod Of(DocumentKind) const { return {"sets of notes and sessions", 1}; }
  ScanMethod Of(const NoteFact& fact) const { return {fact.method, 4}; }
  ScanMethod Of(LinksOfDocument) const { return {"links", 4}; }

  // ---- ChunkColumn

  ScanMethod Of(ChunkIds) const { return ById({"scan of chunk ids", 7}); }
  ScanMethod Of(ChunkDocIds) const { return {"scan of chunk ids", 7}; }
  ScanMethod Of(ChunkTexts) const { return {"scan of chunk texts", 9}; }
  ScanMethod Of(ChunkHeadings) const { return {"scan of chunk headings", 6}; }
  ScanMethod Of(ChunkNumber) const { return {"scan of chunks", 6}; }
  ScanMethod Of(TurnPart) const { return {"scan of headings of turns", 6}; }

  // ---- PartColumn

  ScanMethod Of(SymbolText text) const {
    if (IsByName(predicate_, text)) return {"index on symbols", 1};
    return {"scan of symbols", 4};
  }
  ScanMethod Of(LocatorKind) const { return {"places of extracted texts", 4}; }

  ScanMethod ById(ScanMethod scan) const {
    return predicate_.is_equality() ? ScanMethod{"id look-up", 0} : scan;
  }
  ScanMethod ByIndex(ScanMethod index, std::string_view scan) const {
    // Negations and IS NULL must read every value, and so must patterns without a literal prefix.
    const bool sees_all = predicate_.negated || predicate_.op == FilterOp::kIsNull ||
                          (predicate_.is_pattern() && predicate_.PatternRange().low.empty());
    return sees_all ? ScanMethod{scan, 3} : index;
  }

  const CompiledPredicate& predicate_;
};

}  // namespace

bool IsByName(const CompiledPredicate& predicate, SymbolText text) {
  if (text != SymbolText::kName) return false;
  const bool has_prefix =
      !predicate.negated && predicate.is_pattern() && !predicate.PatternRange().low.empty();
  return predicate.is_equality() || has_prefix;
}

ScanMethod MethodOf(const CompiledPredicate& predicate) {
  return std::visit(MethodChoice(predicate), FieldColumnOf(predicate.field.field));
}

}  // namespace recall
