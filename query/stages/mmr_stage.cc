// Maximal marginal relevance (Carbonell and Goldstein, 1998): the best hit first, then always the
// one that says most beyond what stands above it. In the form of a product:
//   score * (1 - (1 - lambda) * similarity to the most similar hit above)
// because that needs no scale between scores and similarities, lifts nothing that is not to the
// point, and only falls as the ranking goes on, so that it is a score itself.

#include <algorithm>
#include <cmath>
#include <map>

#include "query/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kMmrParameters[] = {
    {"lambda", StageParameter::Kind::kNumber, 0.7, 0, 1},
};

// A text as counts of its stems, ascending, with the length of that vector.
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
    std::vector<double> nearest(count, 0);  // similarity to what was chosen
    std::vector<size_t> nearest_to(count, count);
    std::vector<bool> chosen(count, false);
    for (size_t step = 0; step < count; ++step) {
      size_t best = count;
      for (size_t i = 0; i < count; ++i) {
        if (chosen[i]) continue;
        // Hits come best first, by chunk rowid where they are equal; so do these.
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

std::unique_ptr<RankStage> MakeMmrStage(std::span<const double> values) {
  return std::make_unique<MmrStage>(values[0]);
}

}  // namespace

const StageInfo kMmrStage = {"mmr", kMmrParameters, MakeMmrStage};

}  // namespace recall
