// Reads the rows of a page (row_source.h) one after the other, in groups of chunks: a document is
// read once for all rows of it that follow each other.

#include <algorithm>
#include <utility>

#include "query/ask/answer/row_source.h"

namespace recall {
namespace {

// The number of chunk rows that one call reads.
constexpr size_t kRowsOfCall = 256;

class PageReader final {
 public:
  PageReader(const TextsAndFacts& texts, RqlTable from, const Bitmap* set,
             const std::function<Status(const ResultRow& row)>& visit)
      : texts_(texts), from_(from), set_(set), visit_(visit) {}

  Status ReadPlace(const PageRows& rows) {
    const RowPlace& place = rows.place;
    if (from_ == RqlTable::kDoc) {
      RECALL_TRY(UseDoc(place.doc_row));
      return visit_({.doc = doc_, .chunk = {}, .fused = {}, .keys = {}});
    }
    uint64_t skip = rows.skip;
    uint64_t take = rows.take;
    std::vector<uint32_t> chunks;
    for (uint32_t i = 0; i < place.chunk_count && take > 0; ++i) {
      const uint32_t chunk = place.first_chunk + i;
      if (set_ && !set_->Contains(chunk)) continue;
      if (skip > 0) {
        --skip;
        continue;
      }
      chunks.push_back(chunk);
      if (--take > 0 && chunks.size() < kRowsOfCall) continue;
      RECALL_TRY(ReadChunks(chunks, {}));
      chunks.clear();
    }
    return ReadChunks(chunks, {});
  }

  Status ReadRanked(std::span<const ScoredChunk> ranked) {
    std::vector<uint32_t> chunks;
    for (const ScoredChunk& scored : ranked) chunks.push_back(scored.candidate.chunk);
    return ReadChunks(chunks, ranked);
  }

 private:
  // `ranked`: the scores of the chunks, or empty.
  Status ReadChunks(std::span<const uint32_t> chunks, std::span<const ScoredChunk> ranked) {
    RECALL_ASSIGN(std::vector<ChunkRow> read, texts_.ReadChunks(chunks));
    for (size_t i = 0; i < read.size(); ++i) {
      RECALL_TRY(UseDoc(read[i].doc_row));
      RECALL_TRY(visit_({.doc = doc_,
                         .chunk = std::move(read[i]),
                         .fused = ranked.empty() ? ScoredChunk() : ranked[i],
                         .keys = {}}));
    }
    return Status::Ok();
  }

  Status UseDoc(int64_t row) {
    if (doc_ && doc_->row == row) return Status::Ok();
    RECALL_ASSIGN(DocRow doc, texts_.ReadDoc(row));
    doc_ = std::make_shared<const DocRow>(std::move(doc));
    return Status::Ok();
  }

  const TextsAndFacts& texts_;
  const RqlTable from_;
  const Bitmap* const set_;
  const std::function<Status(const ResultRow& row)>& visit_;
  std::shared_ptr<const DocRow> doc_;  // of the last row
};

}  // namespace

size_t PageRequest::reach() const {
  constexpr size_t kAll = SIZE_MAX;
  return offset > kAll - limit - 1 ? kAll : offset + limit + 1;
}

Status ReadRows(const TextsAndFacts& texts, RqlTable from, const Bitmap* set,
                const ResultPage& page, const std::function<Status(const ResultRow& row)>& visit) {
  PageReader reader(texts, from, set, visit);
  for (const PageRows& rows : page.places) RECALL_TRY(reader.ReadPlace(rows));
  const std::span<const ScoredChunk> ranked = page.ranked;
  for (size_t first = 0; first < ranked.size(); first += kRowsOfCall) {
    RECALL_TRY(
        reader.ReadRanked(ranked.subspan(first, std::min(kRowsOfCall, ranked.size() - first))));
  }
  return Status::Ok();
}

}  // namespace recall
