#include "query/answer/search.h"

#include <utility>

#include "query/rows/ranked_page.h"
#include "storage/base/clock.h"

namespace recall {

Result<SearchHit> HitMaker::Make(const DocRow& doc, const ChunkRow& chunk,
                                 const FusedCandidate& fused) {
  SearchHit hit;
  hit.score = fused.score;
  hit.doc = MakeDocView(doc);
  hit.chunk = MakeChunkView(doc, chunk);
  RECALL_ASSIGN(hit.chunk.text, ReadText(transaction_, doc, chunk.start_byte, chunk.end_byte));
  if (request_.snippet_bytes > 0) hit.snippet = snippets_.Cut(hit.chunk, doc.parser == "code");
  for (const uint32_t other : retrieval_.SaidBy(fused.candidate.chunk)) {
    RECALL_ASSIGN(const ChunkRow row, ReadChunk(transaction_, other));
    RECALL_ASSIGN(const DocRow of, ReadDoc(transaction_, row.doc_row));
    hit.stands_for.push_back({MakeChunkView(of, row).id, of.path, row.start_line, row.end_line});
  }
  if (request_.explain) hit.explain = retrieval_.ExplainHit(fused);
  return hit;
}

SearchRequest WithTime(SearchRequest request) {
  const bool staged = !request.ranking.stages.empty();
  if (staged && !request.scope.as_of) request.scope.as_of = WallClockNanos();
  return request;
}

void ReportScope(const ResolvedScope& scope, bool explain, AnswerFacts& facts) {
  facts.filter = scope.filter;
  facts.as_of = scope.as_of;
  facts.warnings.insert(facts.warnings.end(), scope.warnings.begin(), scope.warnings.end());
  if (!explain) return;
  if (!facts.explain) facts.explain.emplace();
  facts.explain->filter = scope.explain;
}

void ReportRetrieval(const Retrieval& retrieval, bool explain, AnswerFacts& facts) {
  facts.total_hits = retrieval.total_hits();
  facts.total_hits_is_lower_bound = retrieval.total_is_lower_bound();
  const auto& warnings = retrieval.warnings();
  facts.warnings.insert(facts.warnings.end(), warnings.begin(), warnings.end());
  const auto& timings = retrieval.timings();
  facts.timings.insert(facts.timings.end(), timings.begin(), timings.end());
  if (retrieval.as_of()) facts.as_of = retrieval.as_of();
  if (!explain) return;
  std::optional<FilterExplain> filter;
  if (facts.explain) filter = std::move(facts.explain->filter);
  facts.explain = retrieval.Explain();
  facts.explain->filter = std::move(filter);
}

void WarnWhereCut(const Retrieval& retrieval, size_t end, AnswerFacts& facts) {
  if (!retrieval.total_is_lower_bound()) return;
  if (end <= static_cast<size_t>(retrieval.total_hits())) return;
  facts.warnings.push_back("the semantic ranking ends at its best " +
                           std::to_string(retrieval.semantic_hits()) +
                           " chunks; an exact search ranks all");
}

Result<SearchResponse> RunSearch(const ReadTransaction& transaction, const QueryTools& tools,
                                 const SearchRequest& asked, const std::string& commit_token) {
  const SearchRequest request = WithTime(asked);
  SearchResponse response;
  StageClock clock;
  RECALL_ASSIGN(const ResolvedScope scope,
                ResolveScope(transaction, request.scope, commit_token, FilterDomain::kChunks));
  clock.Finish("filter", response.timings);
  ReportScope(scope, request.explain, response);
  RECALL_ASSIGN(const auto retrieval, Retrieval::Run(transaction, tools, request, scope.allowed()));
  ReportRetrieval(*retrieval, request.explain, response);
  WarnWhereCut(*retrieval, request.offset + request.k, response);

  clock = StageClock();
  // One more than the page, to know whether there is a next one.
  RECALL_ASSIGN(const auto ranking, retrieval->Best(request.offset + request.k + 1));
  clock.Finish("rank", response.timings);
  RowReader rows(transaction);
  RECALL_ASSIGN(const auto page, ReadPage(ranking, rows, request.offset, request.k));
  HitMaker hits(transaction, *retrieval, request);
  for (const RankedRow& ranked : page) {
    RECALL_ASSIGN(SearchHit hit, hits.Make(*ranked.row.doc, ranked.row.chunk, ranked.fused));
    response.hits.push_back(std::move(hit));
  }
  const size_t next = request.offset + page.size();
  if (next < ranking.size() && !page.empty()) response.next_offset = static_cast<int64_t>(next);
  clock.Finish("assemble", response.timings);
  return response;
}

}  // namespace recall
