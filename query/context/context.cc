#include "query/context/context.h"

#include <algorithm>
#include <utility>

#include "query/context/packer.h"
#include "query/context/passage_packer.h"
#include "query/context/unit_evidence.h"
#include "query/rank/ranked_page.h"
#include "query/search.h"

namespace recall {
namespace {

// Chunks offered to the packer at most: far more than fit any budget a model can take.
constexpr size_t kOffered = 200;
// Passages are chosen from this many chunks, or from as many as hold this many times the budget.
// More are read for nothing: what their sentences say hardly ever outweighs their rank.
constexpr size_t kChosenFrom = 32;
constexpr int64_t kBudgetsRead = 4;

void ExplainPieces(PackedContext& packed, const std::vector<FusedCandidate>& ranking,
                   Retrieval& retrieval) {
  for (size_t i = 0; i < packed.pieces.size(); ++i) {
    const auto best =
        std::ranges::find(ranking, packed.best_rows[i],
                          [](const FusedCandidate& fused) { return fused.candidate.chunk; });
    if (best != ranking.end()) packed.pieces[i].explain = retrieval.ExplainHit(*best);
  }
}

PackOptions OptionsOf(const ContextRequest& request) {
  return {request.budget_tokens, request.diversity, request.citations};
}

Result<PackedContext> PackChunks(const std::vector<RankedRow>& offered,
                                 const ContextRequest& request, RowReader& rows) {
  ContextPacker packer(&rows, OptionsOf(request));
  for (const RankedRow& ranked : offered) {
    RECALL_ASSIGN(const bool more, packer.Offer(ranked.row, ranked.fused.score));
    if (!more) break;
  }
  return packer.Finish();
}

Result<PackedContext> PackPassages(const std::vector<RankedRow>& offered,
                                   const ContextRequest& request, const Retrieval& retrieval,
                                   const QueryTools& tools, RowReader& rows) {
  std::vector<RankedRow> chosen_from;
  int64_t tokens = 0;
  for (const RankedRow& ranked : offered) {
    if (chosen_from.size() >= kChosenFrom && tokens >= kBudgetsRead * request.budget_tokens) break;
    tokens += ranked.row.chunk.tokens;
    chosen_from.push_back(ranked);
  }
  UnitEvidence evidence(&retrieval.query(), retrieval.Explain().terms, tools.tokenizer);
  PassagePacker packer(&rows, OptionsOf(request), &evidence);
  return packer.Pack(chosen_from);
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
  RECALL_ASSIGN(PackedContext packed,
                request.pieces == ContextPieces::kChunks
                    ? PackChunks(offered, request, rows)
                    : PackPassages(offered, request, *retrieval, tools, rows));
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
