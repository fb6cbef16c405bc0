// The second step of a search: each retriever proposes chunks.
//
// The lexical retriever proposes every chunk that matches. The set of matches is known when it
// returns; scores are computed later and only where they matter. The semantic retriever proposes
// the vectors nearest to the query, above the noise floor: at most a thousand, unless the selection
// is small.
//
// Order. +must and -not apply to the whole answer, whichever retriever proposes a chunk. Like every
// filter they apply inside the semantic retriever, before it selects its best: if they applied
// afterwards, a -not clause could remove all thousand proposals. The lexical retriever therefore
// runs first, and its matches narrow the filter. A query without such clauses narrows nothing, so
// in a large store both run at the same time: the vector search on a thread of its own, because it
// only reads memory, and the lexical search on the calling thread, which the transaction belongs
// to.
//
// Invariants. The hits are the same for any number of threads. No chunk outside `semantic` counts
// with a cosine above `semantic_floor`: the lowest cosine proposed if the list was cut off, else
// the noise floor. The threshold algorithm relies on it (candidate_pool.cc).
//
// Cost: that of index/search/lexical and index/search/vector, the largest part of a search.

#include "query/ask/retrieval/retriever_hits.h"

#include <algorithm>
#include <future>
#include <utility>

#include "query/types/stage_clock.h"
#include "storage/base/hosted.h"

namespace recall {
namespace {

Status NarrowFilter(const RetrievalPlan& plan, const LexicalCandidates& lexical,
                    RetrieverHits& hits) {
  RECALL_ASSIGN(hits.required, lexical.Required());
  RECALL_ASSIGN(const Bitmap excluded, lexical.Excluded());
  if (excluded.Empty()) return Status::Ok();
  const Bitmap* const removed = plan.filter().removed;
  hits.removed = removed ? removed->Or(excluded) : excluded;
  return Status::Ok();
}

Result<std::unique_ptr<SemanticCandidates>> PrepareSemantic(const RetrievalPlan& plan,
                                                            const ChunkFilter& filter,
                                                            size_t threads) {
  return plan.indexes->PrepareSemantic(
      plan.vector, filter,
      {.most = plan.MostSemanticHits(filter.allowed), .exact = plan.exact, .threads = threads});
}

void TakeSemanticHits(const RetrievalPlan& plan, SemanticHits found, RetrieverHits& hits) {
  const size_t most = plan.MostSemanticHits(hits.filter(plan).allowed);
  std::erase_if(found.hits, [&](const RetrieverHit& hit) { return hit.score <= plan.noise_floor; });
  hits.semantic = std::move(found.hits);
  hits.semantic_cut = hits.semantic.size() >= most;
  hits.semantic_floor =
      hits.semantic_cut ? std::ranges::min_element(hits.semantic, {}, &RetrieverHit::score)->score
                        : plan.noise_floor;
  hits.vectors_scanned = found.scanned;
  hits.vectors_reranked = found.reranked;
  hits.vectors_exact = found.exact;
}

Status SearchWords(const RetrievalPlan& plan, RetrieverHits& hits) {
  ReportedStage stage(plan.on_stage, kLexicalStage);
  RECALL_ASSIGN(hits.lexical, plan.indexes->SearchLexical(plan.query, plan.filter()));
  stage.End(static_cast<int64_t>(hits.matches()));
  return Status::Ok();
}

Status RunInParallel(const RetrievalPlan& plan, RetrieverHits& hits) {
  StageClock clock;
  ReportedStage semantic(plan.on_stage, kSemanticStage);
  RECALL_ASSIGN(hits.vectors, PrepareSemantic(plan, plan.filter(), plan.threads - 1));
  std::future<Result<SemanticHits>> proposed = [&] {
    const QuietStart quiet;
    return std::async([&] { return hits.vectors->Search(); });
  }();
  RECALL_TRY(SearchWords(plan, hits));
  clock.Finish("lexical", hits.timings);
  RECALL_ASSIGN(SemanticHits found, proposed.get());
  TakeSemanticHits(plan, std::move(found), hits);
  semantic.End(static_cast<int64_t>(hits.semantic.size()));
  clock.Finish("semantic", hits.timings);
  return Status::Ok();
}

Status RunInTurn(const RetrievalPlan& plan, RetrieverHits& hits) {
  StageClock clock;
  if (plan.lexical) {
    RECALL_TRY(SearchWords(plan, hits));
    // What follows the words must satisfy the operators, too.
    const bool others = plan.semantic || FusesParts(plan.fusion);
    if (others) RECALL_TRY(NarrowFilter(plan, *hits.lexical, hits));
    clock.Finish("lexical", hits.timings);
  } else if (plan.has_operators()) {
    RECALL_ASSIGN(const auto lexical, plan.indexes->SearchLexical(plan.query, plan.filter()));
    RECALL_TRY(NarrowFilter(plan, *lexical, hits));
  }
  if (plan.semantic) {
    ReportedStage semantic(plan.on_stage, kSemanticStage);
    RECALL_ASSIGN(hits.vectors, PrepareSemantic(plan, hits.filter(plan), plan.threads));
    // Groups are compared by vectors of their own, so no chunk need be proposed.
    if (plan.fusion != FusionMethod::kGrouped) {
      RECALL_ASSIGN(SemanticHits found, hits.vectors->Search());
      TakeSemanticHits(plan, std::move(found), hits);
    }
    semantic.End(static_cast<int64_t>(hits.semantic.size()));
    clock.Finish("semantic", hits.timings);
  }
  return Status::Ok();
}

// Leaves the semantic hits that have a word of the question.
Status LeaveOutCollisions(const RetrievalPlan& plan, RetrieverHits& hits) {
  RECALL_ASSIGN(const auto matches,
                plan.indexes->SearchLexical(*plan.hashed_words, hits.filter(plan)));
  RECALL_ASSIGN(Bitmap worded, matches->Matches());
  if (hits.lexical) {
    RECALL_ASSIGN(const Bitmap lexical, hits.lexical->Matches());
    worded = worded.Or(lexical);
  }
  std::erase_if(hits.semantic,
                [&](const RetrieverHit& hit) { return !worded.Contains(hit.chunk); });
  hits.worded = std::move(worded);
  return Status::Ok();
}

}  // namespace

ChunkFilter RetrieverHits::filter(const RetrievalPlan& plan) const {
  ChunkFilter filter = plan.filter();
  if (required) filter.allowed = &*required;
  if (removed) filter.removed = &*removed;
  return filter;
}

const RetrieverHit* RetrieverHits::FindSemantic(uint32_t chunk) const {
  const auto found = std::ranges::lower_bound(semantic, chunk, {}, &RetrieverHit::chunk);
  return found != semantic.end() && found->chunk == chunk ? &*found : nullptr;
}

Result<std::vector<RetrieverHit>> RetrieverHits::TopLexical(size_t count) const {
  if (!lexical) return std::vector<RetrieverHit>();
  return lexical->Top(count);
}

Result<std::vector<RetrieverHit>> RetrieverHits::LexicalAtLeast(double score) const {
  if (!lexical) return std::vector<RetrieverHit>();
  return lexical->AtLeast(score);
}

Result<std::vector<double>> RetrieverHits::LexicalScores(std::span<const uint32_t> chunks) const {
  if (!lexical) return std::vector<double>(chunks.size());
  return lexical->Score(chunks);
}

Result<RetrieverHits> RunRetrievers(const RetrievalPlan& plan) {
  RetrieverHits hits;
  RECALL_TRY(plan.parallel ? RunInParallel(plan, hits) : RunInTurn(plan, hits));
  if (plan.semantic && plan.hashed_words) RECALL_TRY(LeaveOutCollisions(plan, hits));
  return hits;
}

Result<int64_t> CountProposed(const RetrieverHits& hits) {
  std::vector<uint32_t> chunks;
  chunks.reserve(hits.semantic.size());
  for (const RetrieverHit& hit : hits.semantic) chunks.push_back(hit.chunk);
  uint64_t both = 0;
  if (hits.lexical) {
    RECALL_ASSIGN(both, hits.lexical->CountAmong(chunks));
  }
  return static_cast<int64_t>(hits.matches() + chunks.size() - both);
}

}  // namespace recall
