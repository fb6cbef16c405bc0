// Evaluates one predicate on a chunk field within a given set of chunk rowids, which the cheaper
// predicates of an AND have already reduced. There are no indexes on these fields, so rows must be
// read, but only those of the set, in ranges (member_ranges.h). A range costs one b-tree descent
// and then sequential reads.
//
// Equality of chunk.id is the exception: chunk ids are hashes of document id and position, and the
// store can look them up.
//
// Invariant: every chunk has a value for each stored field, so IS NULL matches no chunk and a
// negated predicate is the complement within the set. The fields of turns are read from the
// headings of sessions; other chunks have none of them, and satisfy neither a predicate nor its
// negation.

#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "index/base/text/turn_heading.h"
#include "index/search/filter/member_ranges.h"
#include "index/search/filter/predicate_scan.h"
#include "storage/documents/chunk_scan.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

class ChunkPredicateScan final {
 public:
  ChunkPredicateScan(const ReadTransaction& transaction, const CompiledPredicate& predicate,
                     const Bitmap& within)
      : transaction_(transaction),
        predicate_(predicate),
        within_(within),
        matcher_(predicate),
        reader_(transaction) {}

  Result<Bitmap> Run(const ChunkColumn& column) {
    return std::visit([this](const auto& values) { return Scan(values); }, column.values);
  }

 private:
  bool asks_null() const { return predicate_.op == FilterOp::kIsNull; }

  // A function for each type of ChunkColumn::values.
  Result<Bitmap> Scan(ChunkIds) {
    if (predicate_.is_equality()) {
      RECALL_TRY(LookUpIds());
      return std::move(found_);
    }
    return ScanStored(
        [this](uint32_t first, uint32_t last) { return reader_.ScanIds(first, last, Texts()); });
  }
  Result<Bitmap> Scan(ChunkDocIds) {
    return ScanStored(
        [this](uint32_t first, uint32_t last) { return reader_.ScanDocIds(first, last, Texts()); });
  }
  Result<Bitmap> Scan(ChunkTexts) {
    return ScanStored(
        [this](uint32_t first, uint32_t last) { return reader_.ScanTexts(first, last, Texts()); });
  }
  Result<Bitmap> Scan(ChunkHeadings) {
    return ScanStored([this](uint32_t first, uint32_t last) {
      return ScanChunkHeadings(transaction_, first, last, Texts());
    });
  }
  Result<Bitmap> Scan(ChunkNumber column) {
    return ScanStored([this, column](uint32_t first, uint32_t last) {
      return ScanChunkNumbers(transaction_, column, first, last,
                              [this](uint32_t row, int64_t value) {
                                if (Wanted(row)) Take(row, matcher_.Integer(value));
                              });
    });
  }

  // Of a field for which every chunk has a value.
  template <typename ScanRange>
  Result<Bitmap> ScanStored(const ScanRange& scan) {
    if (asks_null()) return predicate_.negated ? within_ : Bitmap();
    RECALL_TRY(ForEachRange(within_, scan));
    return std::move(found_);
  }

  Status LookUpIds() {
    for (const Operand& operand : predicate_.operands) {
      if (operand.text.size() != kIdDigits) continue;
      RECALL_ASSIGN(const auto chunks, FindLiveChunksById(transaction_, operand.text, 2));
      for (const ChunkRow& chunk : chunks) {
        RECALL_TRY(reader_.ScanIds(chunk.row, chunk.row, Texts()));
      }
    }
    return Status::Ok();
  }

  Result<Bitmap> Scan(TurnPart part) {
    RECALL_ASSIGN(const Bitmap sessions, AllSessions(transaction_, RowUnit::kChunks));
    const Bitmap within = sessions.And(within_);
    Bitmap known;
    RECALL_TRY(ForEachRange(within, [&](uint32_t first, uint32_t last) {
      return ScanChunkHeadings(transaction_, first, last, [&](uint32_t row, std::string_view text) {
        if (!within.Contains(row)) return;
        const auto matches = TurnMatches(part, text);
        if (!matches) return;
        if (asks_null()) {
          known.Add(row);
        } else {
          Take(row, *matches);
        }
      });
    }));
    if (!asks_null()) return std::move(found_);
    return predicate_.negated ? std::move(known) : within_.AndNot(known);
  }

  // Whether the turn with this heading satisfies the predicate; nothing if it has no value.
  std::optional<bool> TurnMatches(TurnPart part, std::string_view heading) {
    const auto turn = ParseTurnHeading(heading);
    if (!turn) return std::nullopt;
    switch (part) {
      case TurnPart::kNumber:
        return !asks_null() && matcher_.Integer(turn->turn);
      case TurnPart::kRole:
        return !asks_null() && matcher_.Text(turn->role);
      case TurnPart::kTime: {
        const auto at = ParseRfc3339(turn->at);
        if (!at) return std::nullopt;
        return !asks_null() && matcher_.Time(*at);
      }
    }
    return std::nullopt;
  }

  ChunkTextVisitor Texts() {
    return [this](uint32_t row, std::string_view text) {
      if (Wanted(row)) Take(row, matcher_.Text(text));
    };
  }

  bool Wanted(uint32_t row) const { return within_.Contains(row); }
  void Take(uint32_t row, bool matches) {
    if (matches != predicate_.negated) found_.Add(row);
  }

  const ReadTransaction& transaction_;
  const CompiledPredicate& predicate_;
  const Bitmap& within_;
  PredicateMatcher matcher_;
  ChunkReader reader_;
  Bitmap found_;
};

}  // namespace

bool IsOnChunks(const CompiledPredicate& predicate) {
  return InfoOf(predicate.field.field).table == FieldTable::kChunk;
}

Result<Bitmap> ScanChunkPredicate(const ReadTransaction& transaction,
                                  const CompiledPredicate& predicate, const ChunkColumn& column,
                                  const Bitmap& within) {
  return ChunkPredicateScan(transaction, predicate, within).Run(column);
}

}  // namespace recall
