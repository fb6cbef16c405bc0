// The two retrievers: each proposes chunks, alone.

#include <algorithm>
#include <cmath>
#include <future>
#include <limits>
#include <utility>

#include "query/retrieval/retrieval.h"

namespace recall {
namespace {

// How many chunks the semantic retriever proposes. Every chunk is similar to every question
// somehow, so there must be an end; few readers get there.
constexpr size_t kSemanticReach = 1000;
// Selections up to this size are scored in full anyway, so all of them are proposed.
constexpr int64_t kWholeSelection = 2000;

}  // namespace

Status Retrieval::RunRetrievers(StageClock& clock) {
  if (UsesLexical() && query_.Empty()) {
    warnings_.push_back("the query has no words to search for; skipping lexical search");
  }
  if (!UsesLexical() && !tools_.embedding->has_vectors()) {
    warnings_.push_back("the store has learnt nothing yet, so it has no vectors");
  }
  if (UsesSemantic()) {
    RECALL_ASSIGN(const std::vector<float> vector, QuestionVector());
    RECALL_TRY(tools_.embedding->LoadCoarseQuantizer(transaction_.connection()));
    vector_query_ = tools_.space->PrepareQuery(vector);
    clock.Finish("embed", timings_);
  }
  if (RetrieversRunInParallel()) return RunRetrieversInParallel(clock);
  if (UsesLexical()) {
    RECALL_TRY(RunLexical());
    clock.Finish("lexical", timings_);
  }
  if (UsesSemantic()) {
    if (UsesLexical()) NarrowFilter();
    RECALL_ASSIGN(const VectorSearch search, PrepareSemantic(request_.threads));
    RECALL_ASSIGN(std::vector<VectorHit> hits, search.Run(&vector_stats_));
    TakeProposals(std::move(hits));
    clock.Finish("semantic", timings_);
  }
  return Status::Ok();
}

// Where +must or -not bind what the semantic retriever may propose, it has to wait for the words.
bool Retrieval::RetrieversRunInParallel() const {
  return UsesLexical() && UsesSemantic() && request_.threads > 1 &&
         transaction_.counts().chunks >= request_.chunks_per_retriever &&
         std::ranges::all_of(query_.clauses, [](const LexicalClause& clause) {
           return clause.occur == LexicalClause::Occur::kShould;
         });
}

// Words are read through the transaction, which is this thread's; vectors lie in memory.
Status Retrieval::RunRetrieversInParallel(StageClock& clock) {
  RECALL_ASSIGN(const VectorSearch search, PrepareSemantic(request_.threads - 1));
  std::future<Result<std::vector<VectorHit>>> proposed =
      std::async([&] { return search.Run(&vector_stats_); });
  RECALL_TRY(RunLexical());
  clock.Finish("lexical", timings_);
  RECALL_ASSIGN(std::vector<VectorHit> hits, proposed.get());
  TakeProposals(std::move(hits));
  clock.Finish("semantic", timings_);
  return Status::Ok();
}

Status Retrieval::RunLexical() {
  RECALL_ASSIGN(lexical_, SearchLexical(transaction_, *columns_, query_, filter_));
  return Status::Ok();
}

size_t Retrieval::SemanticReach() const {
  const int64_t selection = filter_.allowed ? static_cast<int64_t>(filter_.allowed->Count())
                                            : transaction_.counts().chunks;
  if (request_.exact || selection <= kWholeSelection) return std::numeric_limits<size_t>::max();
  return kSemanticReach;
}

Result<VectorSearch> Retrieval::PrepareSemantic(size_t threads) const {
  VectorSearchOptions options;
  options.k = SemanticReach();
  options.by_chunk = true;
  options.exact = request_.exact;
  options.store_vectors = static_cast<uint64_t>(std::max<int64_t>(transaction_.counts().chunks, 0));
  options.threads = std::max<size_t>(threads, 1);
  return VectorSearch::Prepare(*columns_, vector_query_, filter_, options);
}

void Retrieval::TakeProposals(std::vector<VectorHit> hits) {
  const float floor = NoiseFloor();
  std::erase_if(hits, [&](const VectorHit& hit) { return hit.score <= floor; });
  semantic_cut_ = hits.size() >= SemanticReach();
  semantic_floor_ =
      semantic_cut_ ? std::ranges::min_element(hits, {}, &VectorHit::score)->score : floor;
  semantic_.reserve(hits.size());
  for (const VectorHit& hit : hits) semantic_.push_back({hit.chunk, hit.score});
}

const Retrieval::Proposal* Retrieval::FindProposal(uint32_t chunk) const {
  const auto found = std::ranges::lower_bound(semantic_, chunk, {}, &Proposal::chunk);
  return found != semantic_.end() && found->chunk == chunk ? &*found : nullptr;
}

// Two unrelated vectors have a cosine of about 1/sqrt(dim) by chance. Beside a lexical retriever, a
// chunk that shares no word with the query must show more than that; with vectors whose components
// are but chance, as the hash embedder's, more than three times that.
float Retrieval::NoiseFloor() const {
  if (request_.mode == SearchMode::kSemantic) return 0;
  const float times = tools_.embedding->maker() == kHashEmbedder ? 3 : 1;
  return times / std::sqrt(static_cast<float>(tools_.space->dim()));
}

// +must and -not bind the answer, whichever retriever proposes a chunk; like every filter they
// apply inside the retriever, before its best are chosen.
void Retrieval::NarrowFilter() {
  required_ = lexical_.Required();
  if (required_) filter_.allowed = &*required_;
  removed_ = removed_.Or(lexical_.Excluded());
  if (!removed_.Empty()) filter_.removed = &removed_;
}

}  // namespace recall
