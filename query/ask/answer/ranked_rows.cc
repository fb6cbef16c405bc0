// Rows of a query with USING: rows of a ranking, ordered and paged.
//
// Three cases:
// - Chunks by score: the best places of the ranking, as many as the page reaches.
// - Chunks with ORDER BY: the whole ranking is read in the order of chunk rowids, so that each
//   document row is read once, and a heap keeps as many rows as the page reaches.
// - Documents: a document has the score of its best chunk. The ranking is grouped by document: a
//   scan of all documents yields the chunk rowids of each, and a binary search finds them in the
//   ranking sorted by rowid. Without ORDER BY the ranking is read four times as deep each time
//   until it contains enough documents. The best chunk of a document comes first, so places further
//   down cannot change the documents found; they are then paged like chunks.
//
// Invariant. Equal scores are ordered by path, as in a search. The total of documents counts those
// with at least one member of the ranking, whatever part of it was read.
//
// Cost: FROM doc scans all documents once for each depth, without their paths unless there is an
// ORDER BY, which reads the row of every member.

#include <algorithm>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "query/ask/answer/row_source.h"
#include "query/ask/rows/ranked_page.h"

namespace recall {
namespace {

constexpr size_t kEverything = std::numeric_limits<size_t>::max();
// The number of chunk rows that one call reads.
constexpr size_t kRowsAtOnce = 256;
// The number of rows that are held to order equal scores, but for the ties of the last one.
constexpr size_t kRowsOfPart = size_t{1} << 16;

// A set of chunks as one bit for each chunk: asked for every document, a look-up in a Bitmap would
// take as long as reading the document's path.
class ChunkMarks final {
 public:
  explicit ChunkMarks(const Bitmap& chunks) {
    if (chunks.Empty()) return;
    bits_.resize(size_t{chunks.Last()} / kBits + 1);
    chunks.CopyBits(0, chunks.Last(), bits_);
  }

  // Requires: first <= last.
  bool HasAny(uint32_t first, uint32_t last) const {
    const size_t end = std::min<size_t>(last / kBits + 1, bits_.size());
    uint32_t mask = ~uint32_t{0} << first % kBits;
    for (size_t word = first / kBits; word < end; ++word) {
      if (word == last / kBits) mask &= ~uint32_t{0} >> (kBits - 1 - last % kBits);
      if ((bits_[word] & mask) != 0) return true;
      mask = ~uint32_t{0};
    }
    return false;
  }

 private:
  static constexpr uint32_t kBits = 32;
  std::vector<uint32_t> bits_;
};

Result<std::shared_ptr<const DocRow>> ReadSharedDoc(const TextsAndFacts& texts, int64_t row) {
  RECALL_ASSIGN(DocRow doc, texts.ReadDoc(row));
  return std::make_shared<const DocRow>(std::move(doc));
}

class RankedRows final {
 public:
  RankedRows(const Snapshot& snapshot, const Ranking& ranking, const PageRequest& page)
      : texts_(snapshot.texts()), ranking_(ranking), page_(page) {}

  Result<ResultPage> Find() {
    if (page_.from == RqlTable::kDoc) {
      RECALL_TRY(FindDocs());
    } else if (page_.order->IsGiven()) {
      RECALL_TRY(OrderChunks());
    } else {
      RECALL_TRY(FindBestChunks());
    }
    result_.more = result_.ranked.size() > page_.limit;
    if (result_.more) result_.ranked.resize(page_.limit);
    result_.count = result_.ranked.size();
    return std::move(result_);
  }

 private:
  Status FindBestChunks() {
    result_.total = ranking_.total_hits();
    RECALL_ASSIGN(const auto ranking, ranking_.Best(page_.reach()));
    return FindPageOf(ranking);
  }

  // In parts, because the rows of a part are held to order equal scores.
  Status FindPageOf(std::span<const ScoredChunk> ranking) {
    const size_t end = std::min(ranking.size(), page_.reach());
    for (size_t first = page_.offset; first < end; first += kRowsOfPart) {
      RowReader rows(texts_);
      RECALL_ASSIGN(const auto ranked,
                    ReadPage(ranking, rows, first, std::min(kRowsOfPart, end - first)));
      for (const RankedRow& row : ranked) result_.ranked.push_back(row.fused);
    }
    return Status::Ok();
  }

  // ORDER BY applies to the whole ranking. Chunks are read in the order of rowids: those of one
  // document are adjacent, so its row is read once.
  Status OrderChunks() {
    result_.total = ranking_.total_hits();
    RECALL_ASSIGN(auto ranking, ranking_.Best(kEverything));
    std::sort(ranking.begin(), ranking.end(), ByChunk);
    TopRows top(page_.order, page_.reach());
    std::shared_ptr<const DocRow> doc;
    std::vector<uint32_t> batch;
    for (size_t begin = 0; begin < ranking.size(); begin += kRowsAtOnce) {
      const auto part =
          std::span(ranking).subspan(begin, std::min(kRowsAtOnce, ranking.size() - begin));
      batch.clear();
      for (const ScoredChunk& scored : part) batch.push_back(ChunkOf(scored));
      RECALL_ASSIGN(std::vector<ChunkRow> chunks, texts_.ReadChunks(batch));
      for (size_t i = 0; i < part.size(); ++i) {
        if (!doc || doc->row != chunks[i].doc_row) {
          RECALL_ASSIGN(doc, ReadSharedDoc(texts_, chunks[i].doc_row));
        }
        RECALL_ASSIGN(ResultRow row, MakeRow(doc, std::move(chunks[i]), part[i]));
        top.Push(std::move(row));
      }
    }
    TakePage(std::move(top), ranking);
    return Status::Ok();
  }

  // `ranking` is sorted by chunk rowid.
  void TakePage(TopRows top, std::span<const ScoredChunk> ranking) {
    for (const RowPlace& place : std::move(top).Take(page_.offset)) {
      result_.ranked.push_back(*std::ranges::lower_bound(ranking, place.first_chunk, {}, ChunkOf));
    }
  }

  Status FindDocs() {
    RECALL_ASSIGN(std::vector<ScoredChunk> docs, RankDocs());
    if (page_.order->IsGiven()) return SortDocs(std::move(docs));
    std::ranges::sort(docs, std::greater<>(), &ScoredChunk::score);
    return FindPageOf(docs);
  }

  Status SortDocs(std::vector<ScoredChunk> docs) {
    TopRows top(page_.order, page_.reach());
    for (const ScoredChunk& best : docs) {
      RECALL_ASSIGN(ResultRow row, ReadDocWithBest(best));
      top.Push(std::move(row));
    }
    std::sort(docs.begin(), docs.end(), ByChunk);
    TakePage(std::move(top), docs);
    return Status::Ok();
  }

  // Returns: the best chunk of each document of the ranking: of all documents, ordered by path, for
  // ORDER BY, else of at least as many of the best as the page reaches.
  Result<std::vector<ScoredChunk>> RankDocs() {
    constexpr size_t kChunksOfDoc = 4;
    constexpr size_t kMany = kEverything / kChunksOfDoc;
    RECALL_ASSIGN(const Bitmap members, ranking_.Members());
    const bool all = page_.order->IsGiven() || page_.reach() > kMany;
    size_t count = all ? kEverything : std::max(kWindowSize, page_.reach() * kChunksOfDoc);
    for (;; count = count > kMany ? kEverything : count * kChunksOfDoc) {
      RECALL_ASSIGN(auto ranking, ranking_.Best(count));
      const bool whole = ranking.size() < count;
      std::sort(ranking.begin(), ranking.end(), ByChunk);
      RECALL_ASSIGN(auto docs, BestOfEachDoc(ranking, members));
      if (whole || docs.size() >= page_.reach()) return docs;
    }
  }

  // Groups `ranking`, which is sorted by chunk rowid, by document. Among chunks with equal scores,
  // the first in the document is the best. Sets the total to the number of documents that have a
  // member.
  Result<std::vector<ScoredChunk>> BestOfEachDoc(const std::vector<ScoredChunk>& ranking,
                                                 const Bitmap& members) {
    result_.total = 0;
    std::vector<ScoredChunk> docs;
    std::vector<uint32_t> ranked;
    for (const ScoredChunk& scored : ranking) ranked.push_back(ChunkOf(scored));
    const ChunkMarks is_member(members);
    const ChunkMarks is_ranked(Bitmap::Of(ranked));
    const auto visit = [&](uint32_t first, uint32_t count) {
      if (count == 0) return;
      const uint32_t last = first + (count - 1);
      if (!is_member.HasAny(first, last)) return;
      ++result_.total;
      if (!is_ranked.HasAny(first, last)) return;
      const ScoredChunk* best = nullptr;
      for (auto it = std::ranges::lower_bound(ranking, first, {}, ChunkOf);
           it != ranking.end() && ChunkOf(*it) <= last; ++it) {
        if (!best || it->score > best->score) best = &*it;
      }
      if (best) docs.push_back(*best);
    };
    if (page_.order->IsGiven()) {
      RECALL_TRY(texts_.ScanPaths(/*descending=*/false, [&](const PathEntry& entry) {
        visit(entry.first_chunk, entry.chunk_count);
        return true;
      }));
    } else {
      RECALL_TRY(texts_.ScanLiveChunks([&](RowSpan rows) { visit(rows.first, rows.count); }));
    }
    return docs;
  }

  Result<ResultRow> ReadDocWithBest(const ScoredChunk& best) {
    RECALL_ASSIGN(ChunkRow chunk, texts_.ReadChunk(ChunkOf(best)));
    RECALL_ASSIGN(auto doc, ReadSharedDoc(texts_, chunk.doc_row));
    return MakeRow(std::move(doc), std::move(chunk), best);
  }

  Result<ResultRow> MakeRow(std::shared_ptr<const DocRow> doc, ChunkRow chunk,
                            const ScoredChunk& fused) {
    std::string text;
    if (page_.order->NeedsText()) {
      RECALL_ASSIGN(text, texts_.ReadText(*doc, chunk.start_byte, chunk.end_byte));
    }
    ResultRow row{.doc = std::move(doc), .chunk = std::move(chunk), .fused = fused, .keys = {}};
    RECALL_TRY(page_.order->SetKeys(row, text));
    return row;
  }

  static uint32_t ChunkOf(const ScoredChunk& fused) { return fused.candidate.chunk; }
  static bool ByChunk(const ScoredChunk& a, const ScoredChunk& b) {
    return ChunkOf(a) < ChunkOf(b);
  }

  const TextsAndFacts& texts_;
  const Ranking& ranking_;
  const PageRequest& page_;
  ResultPage result_;
};

}  // namespace

Result<ResultPage> FindRankedRows(const Snapshot& snapshot, const Ranking& ranking,
                                  const PageRequest& page) {
  return RankedRows(snapshot, ranking, page).Find();
}

}  // namespace recall
