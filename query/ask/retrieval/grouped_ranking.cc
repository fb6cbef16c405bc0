// Ranks documents by words and meaning.
//
//   w(d) = BM25 of the best chunk of d          of the 200 documents with the best chunks; else 0
//   m(d) = cosine of the vector of d            at least 0
//   score = words * w(d) / max w + meaning * m(d) / max m     a part whose maximum is 0 adds
//   nothing
//
// Problem. A conversation is many chunks, and the answer wanted is the conversation. A long one
// would take all places of a ranking of chunks, and none of its chunks says what it is about.
//
// Idea. The documents are those with a chunk that passes the filter. The best chunk of a document
// stands for it; for one without words of the question, its first chunk that passes. The vector of
// a document is the sum of the vectors of all its chunks, divided by its length: it follows from
// what is stored, in every snapshot and for every model, so nothing more needs to be kept up to
// date. The cosine is taken from one pass over the vectors of these documents.
//
// Invariants. The filter decides which documents there are before anything is ranked. The ranking
// is whole, so it does not depend on the page. If a chunk of these documents lacks its vector, no
// document has a cosine: the ranking is by words, and says how many are missing. Sums are taken in
// the order of the chunks, component by component, so they are the same on every CPU.
//
// Cost: BM25 of all matches, and one pass over the vectors of all chunks of the documents that
// pass: 14 ms for 100,000 chunks with 256 dimensions, nearly all of which match.

#include "query/ask/retrieval/grouped_ranking.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "query/ask/ranking/fusion.h"
#include "simd/kernels.h"

namespace recall {
namespace {

// So many documents have words; what more match are not good matches.
constexpr size_t kMostWithWords = 200;

struct Group {
  uint32_t first = 0;  // chunk rowid of the document
  uint32_t count = 0;  // of its chunks
  uint32_t shown = 0;  // the chunk that stands for it
  double words = 0;    // BM25
  double meaning = 0;  // cosine
};

// The documents with a chunk that passes the filter, by chunk rowid.
Result<std::vector<Group>> FindGroups(const Snapshot& snapshot, const ChunkFilter& filter) {
  std::vector<Group> groups;
  RECALL_TRY(snapshot.texts().ScanLiveChunks([&](RowSpan span) {
    if (span.count == 0) return;
    if (filter.allowed &&
        filter.allowed->CountRange(span.first, span.first + span.count - 1) == 0) {
      return;
    }
    for (uint32_t chunk = span.first; chunk < span.first + span.count; ++chunk) {
      if (!filter.Passes(chunk)) continue;
      groups.push_back({span.first, span.count, chunk, 0, 0});
      return;
    }
  }));
  std::ranges::sort(groups, {}, &Group::first);
  return groups;
}

// Sets `words` and `shown` of the documents with the best matches. `hits`: by chunk rowid.
void SetWords(const std::vector<RetrieverHit>& hits, std::vector<Group>* groups) {
  auto group = groups->begin();
  for (const RetrieverHit& hit : hits) {
    while (group != groups->end() && group->first + group->count <= hit.chunk) ++group;
    if (group == groups->end()) break;
    if (hit.chunk < group->first || !(hit.score > group->words)) continue;
    group->words = hit.score;
    group->shown = hit.chunk;
  }
  std::vector<double> scores;
  for (const Group& with : *groups) {
    if (with.words > 0) scores.push_back(with.words);
  }
  if (scores.size() <= kMostWithWords) return;
  std::ranges::nth_element(scores, scores.begin() + kMostWithWords - 1, std::greater<>());
  const double least = scores[kMostWithWords - 1];
  for (Group& with : *groups) {
    if (with.words < least) with.words = 0;
  }
}

// Sets `meaning`, unless vectors are missing. Returns: how many.
Result<int64_t> SetMeanings(const RetrievalPlan& plan, const RetrieverHits& hits,
                            std::vector<Group>* groups) {
  if (!plan.semantic || plan.vector.zero || !hits.vectors) return 0;
  std::vector<uint32_t> chunks;
  for (const Group& group : *groups) {
    for (uint32_t i = 0; i < group.count; ++i) chunks.push_back(group.first + i);
  }
  const auto read = hits.vectors->Components(chunks);
  if (!read) {
    const int64_t missing = hits.vectors->CountWithoutVector(chunks);
    return missing > 0 ? Result<int64_t>(missing) : Fail(read.error());
  }
  const ChunkComponents& vectors = *read;
  const std::vector<float> query(plan.vector.values.begin(), plan.vector.values.end());
  std::vector<float> sum(query.size());
  size_t next = 0;
  for (Group& group : *groups) {
    std::ranges::fill(sum, 0.0F);
    for (uint32_t i = 0; i < group.count; ++i, ++next) {
      const ChunkComponents::View& view = vectors.views[next];
      if (view.scale == 0 || view.values.size() != sum.size()) continue;
      AddScaledI8(sum.data(), view.scale, reinterpret_cast<const uint8_t*>(view.values.data()),
                  sum.size());
    }
    const uint32_t last = group.first + group.count - 1;
    if (hits.worded && hits.worded->CountRange(group.first, last) == 0) continue;
    const double length = std::sqrt(double{DotF32(sum.data(), sum.data(), sum.size())});
    if (!(length > 0)) continue;
    const double dot = double{DotF32(query.data(), sum.data(), sum.size())} * plan.vector.scale;
    group.meaning = std::clamp(dot / length, 0.0, 1.0);
  }
  return 0;
}

double Greatest(const std::vector<Group>& groups, double Group::*value) {
  double greatest = 0;
  for (const Group& group : groups) greatest = std::max(greatest, group.*value);
  return greatest;
}

}  // namespace

Result<PartsRanking> RankGrouped(const Snapshot& snapshot, const RetrievalPlan& plan,
                                 const RetrieverHits& hits) {
  RECALL_ASSIGN(std::vector<Group> groups, FindGroups(snapshot, hits.filter(plan)));
  RECALL_ASSIGN(std::vector<RetrieverHit> lexical, hits.LexicalAtLeast(0));
  std::ranges::sort(lexical, {}, &RetrieverHit::chunk);
  SetWords(lexical, &groups);
  PartsRanking result;
  RECALL_ASSIGN(result.without_vector, SetMeanings(plan, hits, &groups));
  const double most_words = Greatest(groups, &Group::words);
  const double most_meaning = Greatest(groups, &Group::meaning);
  for (const Group& group : groups) {
    PartEvidence parts;
    parts.words = ShareOf(group.words, most_words);
    parts.meaning = ShareOf(group.meaning, most_meaning);
    const ScoredChunk scored =
        FuseParts({group.shown, group.words, group.meaning}, parts, plan.parts);
    if (!(scored.score > 0)) continue;
    result.ranking.push_back(scored);
    result.chunks.push_back(group.shown);
    result.evidence.push_back(parts);
  }
  std::ranges::sort(result.ranking, ComesBefore);
  return result;
}

Result<std::vector<uint32_t>> FirstChunks(const Snapshot& snapshot, const Bitmap* allowed) {
  RECALL_ASSIGN(const std::vector<Group> groups, FindGroups(snapshot, {allowed, nullptr}));
  std::vector<uint32_t> chunks;
  chunks.reserve(groups.size());
  for (const Group& group : groups) chunks.push_back(group.shown);
  return chunks;
}

}  // namespace recall
