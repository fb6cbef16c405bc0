// Ranks by words, meaning and triggers (query/ask/ranking/parts_fusion.cc has the formula).
//
// Problem. Triggers are a third retriever, and what it says belongs to a document, not to a chunk.
//
// Idea. The triggers are read from the index of the metadata, where the filter is applied to each
// before anything is compared. The first chunk of a document stands for its triggers: it has the
// card, so it is the text that they are printed in, and a note of many chunks is proposed once.
// Every candidate is then scored by all three.
//
// Invariants. The ranking is whole, so it does not depend on the page. The cosine of a candidate
// is its own, whichever retriever proposes it. Without a vector of the question (a store without
// vectors, a model that knows none of its words) no chunk has a meaning.
//
// Cost: all matches and all triggers are scored, as with reciprocal rank fusion; a look at the
// vector of each candidate whose cosine is 0, to know whether there is one.

#include "query/ask/retrieval/parts_ranking.h"

#include <algorithm>
#include <iterator>

#include "query/ask/retrieval/trigger_matches.h"

namespace recall {
namespace {

Result<std::vector<TriggerHit>> FindTriggers(const Snapshot& snapshot, const RetrievalPlan& plan,
                                             const RetrieverHits& hits) {
  const ChunkFilter filter = hits.filter(plan);
  TriggerMatches matches(plan.query.wanted);
  RECALL_TRY(snapshot.texts().ScanMetadata(kTriggerKey, [&](std::string_view phrase, RowSpan span) {
    if (span.count > 0 && filter.Passes(span.first)) matches.Add(span.first, phrase);
  }));
  return std::move(matches).Finish();
}

std::vector<uint32_t> Union(const std::vector<RetrieverHit>& lexical,
                            const std::vector<RetrieverHit>& semantic,
                            const std::vector<TriggerHit>& triggers) {
  std::vector<uint32_t> chunks;
  chunks.reserve(lexical.size() + semantic.size() + triggers.size());
  for (const RetrieverHit& hit : lexical) chunks.push_back(hit.chunk);
  for (const RetrieverHit& hit : semantic) chunks.push_back(hit.chunk);
  for (const TriggerHit& hit : triggers) chunks.push_back(hit.chunk);
  std::ranges::sort(chunks);
  const auto repeated = std::ranges::unique(chunks);
  chunks.erase(repeated.begin(), repeated.end());
  return chunks;
}

// The cosine of each chunk; unset for a chunk without a vector, and for all without a vector of the
// question.
Result<std::vector<std::optional<double>>> Cosines(const RetrievalPlan& plan,
                                                   const RetrieverHits& hits,
                                                   const std::vector<uint32_t>& chunks) {
  std::vector<std::optional<double>> cosines(chunks.size());
  if (!plan.semantic || plan.vector.zero) return cosines;
  RECALL_ASSIGN(const std::vector<float> scores, hits.vectors->Score(chunks));
  std::vector<uint32_t> unsure;
  std::vector<size_t> places;
  for (size_t i = 0; i < chunks.size(); ++i) {
    if (scores[i] != 0) {
      cosines[i] = scores[i];
    } else {
      unsure.push_back(chunks[i]);
      places.push_back(i);
    }
  }
  RECALL_ASSIGN(const ChunkComponents vectors, hits.vectors->Components(unsure));
  for (size_t i = 0; i < unsure.size(); ++i) {
    if (vectors.views[i].scale != 0) cosines[places[i]] = 0;
  }
  return cosines;
}

}  // namespace

Result<PartsRanking> RankByParts(const Snapshot& snapshot, const RetrievalPlan& plan,
                                 const RetrieverHits& hits) {
  RECALL_ASSIGN(const std::vector<RetrieverHit> lexical, hits.LexicalAtLeast(0));
  RECALL_ASSIGN(const std::vector<TriggerHit> triggers, FindTriggers(snapshot, plan, hits));
  const std::vector<uint32_t> chunks = Union(lexical, hits.semantic, triggers);
  RECALL_ASSIGN(const auto cosines, Cosines(plan, hits, chunks));
  PartsRanking result;
  result.triggered = triggers.size();
  result.ranking.reserve(chunks.size());
  auto word_hit = lexical.begin();
  auto trigger_hit = triggers.begin();
  for (size_t i = 0; i < chunks.size(); ++i) {
    const uint32_t chunk = chunks[i];
    Candidate candidate{chunk, 0, cosines[i].value_or(0)};
    if (word_hit != lexical.end() && word_hit->chunk == chunk) {
      candidate.lexical = (word_hit++)->score;
    }
    PartEvidence evidence;
    evidence.words = ShareOf(candidate.lexical, hits.score_upper_bound());
    if (cosines[i]) evidence.meaning = std::clamp(*cosines[i], 0.0, 1.0);
    if (trigger_hit != triggers.end() && trigger_hit->chunk == chunk) {
      evidence.triggers = (trigger_hit++)->score;
    }
    const ScoredChunk scored = FuseParts(candidate, evidence, plan.parts);
    if (!(scored.score > 0)) continue;
    result.ranking.push_back(scored);
    result.chunks.push_back(chunk);
    result.evidence.push_back(evidence);
  }
  std::ranges::sort(result.ranking, ComesBefore);
  return result;
}

}  // namespace recall
