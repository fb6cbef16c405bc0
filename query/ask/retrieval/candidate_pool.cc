// The third step of a search: fuses the hits of both retrievers into one ranking.
//
// Problem. The fused order needs both scores of every candidate, but a frequent term matches most
// of a store, and scoring all matches to show ten would take longer than everything else.
//
// Idea. The threshold algorithm (Fagin, Lotem, Naor: Optimal aggregation algorithms for middleware,
// PODS 2001; Journal of Computer and System Sciences 66, 2003). Take the best of each retriever and
// score them by both. A chunk outside this pool has at most the BM25 of the last lexical hit taken,
// and counts with at most the semantic floor. Fused, these two are an upper bound of every chunk
// outside the pool. Places whose score exceeds the bound are final. If too few places are final,
// the bound is inverted by bisection: which BM25 would lift a chunk outside the pool to the last
// requested place? All matches that reach this BM25 join the pool, and the places above the new
// bound are final. A request for all places down to a score inverts the bound at once.
//
// Invariants. The scale (fusion.h) always comes from the initial pool, 300 lexical hits and all
// semantic ones. Scores and order therefore do not depend on the number of requested places, and
// consecutive pages fit together. FusionScale::Fuse is monotonic in both scores; the bound relies
// on it. Every function here is pure: a deeper request computes a larger pool and keeps nothing.
//
// Reciprocal rank fusion has no useful bound of this kind, because the rank of a chunk depends on
// all chunks before it. All candidates are ranked.
//
// Cost: O(300 + semantic hits) scores for the initial pool, which serves most queries. Deepening
// scores the matches above the inverted bound.

#include "query/ask/retrieval/candidate_pool.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "query/ask/ranking/reciprocal_rank.h"
#include "query/ask/ranking/semantic_confidence.h"

namespace recall {
namespace {

// The number of best lexical hits whose cosines decide the semantic confidence.
constexpr size_t kConfidenceDepth = 200;

// Returns: the semantic confidence, computed from the cosines of the best lexical hits.
double Confidence(const CandidatePool& pool) {
  std::vector<double> cosines;
  for (const RetrieverHit& hit : pool.lexical) {
    if (cosines.size() == kConfidenceDepth) break;
    cosines.push_back(
        std::ranges::lower_bound(pool.candidates, hit.chunk, {}, &Candidate::chunk)->semantic);
  }
  return SemanticConfidence(cosines);
}

FusionScale ScaleOf(const RetrievalPlan& plan, const RetrieverHits& hits,
                    const CandidatePool& pool) {
  const FusionWeights& weights = plan.weights;
  const double bound = hits.score_upper_bound();
  if (!plan.scales_by_best()) {
    return FusionScale::Absolute({.lexical_weight = weights.lexical,
                                  .semantic_weight = weights.semantic,
                                  .lexical_upper_bound = bound});
  }
  if (!plan.hybrid()) {
    return FusionScale(pool.candidates, {.lexical_weight = plan.semantic ? 0.0 : 1.0,
                                         .semantic_weight = plan.lexical ? 0.0 : 1.0,
                                         .lexical_upper_bound = bound});
  }
  return FusionScale(pool.candidates,
                     {.lexical_weight = weights.lexical * kLexicalShare,
                      .semantic_weight = weights.semantic * pool.semantic_confidence,
                      .lexical_upper_bound = bound});
}

// Returns: a BM25, as high as possible and at most `high`, with which a chunk that the semantic
// retriever does not propose scores less than `fused`; 0 if there is none. MostUnproposed is
// monotonic in BM25, so bisection finds it.
double LexicalBelow(const RetrieverHits& hits, const CandidatePool& pool, double fused,
                    double high) {
  double low = 0;
  if (MostUnproposed(hits, pool, low) >= fused) return 0;
  constexpr int kSteps = 50;
  for (int step = 0; step < kSteps; ++step) {
    const double middle = low + (high - low) / 2;
    (MostUnproposed(hits, pool, middle) < fused ? low : high) = middle;
  }
  return low;
}

}  // namespace

Result<CandidatePool> MakeCandidatePool(const RetrievalPlan& plan, const RetrieverHits& hits) {
  CandidatePool pool;
  RECALL_ASSIGN(pool.lexical, hits.TopLexical(kFirstDepth));
  RECALL_ASSIGN(pool.candidates, ScoreByBoth(plan, hits, pool.lexical));
  if (plan.hybrid() && plan.scales_by_best()) {
    pool.semantic_confidence = Confidence(pool);
  }
  pool.scale = ScaleOf(plan, hits, pool);
  RECALL_ASSIGN(pool.proposed, CountProposed(hits));
  return pool;
}

Result<std::vector<Candidate>> ScoreByBoth(const RetrievalPlan& plan, const RetrieverHits& hits,
                                           std::vector<RetrieverHit> lexical) {
  std::erase_if(lexical, [&](const RetrieverHit& hit) { return hits.FindSemantic(hit.chunk); });
  std::ranges::sort(lexical, {}, &RetrieverHit::chunk);
  std::vector<uint32_t> chunks;
  chunks.reserve(std::max(lexical.size(), hits.semantic.size()));
  for (const RetrieverHit& hit : lexical) chunks.push_back(hit.chunk);
  std::vector<float> cosines(chunks.size());
  if (plan.semantic) {
    RECALL_ASSIGN(cosines, hits.vectors->Score(chunks));
  }
  chunks.clear();
  for (const RetrieverHit& hit : hits.semantic) chunks.push_back(hit.chunk);
  RECALL_ASSIGN(const std::vector<double> scores, hits.LexicalScores(chunks));

  std::vector<Candidate> candidates;
  candidates.reserve(lexical.size() + hits.semantic.size());
  size_t proposed = 0;
  const auto take_proposed = [&] {
    const RetrieverHit& hit = hits.semantic[proposed];
    candidates.push_back({hit.chunk, scores[proposed], hit.score});
    ++proposed;
  };
  for (size_t i = 0; i < lexical.size(); ++i) {
    while (proposed < hits.semantic.size() && hits.semantic[proposed].chunk < lexical[i].chunk) {
      take_proposed();
    }
    const double cosine = std::min<double>(cosines[i], hits.semantic_floor);
    candidates.push_back({lexical[i].chunk, lexical[i].score, cosine});
  }
  while (proposed < hits.semantic.size()) take_proposed();
  return candidates;
}

double MostOutside(const RetrieverHits& hits, const CandidatePool& pool) {
  if (pool.lexical.size() >= hits.matches()) return 0;
  return pool.scale.Fuse({0, pool.lexical.back().score, hits.semantic_floor}).parts.Sum();
}

double MostUnproposed(const RetrieverHits& hits, const CandidatePool& pool, double lexical) {
  return pool.scale.Fuse({0, lexical, hits.semantic_floor}).score;
}

Result<std::vector<ScoredChunk>> RankFirstStage(const RetrievalPlan& plan,
                                                const RetrieverHits& hits,
                                                const CandidatePool& pool, size_t count) {
  const size_t depth = std::max(kFirstDepth, count);
  const bool deeper = depth > kFirstDepth;
  std::vector<RetrieverHit> more;
  std::vector<Candidate> candidates;
  if (deeper) {
    RECALL_ASSIGN(more, hits.TopLexical(depth));
    RECALL_ASSIGN(candidates, ScoreByBoth(plan, hits, more));
  }
  std::vector<ScoredChunk> ranking =
      FuseCandidates(deeper ? candidates : pool.candidates, pool.scale, count);
  if (depth >= hits.matches()) return ranking;
  const double worst = deeper ? more.back().score : pool.lexical.back().score;
  double unseen = MostUnproposed(hits, pool, worst);
  if (ranking.size() < count || ranking[count - 1].score <= unseen) {
    const double last = ranking.size() < count ? 0 : ranking[count - 1].score;
    const double least = LexicalBelow(hits, pool, last, worst);
    RECALL_ASSIGN(std::vector<RetrieverHit> reach, hits.LexicalAtLeast(least));
    RECALL_ASSIGN(candidates, ScoreByBoth(plan, hits, std::move(reach)));
    ranking = FuseCandidates(candidates, pool.scale, count);
    if (!(least > 0)) return ranking;
    unseen = MostUnproposed(hits, pool, least);
  }
  const auto end = std::ranges::find_if(
      ranking, [&](const ScoredChunk& scored) { return scored.score <= unseen; });
  ranking.erase(end, ranking.end());
  return ranking;
}

Result<std::vector<ScoredChunk>> RankFirstStageDownTo(const RetrievalPlan& plan,
                                                      const RetrieverHits& hits,
                                                      const CandidatePool& pool, double least) {
  std::vector<Candidate> all;
  const std::vector<Candidate>* candidates = &pool.candidates;
  if (pool.lexical.size() < hits.matches()) {
    const double bound = LexicalBelow(hits, pool, least, pool.lexical.front().score);
    if (bound < pool.lexical.back().score) {
      RECALL_ASSIGN(std::vector<RetrieverHit> reach, hits.LexicalAtLeast(bound));
      RECALL_ASSIGN(all, ScoreByBoth(plan, hits, std::move(reach)));
      candidates = &all;
    }
  }
  std::vector<ScoredChunk> ranking = FuseCandidates(*candidates, pool.scale, candidates->size());
  EraseBelow(least, ranking);
  return ranking;
}

int64_t RankIn(const std::vector<RetrieverHit>& ranking, const RetrieverHit& hit) {
  return std::ranges::lower_bound(ranking, hit, IsBetter) - ranking.begin() + 1;
}

std::vector<uint32_t> RanksOf(const std::vector<RetrieverHit>& hits) {
  std::vector<uint32_t> order(hits.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, IsBetter, [&](uint32_t i) { return hits[i]; });
  std::vector<uint32_t> ranks(order.size());
  for (uint32_t rank = 0; rank < order.size(); ++rank) ranks[order[rank]] = rank + 1;
  return ranks;
}

namespace {

// A document in the ranking of one retriever.
struct DocumentPlace {
  size_t rank = 0;     // from 1
  uint32_t chunk = 0;  // its best chunk
};
using DocumentPlaces = std::map<int64_t, DocumentPlace>;  // by document rowid

// The first `depth` documents of a ranking of chunks.
Result<DocumentPlaces> FirstDocuments(const std::vector<RetrieverHit>& best_first, size_t depth,
                                      const TextsAndFacts& texts) {
  DocumentPlaces places;
  for (const RetrieverHit& hit : best_first) {
    if (places.size() == depth) break;
    RECALL_ASSIGN(const ChunkRow row, texts.ReadChunk(hit.chunk));
    places.try_emplace(row.doc_row, DocumentPlace{places.size() + 1, hit.chunk});
  }
  return places;
}

// The ranking of the documents that are among the first ones of a retriever, unsorted.
// `candidates`: all, by chunk rowid.
Result<std::vector<ScoredChunk>> FuseDocuments(const RetrieverHits& hits,
                                               const std::vector<RetrieverHit>& lexical_ranking,
                                               const std::vector<Candidate>& candidates,
                                               size_t depth, const TextsAndFacts& texts) {
  std::vector<RetrieverHit> semantic_ranking = hits.semantic;
  std::ranges::sort(semantic_ranking, IsBetter);
  RECALL_ASSIGN(const DocumentPlaces lexical, FirstDocuments(lexical_ranking, depth, texts));
  RECALL_ASSIGN(DocumentPlaces semantic, FirstDocuments(semantic_ranking, depth, texts));
  std::vector<ScoredChunk> ranking;
  const auto add = [&](uint32_t chunk, size_t lexical_rank, size_t semantic_rank) {
    const auto found = std::ranges::lower_bound(candidates, chunk, {}, &Candidate::chunk);
    ranking.push_back(FuseReciprocalRanks(*found, lexical_rank, semantic_rank));
  };
  for (const auto& [doc, place] : lexical) {
    const auto other = semantic.find(doc);
    add(place.chunk, place.rank, other == semantic.end() ? 0 : other->second.rank);
    semantic.erase(doc);
  }
  for (const auto& [doc, place] : semantic) add(place.chunk, 0, place.rank);
  return ranking;
}

}  // namespace

Result<ReciprocalRanking> RankReciprocally(const RetrievalPlan& plan, const RetrieverHits& hits,
                                           const TextsAndFacts* texts) {
  ReciprocalRanking result;
  RECALL_ASSIGN(result.lexical_ranking, hits.TopLexical(hits.matches()));
  result.semantic_ranks = RanksOf(hits.semantic);
  RECALL_ASSIGN(const std::vector<Candidate> candidates,
                ScoreByBoth(plan, hits, result.lexical_ranking));
  if (plan.leg_depth > 0) {
    RECALL_ASSIGN(result.ranking,
                  FuseDocuments(hits, result.lexical_ranking, candidates, plan.leg_depth, *texts));
    std::ranges::sort(result.ranking, ComesBefore);
    return result;
  }
  result.ranking.reserve(candidates.size());
  for (const Candidate& candidate : candidates) {
    size_t lexical_rank = 0;
    if (candidate.lexical > 0) {
      lexical_rank =
          static_cast<size_t>(RankIn(result.lexical_ranking, {candidate.chunk, candidate.lexical}));
    }
    const RetrieverHit* const semantic = hits.FindSemantic(candidate.chunk);
    const size_t semantic_rank =
        semantic ? result.semantic_ranks[static_cast<size_t>(semantic - hits.semantic.data())] : 0;
    result.ranking.push_back(FuseReciprocalRanks(candidate, lexical_rank, semantic_rank));
  }
  std::erase_if(result.ranking, [](const ScoredChunk& scored) { return !(scored.score > 0); });
  std::ranges::sort(result.ranking, ComesBefore);
  return result;
}

}  // namespace recall
