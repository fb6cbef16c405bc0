#include "tests/index/search/filter/filter_oracle.h"

#include <re2/re2.h>

#include "index/base/glob/glob.h"
#include "index/base/text/case_fold.h"
#include "index/search/filter/date_literal.h"
#include "index/search/filter/field_table.h"
#include "index/search/filter/sort_value.h"
#include "index/source/extract/types/locator_record.h"
#include "storage/base/number.h"
#include "storage/documents/live_scan.h"
#include "storage/metadata/metadata_values.h"

namespace recall {
namespace {

using Truth = OracleTruth;
using enum OracleTruth;

// The number, or the number that a string represents.
SortValue NumberOf(const Literal& l) {
  if (l.kind == Literal::Kind::kNumber) {
    return l.is_integer ? SortValue::Integer(l.integer) : SortValue::Real(l.number);
  }
  if (l.kind != Literal::Kind::kString) return {};
  const auto number = ParseJsonNumber(l.text);
  if (!number) return {};
  return number->is_integer ? SortValue::Integer(number->integer) : SortValue::Real(number->real);
}

bool Compare(FilterOp op, std::strong_ordering o) {
  switch (op) {
    case FilterOp::kEqual:
    case FilterOp::kIn:
      return o == 0;
    case FilterOp::kNotEqual:
      return o != 0;
    case FilterOp::kLess:
      return o < 0;
    case FilterOp::kLessEqual:
      return o <= 0;
    case FilterOp::kGreater:
      return o > 0;
    case FilterOp::kGreaterEqual:
      return o >= 0;
    default:
      return false;
  }
}

bool MatchPattern(FilterOp op, const std::string& pattern, const std::string& text) {
  if (op == FilterOp::kRegexp) return RE2::PartialMatch(text, RE2(pattern, RE2::Quiet));
  std::string p = pattern, t = text;
  if (op == FilterOp::kILike) {
    p.clear();
    t.clear();
    FoldCaseAppend(pattern, &p);
    FoldCaseAppend(text, &t);
  }
  const auto glob =
      Glob::Compile(p, op == FilterOp::kGlob ? GlobDialect::kRecall : GlobDialect::kLike);
  return glob && glob->Matches(t);
}

// True if the predicate without its negation holds, for any of its operands.
template <typename F>
bool Any(const Predicate& p, FilterOp op, F compare) {
  if (op == FilterOp::kBetween) {
    const auto low = compare(p.operands[0]), high = compare(p.operands[1]);
    return low && high && *low >= 0 && *high <= 0;
  }
  for (const Literal& l : p.operands) {
    const auto o = compare(l);
    if (o && Compare(op, *o)) return true;
  }
  return false;
}
bool IsPattern(FilterOp op) {
  return op == FilterOp::kLike || op == FilterOp::kILike || op == FilterOp::kGlob ||
         op == FilterOp::kRegexp;
}
using Ordering = std::optional<std::strong_ordering>;

// The values of a field of which a chunk may have several.
std::vector<SortValue> PartValues(Field field, const OracleParts& parts) {
  std::vector<SortValue> values;
  for (const Symbol& symbol : parts.symbols) {
    if (field == Field::kChunkSymbol) values.push_back(SortValue::Text(symbol.name));
    if (field == Field::kChunkKind) values.push_back(SortValue::Text(symbol.kind));
  }
  for (const Locator& place : parts.places) {
    const bool of_sheet = place.kind == LocatorKind::kSheet;
    if (of_sheet && field == Field::kChunkSheet) values.push_back(SortValue::Text(place.name));
    const bool counted = (place.kind == LocatorKind::kPage && field == Field::kChunkPage) ||
                         (place.kind == LocatorKind::kSlide && field == Field::kChunkSlide) ||
                         (place.kind == LocatorKind::kCell && field == Field::kChunkCell);
    if (counted && place.number != 0) values.push_back(SortValue::Integer(place.number));
  }
  return values;
}

Truth Test(const Predicate& p, const DocRow& doc, const ChunkRow* chunk, const std::string& text,
           UnixNanos now, const OracleParts& parts) {
  bool negate = p.negated;
  FilterOp op = p.op;
  if (op == FilterOp::kNotEqual) {
    op = FilterOp::kEqual;
    negate = true;
  }
  const auto give = [&](bool v) { return v != negate ? kTrue : kFalse; };
  if (p.field.field == Field::kDocMetaKey) {
    const auto scalars = doc.meta ? MetadataAt(*doc.meta, p.field.meta_path) : std::nullopt;
    if (op == FilterOp::kIsNull) return give(!scalars);
    if (!scalars) return kUnknown;
    for (const MetaScalar& s : *scalars) {
      const SortValue number = s.kind == MetaScalar::Kind::kNumber
                                   ? s.number.is_integer ? SortValue::Integer(s.number.integer)
                                                         : SortValue::Real(s.number.real)
                                   : SortValue();
      const bool is_number = s.kind == MetaScalar::Kind::kNumber;
      std::string shown = s.text;
      if (IsPattern(op)) {
        if (!is_number && MatchPattern(op, p.operands[0].text, shown)) return give(true);
        continue;
      }
      if (Any(p, op, [&](const Literal& l) -> Ordering {
            const SortValue n = NumberOf(l);
            if (is_number)
              return n.kind == SortValue::Kind::kMissing ? Ordering() : Ordering(number <=> n);
            if (l.kind == Literal::Kind::kNumber) return {};
            const std::string lt =
                l.kind == Literal::Kind::kBoolean ? (l.boolean ? "true" : "false") : l.text;
            const auto instant = ReadInstant(lt);
            if (s.kind == MetaScalar::Kind::kDate && instant) return s.instant <=> *instant;
            return s.text <=> lt;
          }))
        return give(true);
    }
    return give(false);
  }
  if (InfoOf(p.field.field).of_parts()) {
    const std::vector<SortValue> values = PartValues(p.field.field, parts);
    if (op == FilterOp::kIsNull) return give(values.empty());
    if (values.empty()) return kUnknown;
    return give(std::ranges::any_of(values, [&](const SortValue& value) {
      if (IsPattern(op)) return MatchPattern(op, p.operands[0].text, value.text);
      return Any(p, op, [&](const Literal& l) -> Ordering {
        if (value.kind == SortValue::Kind::kText) return value.text <=> l.text;
        const SortValue n = NumberOf(l);
        return n.kind == SortValue::Kind::kMissing ? Ordering() : Ordering(value <=> n);
      });
    }));
  }
  SortValue value = p.field.field == Field::kChunkText
                        ? (chunk ? SortValue::Text(text) : SortValue())
                        : SortValueOf(p.field, doc, chunk);
  if (op == FilterOp::kIsNull) return give(value.kind == SortValue::Kind::kMissing);
  if (value.kind == SortValue::Kind::kMissing) return kUnknown;
  const FieldType type = InfoOf(p.field.field).type;
  if (IsPattern(op)) {
    return give(MatchPattern(op, p.operands[0].text,
                             type == FieldType::kTime ? FormatRfc3339(value.integer) : value.text));
  }
  return give(Any(p, op, [&](const Literal& l) -> Ordering {
    if (type == FieldType::kText) return value.text <=> l.text;
    if (type == FieldType::kTime) {
      const auto t = ReadDateLiteral(l.text, now);
      return t ? Ordering(value.integer <=> t->instant) : Ordering();
    }
    const SortValue n = NumberOf(l);
    return n.kind == SortValue::Kind::kMissing ? Ordering() : Ordering(value <=> n);
  }));
}

}  // namespace

OracleTruth EvalNaively(const FilterExpr& e, const DocRow& doc, const ChunkRow* chunk,
                        const std::string& text, UnixNanos now, const OracleParts& parts) {
  if (e.kind == FilterExpr::Kind::kPredicate)
    return Test(e.predicate, doc, chunk, text, now, parts);
  if (e.kind == FilterExpr::Kind::kNot) {
    const Truth t = EvalNaively(e.children[0], doc, chunk, text, now, parts);
    return t == kUnknown ? t : t == kTrue ? kFalse : kTrue;
  }
  const Truth stop = e.kind == FilterExpr::Kind::kAnd ? kFalse : kTrue;
  bool unknown = false;
  for (const auto& c : e.children) {
    const Truth t = EvalNaively(c, doc, chunk, text, now, parts);
    if (t == stop) return stop;
    unknown |= t == kUnknown;
  }
  return unknown ? kUnknown : stop == kFalse ? kTrue : kFalse;
}

Result<std::vector<OracleDoc>> ReadOracleDocs(const ReadTransaction& transaction) {
  std::vector<int64_t> rows;
  RECALL_TRY(ScanPaths(transaction, false, [&](const PathEntry& entry) {
    rows.push_back(entry.doc_row);
    return true;
  }));
  std::vector<OracleDoc> docs;
  for (const int64_t row : rows) {
    OracleDoc read;
    RECALL_ASSIGN(read.doc, ReadDoc(transaction, row));
    RECALL_ASSIGN(read.chunks, ReadChunksOf(transaction, read.doc));
    RECALL_ASSIGN(const auto extraction, FindExtraction(transaction.connection(), row));
    std::vector<LocatorSpan> spans;
    if (extraction) {
      spans = DecodeLocatorSpans(extraction->spans, static_cast<uint64_t>(read.doc.size)).value();
    }
    for (const ChunkRow& chunk : read.chunks) {
      OracleParts& parts = read.parts.emplace_back();
      for (const LocatorSpan& span : spans) {
        const bool shared = span.start < chunk.end_byte && chunk.start_byte < span.end;
        if (shared) parts.places.push_back(span.locator);
      }
      RECALL_TRY(SymbolsOf(transaction.connection(), chunk.row, 1,
                           [&](uint32_t, Symbol&& symbol) { parts.symbols.push_back(symbol); }));
      RECALL_ASSIGN(std::string text,
                    ReadText(transaction, read.doc, chunk.start_byte, chunk.end_byte));
      read.texts.push_back(std::move(text));
    }
    docs.push_back(std::move(read));
  }
  return docs;
}

OracleSets FilterNaively(const std::vector<OracleDoc>& docs, const FilterExpr& expr,
                         UnixNanos now) {
  OracleSets sets;
  for (const auto& [doc, chunks, texts, parts] : docs) {
    bool any = chunks.empty() && EvalNaively(expr, doc, nullptr, "", now) == kTrue;
    for (size_t i = 0; i < chunks.size(); ++i) {
      if (EvalNaively(expr, doc, &chunks[i], texts[i], now, parts[i]) != kTrue) continue;
      sets.chunks.push_back(chunks[i].row);
      any = true;
    }
    if (any) sets.docs.push_back(static_cast<uint32_t>(doc.row));
  }
  std::ranges::sort(sets.chunks);
  std::ranges::sort(sets.docs);
  return sets;
}

}  // namespace recall
