#include "query/context/context.h"

#include <algorithm>
#include <utility>

#include "query/rank/ranked_page.h"
#include "query/search.h"

namespace recall {
namespace {

// Chunks offered to the packer: far more than fit any budget a model can take.
constexpr size_t kOffered = 200;

void ExplainPieces(ContextPacker::Packed& packed, const std::vector<FusedCandidate>& ranking,
                   Retrieval& retrieval) {
  for (size_t i = 0; i < packed.pieces.size(); ++i) {
    const auto best =
        std::ranges::find(ranking, packed.best_rows[i],
                          [](const FusedCandidate& fused) { return fused.candidate.chunk; });
    if (best != ranking.end()) packed.pieces[i].explain = retrieval.ExplainHit(*best);
  }
}

}  // namespace

Result<ContextResponse> RunContext(const ReadTransaction& transaction, const QueryTools& tools,
                                   const ContextRequest& request, const std::string& commit_token) {
  if (request.budget_tokens < 1) {
    return Fail(Status::InvalidArgument("the token budget must be at least 1",
                                        "give --budget-tokens a positive number"));
  }
  const SearchRequest& search = request.search;
  ContextResponse response;
  SearchResponse& facts = response.search;
  StageClock clock;
  RECALL_ASSIGN(const ResolvedScope scope,
                ResolveScope(transaction, search.scope, commit_token, FilterDomain::kChunks));
  clock.Finish("filter", facts.timings);
  ReportScope(scope, search.explain, facts);
  RECALL_ASSIGN(const auto retrieval, Retrieval::Run(transaction, tools, search, scope.allowed()));
  ReportRetrieval(*retrieval, search.explain, facts);

  clock = StageClock();
  RowReader rows(transaction);
  RECALL_ASSIGN(const auto ranking, retrieval->Best(kOffered));
  RECALL_ASSIGN(const auto offered, ReadPage(ranking, rows, 0, kOffered));
  ContextPacker packer(&rows, {request.budget_tokens, request.diversity, request.citations});
  for (const RankedRow& ranked : offered) {
    RECALL_ASSIGN(const bool more, packer.Offer(ranked.row, ranked.fused.score));
    if (!more) break;
  }
  ContextPacker::Packed packed = packer.Finish();
  if (search.explain) ExplainPieces(packed, ranking, *retrieval);
  clock.Finish("pack", facts.timings);

  response.text = std::move(packed.text);
  response.budget_tokens = request.budget_tokens;
  response.used_tokens = packed.used_tokens;
  response.pieces = std::move(packed.pieces);
  if (response.pieces.empty() && !offered.empty()) {
    facts.warnings.push_back("the budget is too small for any passage");
  }
  return response;
}

}  // namespace recall
