// The fourth step of a hybrid search: the best candidates are ranked again by all evidence.
//
// Problem. Some evidence is too expensive for every candidate: the words (character n-grams), and
// the similarity of candidates to each other.
//
// Idea. Cascade ranking: rank everything by cheap evidence, then the best 300 of the initial pool,
// the window, by all evidence (query/ask/ranking/rerank.cc has the formulas). The chunks that
// follow the window keep their first-stage order. Their scores are scaled so that the best of them
// stays below the last score of the window.
//
// Small stores. In a store of at most a hundred chunks, those that no retriever proposes join the
// window, because reading all of them costs little. Almost every text shares some n-gram with the
// query by chance. Such a chunk is therefore removed again unless its n-gram score is more than 3 %
// of the upper bound.
//
// Invariants. The window does not depend on how many places are requested. Every score of the
// window is higher than every score after it. A chunk outside the pool may score higher in the
// first stage than the last of the window; deepening the pool to exclude this would cost more than
// the chunk is worth.
//
// Cost: the words and vectors of 300 chunks, about a millisecond if the store is cached; where
// texts must be read, some ten milliseconds. The regularisation compares all pairs of the window.

#include "query/ask/retrieval/reranked_window.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "query/ask/retrieval/rerank_features.h"

namespace recall {
namespace {

// The share of score regularisation if the semantic weight is at least kSmoothingWeight of the sum
// of the weights; proportionally less below that.
constexpr double kSmoothing = 0.2;
constexpr double kSmoothingWeight = 0.2;
// The minimum n-gram score, as a share of the upper bound, of a chunk that no retriever proposes.
constexpr double kLeastNgrams = 0.03;
// The largest store in which chunks that no retriever proposes join the window.
constexpr int64_t kSmallStore = 100;

static_assert(kWindowSize <= kFirstDepth, "the pool contains the window");

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
  if (features.items.size() == proposed.size()) return {};
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

double RerankedWindow::FirstStageScore(double score, const FusionScale& scale) const {
  const double factor = below_factor * reranking.calibration;
  if (!(factor > 0)) return 1;
  // Lowered slightly, so that rounding excludes no chunk that scores exactly `score`.
  const double quotient = score / factor * scale.calibration() * (1 - 1e-9);
  return std::clamp(quotient, std::numeric_limits<double>::min(), 1.0);
}

std::vector<ScoredChunk> RerankedWindow::With(const std::vector<ScoredChunk>& first_stage) const {
  std::vector<ScoredChunk> ranking = reranking.ranking;
  const Bitmap reranked = Bitmap::Of(first_stage_order);
  for (const ScoredChunk& scored : first_stage) {
    if (!reranked.Contains(scored.candidate.chunk)) ranking.push_back(Below(scored));
  }
  return ranking;
}

Result<std::optional<RerankedWindow>> RerankWindow(const Snapshot& snapshot,
                                                   const RetrievalPlan& plan,
                                                   const RetrieverHits& hits,
                                                   const CandidatePool& pool) {
  std::vector<ScoredChunk> window = FuseCandidates(pool.candidates, pool.scale, kWindowSize);
  window.resize(std::min(window.size(), kWindowSize));
  RerankedWindow result;
  for (const ScoredChunk& scored : window) {
    result.first_stage_order.push_back(scored.candidate.chunk);
  }
  double below = MostOutside(hits, pool);
  if (!window.empty()) below = std::max(below, window.back().parts.Sum());
  if (plan.chunks <= kSmallStore) {
    RECALL_TRY(AddUnproposed(snapshot, plan, hits, pool, result.first_stage_order, window));
  }
  if (window.empty()) return std::nullopt;
  RECALL_ASSIGN(
      RerankFeatures features,
      ReadRerankFeatures(snapshot.texts(), *hits.vectors, plan.query.wanted, window, plan.threads));
  result.unproposed = KeepSimilar(result.first_stage_order, features);
  result.reranking = Rerank(features.items, plan.vector, OptionsOf(plan, hits, pool, features),
                            FindNeighbours(features.items));
  const std::vector<ScoredChunk>& ranking = result.reranking.ranking;
  if (!ranking.empty() && below > 0) {
    result.below_factor = kBelowWindow * ranking.back().parts.Sum() / below;
  }
  return result;
}

}  // namespace recall
