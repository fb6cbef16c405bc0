// Maximal marginal relevance (Carbonell and Goldstein, 1998): diversifies the ranking. The best hit
// comes first; then, repeatedly, the hit with the greatest marginal relevance to those selected.
//
// The original formula is a difference, lambda * relevance - (1 - lambda) * similarity, which
// requires both on the same scale. This stage uses a product:
//
//   score * (1 - (1 - lambda) * similarity to the most similar hit selected before)
//
// It needs no common scale, never raises an irrelevant hit, and is in [0, 1]. It never increases
// from one step to the next, because similarities only grow while hits are selected, so it can be
// the new score of the hit. lambda = 1 leaves the ranking unchanged.
//
// Similarity is the cosine of stem counts. It is available for every chunk, with or without a
// vector. Ties go to the hit that ranked higher before.
//
// Cost: O(n^2) cosines for n hits, because after each selection only the similarity to the hit just
// selected is computed and the maximum is kept. Each cosine merges two sorted lists of stems.

#include <algorithm>
#include <cmath>
#include <map>

#include "query/ask/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kMmrParameters[] = {
    {"lambda", StageParameter::Kind::kNumber, 0.7, 0, 1},
};

// A text as counts of its stems, by ascending stem number, and the Euclidean length of this vector.
struct Profile {
  std::vector<std::pair<uint32_t, double>> counts;
  double length = 0;
};

double Cosine(const Profile& a, const Profile& b) {
  if (!(a.length > 0 && b.length > 0)) return 0;
  double product = 0;
  auto j = b.counts.begin();
  for (const auto& [stem, count] : a.counts) {
    while (j != b.counts.end() && j->first < stem) ++j;
    if (j != b.counts.end() && j->first == stem) product += count * j->second;
  }
  return std::min(product / (a.length * b.length), 1.0);
}

class MmrStage final : public RankStage {
 public:
  explicit MmrStage(double lambda) : lambda_(lambda) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    std::vector<Profile> profiles;
    RECALL_TRY(ReadProfiles(context, hits, &profiles));
    const size_t count = hits.size();
    std::vector<double> nearest(count, 0);  // the greatest similarity to a selected hit
    std::vector<size_t> nearest_to(count, count);
    std::vector<bool> chosen(count, false);
    for (size_t step = 0; step < count; ++step) {
      size_t best = count;
      for (size_t i = 0; i < count; ++i) {
        if (chosen[i]) continue;
        // The hits are in ranking order, so of equal ones the first is selected.
        if (best == count || Marginal(hits[i], nearest[i]) > Marginal(hits[best], nearest[best])) {
          best = i;
        }
      }
      chosen[best] = true;
      for (size_t i = 0; i < count; ++i) {
        if (chosen[i]) continue;
        const double similarity = Cosine(profiles[i], profiles[best]);
        if (similarity <= nearest[i]) continue;
        nearest[i] = similarity;
        nearest_to[i] = best;
      }
    }
    for (size_t i = 0; i < count; ++i) {
      hits[i].fused.score = Marginal(hits[i], nearest[i]);
      if (nearest_to[i] == count) continue;
      RECALL_ASSIGN(const StageChunk* like,
                    context.Read(hits[nearest_to[i]].fused.candidate.chunk));
      hits[i].note = TwoDigits(nearest[i]) + " like " + like->row.doc->path + ":" +
                     std::to_string(like->row.chunk.start_line) + "-" +
                     std::to_string(like->row.chunk.end_line);
    }
    return Status::Ok();
  }

 private:
  double Marginal(const StagedHit& hit, double nearest) const {
    return hit.fused.score * (1 - (1 - lambda_) * nearest);
  }

  static Status ReadProfiles(StageContext& context, const std::vector<StagedHit>& hits,
                             std::vector<Profile>* profiles) {
    std::map<std::string, uint32_t, std::less<>> numbers;
    for (const StagedHit& hit : hits) {
      RECALL_ASSIGN(const StageChunk* chunk, context.Read(hit.fused.candidate.chunk));
      std::map<uint32_t, double> counts;
      for (const std::string& stem : chunk->stems) {
        counts[numbers.try_emplace(stem, static_cast<uint32_t>(numbers.size())).first->second] += 1;
      }
      Profile& profile = profiles->emplace_back();
      profile.counts.assign(counts.begin(), counts.end());
      double square = 0;
      for (const auto& [stem, times] : profile.counts) square += times * times;
      profile.length = std::sqrt(square);
    }
    return Status::Ok();
  }

  const double lambda_;
};

std::unique_ptr<RankStage> MakeMmrStage(std::span<const StageValue> values) {
  return std::make_unique<MmrStage>(values[0].number);
}

}  // namespace

const StageInfo kMmrStage = {"mmr", kMmrParameters, MakeMmrStage};

}  // namespace recall
