#include "query/search.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace recall {
namespace {

// Each leg proposes at least this many candidates: enough that the order of the first page does
// not depend on what lies below.
constexpr size_t kPoolDepth = 200;

// Equal scores: path, offset, id. The id is a hash of document and offset, so it is only needed
// where a token was cut, and there byte order in the document is as good and cheaper.
bool ComesBefore(const RankedRow& a, const RankedRow& b) {
  if (a.fused.score != b.fused.score) return a.fused.score > b.fused.score;
  const DocRow& left = *a.row.doc;
  const DocRow& right = *b.row.doc;
  return std::tie(left.path, a.row.chunk.offset, a.row.chunk.start_byte, a.row.chunk.row) <
         std::tie(right.path, b.row.chunk.offset, b.row.chunk.start_byte, b.row.chunk.row);
}

HitExplain ExplainHit(const FusedCandidate& fused, SearchMode mode) {
  HitExplain explain;
  if (mode != SearchMode::kSemantic) explain.lexical = fused.candidate.lexical;
  if (mode != SearchMode::kLexical) explain.semantic = fused.candidate.semantic;
  explain.lexical_part = fused.lexical_part;
  explain.semantic_part = fused.semantic_part;
  return explain;
}

Result<SearchHit> MakeHit(const RankedRow& ranked, const SearchRequest& request, RowReader& rows) {
  const DocRow& doc = *ranked.row.doc;
  const ChunkRow& chunk = ranked.row.chunk;
  SearchHit hit;
  hit.score = ranked.fused.score;
  hit.doc = MakeDocView(doc);
  hit.chunk = MakeChunkView(doc, chunk);
  RECALL_ASSIGN(hit.chunk.text,
                ReadText(rows.transaction(), doc, chunk.start_byte, chunk.end_byte));
  if (request.explain) hit.explain = ExplainHit(ranked.fused, request.mode);
  return hit;
}

}  // namespace

Result<std::vector<RankedRow>> OrderRows(const Fusion& fusion, RowReader& rows, size_t offset,
                                         size_t count) {
  const auto& ranking = fusion.ranking;
  const size_t last = std::min(ranking.size(), offset + count);
  if (offset >= last) return std::vector<RankedRow>();
  // Whole groups of equal score, so that the tie-break sees all who tie at either end.
  size_t begin = offset;
  while (begin > 0 && ranking[begin - 1].score == ranking[offset].score) --begin;
  size_t end = last;
  while (end < ranking.size() && ranking[end].score == ranking[last - 1].score) ++end;

  std::vector<RankedRow> ordered;
  for (size_t i = begin; i < end; ++i) {
    RECALL_ASSIGN(auto row, rows.Read(ranking[i].candidate.chunk));
    ordered.push_back({ranking[i], std::move(row)});
  }
  std::sort(ordered.begin(), ordered.end(), ComesBefore);
  ordered.erase(ordered.begin(), ordered.begin() + static_cast<ptrdiff_t>(offset - begin));
  ordered.resize(last - offset);
  return ordered;
}

Result<SearchResponse> RunSearch(const ReadTransaction& transaction, const QueryTools& tools,
                                 const SearchRequest& request) {
  const size_t depth = std::max(kPoolDepth, request.offset + request.k);
  RECALL_ASSIGN(Retrieval retrieval, Retrieve(transaction, tools, request, depth));
  SearchResponse response;
  response.total_hits = retrieval.total_hits;
  response.total_hits_is_lower_bound = retrieval.total_is_lower_bound;
  response.explain = std::move(retrieval.explain);
  response.timings = std::move(retrieval.timings);
  response.warnings = std::move(retrieval.warnings);

  StageClock clock;
  RowReader rows(transaction);
  RECALL_ASSIGN(const auto page, OrderRows(retrieval.fusion, rows, request.offset, request.k));
  for (const RankedRow& ranked : page) {
    RECALL_ASSIGN(SearchHit hit, MakeHit(ranked, request, rows));
    response.hits.push_back(std::move(hit));
  }
  const size_t next = request.offset + page.size();
  if (!page.empty() && next < retrieval.fusion.ranking.size()) {
    response.next_offset = static_cast<int64_t>(next);
  }
  clock.Finish("assemble", response.timings);
  return response;
}

}  // namespace recall
