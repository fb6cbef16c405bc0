// Reads one page of a ranking.
//
// Problem. Rankings order equal scores by chunk rowid, which depends on the order of additions.
// Answers order them by path and position, so that the same documents give the same answer in every
// store. But paths are known only after rows are read, and thousands of chunks may have equal
// scores.
//
// Idea. The page is read group by group of equal scores. In a small group all rows are read and
// sorted. In a large group the index of paths is scanned: it yields the chunk rowids of each
// document in order, and a bitmap shows which of them are in the group. The scan stops when the
// page is full, and only the rows of the page are read.
//
// Invariant. Both ways give the same order, because the chunk rowids of a document ascend with
// their positions.
//
// Cost: O(group) rows for a small group; one scan of paths and the rows of the page for a large
// one.

#include "query/ask/rows/ranked_page.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "index/search/bitmap/bitmap.h"

namespace recall {
namespace {

using ScoredChunks = std::span<const ScoredChunk>;

// From this number of equal scores on, scanning all paths is cheaper than reading every row.
constexpr size_t kManyTies = 512;

// The published order ends with the chunk id. The id is a hash of document and position; it decides
// only between chunks of one token that was cut, where the position gives an order as well and is
// cheaper.
bool PathComesBefore(const RankedRow& a, const RankedRow& b) {
  return std::tie(a.row.doc->path, a.row.chunk.offset, a.row.chunk.start_byte, a.row.chunk.row) <
         std::tie(b.row.doc->path, b.row.chunk.offset, b.row.chunk.start_byte, b.row.chunk.row);
}

Result<RankedRow> ReadRow(const ScoredChunk& fused, RowReader& rows) {
  RECALL_ASSIGN(auto row, rows.Read(fused.candidate.chunk));
  return RankedRow{fused, std::move(row)};
}

bool IsNewer(const RankedRow& a, const RankedRow& b) {
  if (a.row.doc->mtime != b.row.doc->mtime) return a.row.doc->mtime > b.row.doc->mtime;
  return PathComesBefore(a, b);
}

// Appends the places skip .. skip+count-1 of a group of equal scores. Reads all rows of the group.
Status ReadFewTies(ScoredChunks ties, RowReader& rows, size_t skip, size_t count, TieOrder order,
                   std::vector<RankedRow>* page) {
  std::vector<RankedRow> read;
  for (const ScoredChunk& fused : ties) {
    RECALL_ASSIGN(RankedRow row, ReadRow(fused, rows));
    read.push_back(std::move(row));
  }
  std::sort(read.begin(), read.end(), order == TieOrder::kNewest ? IsNewer : PathComesBefore);
  const auto first = read.begin() + static_cast<ptrdiff_t>(skip);
  page->insert(page->end(), first, first + static_cast<ptrdiff_t>(count));
  return Status::Ok();
}

// As ReadFewTies, but scans the paths and reads only the rows of these places.
Status ReadManyTies(ScoredChunks ties, RowReader& rows, size_t skip, size_t count,
                    std::vector<RankedRow>* page) {
  Bitmap tied;
  for (const ScoredChunk& fused : ties) tied.Add(fused.candidate.chunk);
  std::vector<uint32_t> chosen;
  RECALL_TRY(rows.texts().ScanPaths(/*descending=*/false, [&](const PathEntry& entry) {
    if (entry.chunk_count == 0) return true;
    for (const uint32_t chunk :
         tied.ValuesIn(entry.first_chunk, entry.first_chunk + entry.chunk_count - 1)) {
      if (skip > 0) {
        --skip;
      } else {
        chosen.push_back(chunk);
      }
      if (chosen.size() == count) return false;
    }
    return true;
  }));
  std::unordered_map<uint32_t, const ScoredChunk*> fused_of;
  for (const ScoredChunk& fused : ties) fused_of[fused.candidate.chunk] = &fused;
  for (const uint32_t chunk : chosen) {
    RECALL_ASSIGN(RankedRow row, ReadRow(*fused_of[chunk], rows));
    page->push_back(std::move(row));
  }
  return Status::Ok();
}

}  // namespace

Result<std::vector<RankedRow>> ReadPage(ScoredChunks ranking, RowReader& rows, size_t offset,
                                        size_t count, TieOrder order) {
  std::vector<RankedRow> page;
  if (offset >= ranking.size()) return page;
  const size_t last = offset + std::min(count, ranking.size() - offset);
  // The first group is the one that contains `offset`.
  size_t begin = offset;
  while (begin > 0 && ranking[begin - 1].score == ranking[offset].score) --begin;
  while (begin < last) {
    size_t end = begin + 1;
    while (end < ranking.size() && ranking[end].score == ranking[begin].score) ++end;
    const size_t skip = offset > begin ? offset - begin : 0;
    const size_t take = std::min(end, last) - begin - skip;
    const ScoredChunks ties = ranking.subspan(begin, end - begin);
    if (order == TieOrder::kNewest || ties.size() < kManyTies) {
      RECALL_TRY(ReadFewTies(ties, rows, skip, take, order, &page));
    } else {
      RECALL_TRY(ReadManyTies(ties, rows, skip, take, &page));
    }
    begin = end;
  }
  return page;
}

}  // namespace recall
