#include "query/context/context.h"

#include <utility>

namespace recall {
namespace {

// Chunks offered to the packer: far more than fit any budget a model can take.
constexpr size_t kOffered = 200;

}  // namespace

Result<ContextResponse> RunContext(const ReadTransaction& transaction, const QueryTools& tools,
                                   const ContextRequest& request) {
  if (request.budget_tokens < 1) {
    return Fail(Status::InvalidArgument("the token budget must be at least 1",
                                        "give --budget-tokens a positive number"));
  }
  RECALL_ASSIGN(Retrieval retrieval, Retrieve(transaction, tools, request.search, kOffered));
  StageClock clock;
  RowReader rows(transaction);
  RECALL_ASSIGN(const auto ranking, OrderRows(retrieval.fusion, rows, 0, kOffered));
  ContextPacker packer(&rows, {request.budget_tokens, request.diversity, request.citations});
  for (const RankedRow& ranked : ranking) {
    RECALL_ASSIGN(const bool more, packer.Offer(ranked.row, ranked.fused.score));
    if (!more) break;
  }
  ContextPacker::Packed packed = packer.Finish();
  clock.Finish("pack", retrieval.timings);

  ContextResponse response;
  response.text = std::move(packed.text);
  response.budget_tokens = request.budget_tokens;
  response.used_tokens = packed.used_tokens;
  response.pieces = std::move(packed.pieces);
  response.search.total_hits = retrieval.total_hits;
  response.search.total_hits_is_lower_bound = retrieval.total_is_lower_bound;
  response.search.explain = std::move(retrieval.explain);
  response.search.timings = std::move(retrieval.timings);
  response.search.warnings = std::move(retrieval.warnings);
  if (response.pieces.empty() && !ranking.empty()) {
    response.search.warnings.push_back("the budget is too small for any passage");
  }
  return response;
}

}  // namespace recall
