// The fourth step of a hybrid search: the best hundred are ranked again by all evidence.
//
// Problem. Some evidence is too expensive for every candidate: the words (character n-grams), and
// the similarity of candidates to each other.
//
// Idea. Cascade ranking: rank everything by cheap evidence, then the first hundred of that ranking,
// the window, by all evidence (query/ranking/rerank.cc has the formulas). The chunks that follow
// the window keep their first-stage order. Their scores are scaled so that the best of them stays
// below the last score of the window.
//
// Small stores. If the whole store fits into the window, chunks that no retriever proposes join it,
// because reading all of them costs nothing more. Almost every text shares some n-gram with the
// query by chance. Such a chunk is therefore removed again unless its n-gram score is more than 3 %
// of the upper bound.
//
// Invariants. The window does not depend on how many places are requested. Every score of the
// window is higher than every score after it. `size` counts the first-stage places that the window
// replaces.
//
// Cost: the words and vectors of a hundred chunks, about half a millisecond if the store is cached;
// where texts must be read, several milliseconds. The regularisation compares all pairs of the
// window.

#include "query/retrieval/reranked_window.h"

#include <algorithm>
#include <utility>

#include "query/retrieval/rerank_features.h"

namespace recall {
namespace {

// The share of score regularisation if the semantic weight is at least kSmoothingWeight of the sum
// of the weights; proportionally less below that.
constexpr double kSmoothing = 0.2;
constexpr double kSmoothingWeight = 0.2;
// The minimum n-gram score, as a share of the upper bound, of a chunk that no retriever proposes.
constexpr double kLeastNgrams = 0.03;

bool Contains(const std::vector<uint32_t>& chunks, uint32_t chunk) {
  return std::ranges::count(chunks, chunk) > 0;
}

// Appends the chunks that pass the filter and that no retriever proposes.
Status AddUnproposed(const Snapshot& snapshot, const RetrievalPlan& plan, const RetrieverHits& hits,
                     const CandidatePool& pool, const std::vector<uint32_t>& proposed,
                     std::vector<ScoredChunk>& window) {
  const ChunkFilter filter = hits.filter(plan);
  const auto joins = [&](uint32_t chunk) {
    return filter.Passes(chunk) && !Contains(proposed, chunk);
  };
  std::vector<RetrieverHit> others;
  RECALL_TRY(snapshot.texts().ScanLiveChunks([&](RowSpan rows) {
    for (uint32_t i = 0; i < rows.count; ++i) {
      if (joins(rows.first + i)) others.push_back({rows.first + i, 0});
    }
  }));
  RECALL_ASSIGN(const std::vector<Candidate> candidates,
                ScoreByBoth(plan, hits, std::move(others)));
  for (const Candidate& candidate : candidates) {
    if (joins(candidate.chunk)) window.push_back(pool.scale.Fuse(candidate));
  }
  return Status::Ok();
}

// Removes the chunks that no retriever proposes and that share almost no n-gram with the query.
// Returns: the unproposed chunks that remain.
Bitmap KeepSimilar(const std::vector<uint32_t>& proposed, RerankFeatures& features) {
  const double least = kLeastNgrams * features.ngram_upper_bound.value_or(0);
  Bitmap kept;
  std::erase_if(features.items, [&](const RerankItem& item) {
    const uint32_t chunk = item.candidate.chunk;
    if (Contains(proposed, chunk)) return false;
    if (item.ngrams.value_or(0) <= least) return true;
    kept.Add(chunk);
    return false;
  });
  return kept;
}

RerankOptions OptionsOf(const RetrievalPlan& plan, const RetrieverHits& hits,
                        const CandidatePool& pool, const RerankFeatures& features) {
  const double lexical = plan.weights.lexical;
  const double semantic = plan.weights.semantic * pool.semantic_confidence;
  RerankOptions options;
  options.ngram_weight = features.ngram_upper_bound ? lexical * (1 - kLexicalShare) : 0;
  options.lexical_weight = lexical - options.ngram_weight;
  options.semantic_weight = semantic;
  options.lexical_upper_bound = hits.score_upper_bound();
  options.ngram_upper_bound = features.ngram_upper_bound.value_or(0);
  options.smoothing =
      kSmoothing * std::min(semantic / (lexical + semantic) / kSmoothingWeight, 1.0);
  return options;
}

}  // namespace

ScoredChunk RerankedWindow::Below(ScoredChunk scored) const {
  scored.parts.lexical *= below_factor;
  scored.parts.semantic *= below_factor;
  scored.score = scored.parts.Sum() * reranking.calibration;
  return scored;
}

Result<std::optional<RerankedWindow>> RerankWindow(const Snapshot& snapshot,
                                                   const RetrievalPlan& plan,
                                                   const RetrieverHits& hits,
                                                   const CandidatePool& pool) {
  RECALL_ASSIGN(std::vector<ScoredChunk> window, RankFirstStage(plan, hits, pool, kWindowSize));
  window.resize(std::min(window.size(), kWindowSize));
  RerankedWindow result;
  for (const ScoredChunk& scored : window) {
    result.first_stage_order.push_back(scored.candidate.chunk);
  }
  if (plan.chunks <= static_cast<int64_t>(kWindowSize)) {
    RECALL_TRY(AddUnproposed(snapshot, plan, hits, pool, result.first_stage_order, window));
  }
  if (window.empty()) return std::nullopt;
  result.size = window.size();
  RECALL_ASSIGN(
      RerankFeatures features,
      ReadRerankFeatures(snapshot.texts(), *hits.vectors, plan.query.wanted, window, plan.threads));
  result.unproposed = KeepSimilar(result.first_stage_order, features);
  result.reranking = Rerank(features.items, plan.vector, OptionsOf(plan, hits, pool, features));
  const std::vector<ScoredChunk>& ranking = result.reranking.ranking;
  if (!ranking.empty() && window.back().parts.Sum() > 0) {
    result.below_factor = kBelowWindow * ranking.back().parts.Sum() / window.back().parts.Sum();
  }
  return result;
}

}  // namespace recall
