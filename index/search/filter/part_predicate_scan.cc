// Evaluates one predicate on a field of the parts of a chunk: the symbols in it, or the places of a
// file that its text was extracted from. A chunk may have several values or none.
//
// It satisfies a predicate if one value does, and a negation if it has values and none does. So
// these scans collect two sets, the chunks with values and the chunks with a value that matches.
// The beginning of the name of a symbol is looked up in an index. Stores without such rows answer
// at once.

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "index/search/filter/member_ranges.h"
#include "index/search/filter/part_value.h"
#include "index/search/filter/predicate_scan.h"
#include "index/source/extract/types/locator_record.h"
#include "storage/documents/chunk_scan.h"
#include "storage/tables/extraction_table.h"
#include "storage/tables/symbol_table.h"

namespace recall {
namespace {

class PartPredicateScan final {
 public:
  PartPredicateScan(const ReadTransaction& transaction, const CompiledPredicate& predicate,
                    const Bitmap& within)
      : transaction_(transaction), predicate_(predicate), within_(within), matcher_(predicate) {}

  Result<Bitmap> Run(const PartColumn& column) {
    return std::visit([this](auto values) { return Scan(values); }, column.values);
  }

 private:
  bool asks_null() const { return predicate_.op == FilterOp::kIsNull; }

  // A function for each type of PartColumn::values.
  Result<Bitmap> Scan(SymbolText text) {
    Connection& connection = transaction_.connection();
    RECALL_ASSIGN(const bool has_symbols, HasSymbols(connection));
    if (!has_symbols) return Answer();
    const auto take = [&](uint32_t row, std::string_view value) {
      if (!within_.Contains(row)) return;
      TakeValue(row, !asks_null() && matcher_.Text(value));
    };
    if (IsByName(predicate_, text)) {
      RECALL_TRY(ScanNamesOf(connection, take));
    } else {
      RECALL_TRY(ForEachRange(within_, [&](uint32_t first, uint32_t last) {
        return ScanSymbolTexts(connection, text, first, last, take);
      }));
    }
    return Answer();
  }

  Status ScanNamesOf(Connection& connection, const SymbolTextVisitor& take) {
    if (predicate_.is_pattern()) {
      TextInterval range = predicate_.PatternRange();
      return ScanSymbolNames(connection, {std::move(range.low), std::move(range.high)}, take);
    }
    for (const Operand& operand : predicate_.operands) {
      RECALL_TRY(ScanSymbolNames(connection, ExactSymbolName(operand.text), take));
    }
    return Status::Ok();
  }

  Result<Bitmap> Scan(LocatorKind kind) {
    Connection& connection = transaction_.connection();
    RECALL_ASSIGN(const bool has_extractions, HasExtractions(connection));
    if (!has_extractions) return Answer();
    std::vector<uint32_t> rows;
    const auto wants = [&](uint32_t first, uint32_t count) {
      if (count == 0) return false;
      rows = within_.ValuesIn(first, first + (count - 1));
      return !rows.empty();
    };
    RECALL_TRY(ScanExtractionPlaces(connection, wants, [&](const ExtractionPlaces& places) {
      return TakePlaces(kind, places, rows);
    }));
    return Answer();
  }

  // Of chunks of one document.
  Status TakePlaces(LocatorKind kind, const ExtractionPlaces& places,
                    const std::vector<uint32_t>& rows) {
    const auto spans = DecodeLocatorSpans(places.spans, places.size);
    if (!spans) {
      return Status::Corruption("the record of the places of document row " +
                                    std::to_string(places.doc_row) + " is damaged",
                                "run `recall doctor`, or add the file again");
    }
    const bool any = std::ranges::any_of(*spans, [&](const LocatorSpan& span) {
      return ValueOfPlace(kind, span.locator).has_value();
    });
    if (!any) return Status::Ok();
    RECALL_ASSIGN(const std::vector<int64_t> starts, NumbersOf(ChunkNumber::kStartByte, rows));
    RECALL_ASSIGN(const std::vector<int64_t> ends, NumbersOf(ChunkNumber::kEndByte, rows));
    for (size_t i = 0; i < rows.size(); ++i) {
      for (const LocatorSpan& span :
           SpansWithin(*spans, static_cast<uint64_t>(starts[i]), static_cast<uint64_t>(ends[i]))) {
        const auto value = ValueOfPlace(kind, span.locator);
        if (value) TakeValue(rows[i], !asks_null() && Matches(*value));
      }
    }
    return Status::Ok();
  }

  // A number of each of `rows`, which ascend; 0 where a row is missing.
  Result<std::vector<int64_t>> NumbersOf(ChunkNumber column, const std::vector<uint32_t>& rows) {
    std::vector<int64_t> numbers(rows.size());
    size_t at = 0;
    RECALL_TRY(ScanChunkNumbers(transaction_, column, rows.front(), rows.back(),
                                [&](uint32_t row, int64_t value) {
                                  while (at < rows.size() && rows[at] < row) ++at;
                                  if (at < rows.size() && rows[at] == row) numbers[at] = value;
                                }));
    return numbers;
  }

  bool Matches(const SortValue& value) {
    return value.kind == SortValue::Kind::kText ? matcher_.Text(value.text)
                                                : matcher_.Integer(value.integer);
  }

  // The values of a chunk mostly come one after the other, and adding to a set costs more than
  // this.
  void TakeValue(uint32_t row, bool matches) {
    if (known_.empty() || known_.back() != row) known_.push_back(row);
    if (matches && (matching_.empty() || matching_.back() != row)) matching_.push_back(row);
  }

  // Of the values that were taken.
  Bitmap Answer() {
    const auto set_of = [](std::vector<uint32_t>& rows) {
      if (!std::ranges::is_sorted(rows)) std::ranges::sort(rows);
      const auto repeated = std::ranges::unique(rows);
      rows.erase(repeated.begin(), repeated.end());
      return Bitmap::Of(rows);
    };
    const Bitmap known = set_of(known_);
    if (asks_null()) return predicate_.negated ? known : within_.AndNot(known);
    const Bitmap matching = set_of(matching_);
    return predicate_.negated ? known.AndNot(matching) : matching;
  }

  const ReadTransaction& transaction_;
  const CompiledPredicate& predicate_;
  const Bitmap& within_;
  PredicateMatcher matcher_;
  std::vector<uint32_t> known_;     // chunks with values
  std::vector<uint32_t> matching_;  // chunks with a value that satisfies the predicate
};

}  // namespace

Result<Bitmap> ScanPartPredicate(const ReadTransaction& transaction,
                                 const CompiledPredicate& predicate, const PartColumn& column,
                                 const Bitmap& within) {
  return PartPredicateScan(transaction, predicate, within).Run(column);
}

}  // namespace recall
