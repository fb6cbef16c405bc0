// Texts that say the same are shown once: by the hit that ranks highest, which stands for the
// others. Texts are compared by their runs of four stems (shingles; Broder, 1997): the share that
// both have of those that either has.

#include <algorithm>

#include "query/stages/stage.h"

namespace recall {
namespace {

constexpr StageParameter kNearDuplicatesParameters[] = {
    {"threshold", StageParameter::Kind::kNumber, 0.8, 0.1, 1},
};

constexpr size_t kRun = 4;

using Shingles = std::vector<std::string>;  // ascending, each once

// Of a text that is shorter than one run, all of it; of one without stems, none.
Shingles ShinglesOf(const std::vector<std::string>& stems) {
  Shingles shingles;
  const size_t run = std::min(kRun, stems.size());
  for (size_t begin = 0; run > 0 && begin + run <= stems.size(); ++begin) {
    std::string shingle;
    for (size_t i = begin; i < begin + run; ++i) shingle += stems[i] + " ";
    shingles.push_back(std::move(shingle));
  }
  std::ranges::sort(shingles);
  shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
  return shingles;
}

double Resemblance(const Shingles& a, const Shingles& b) {
  size_t both = 0;
  auto j = b.begin();
  for (const std::string& shingle : a) {
    while (j != b.end() && *j < shingle) ++j;
    if (j != b.end() && *j == shingle) ++both;
  }
  const size_t either = a.size() + b.size() - both;
  return either == 0 ? 0 : static_cast<double>(both) / static_cast<double>(either);
}

class NearDuplicatesStage final : public RankStage {
 public:
  explicit NearDuplicatesStage(double threshold) : threshold_(threshold) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    std::vector<StagedHit> kept;
    std::vector<Shingles> shingles;  // beside `kept`
    for (StagedHit& hit : hits) {
      RECALL_ASSIGN(const StageChunk* chunk, context.Read(hit.fused.candidate.chunk));
      Shingles own = ShinglesOf(chunk->stems);
      size_t first = 0;
      while (first < kept.size() && Resemblance(own, shingles[first]) < threshold_) ++first;
      if (first == kept.size()) {
        kept.push_back(std::move(hit));
        shingles.push_back(std::move(own));
        continue;
      }
      std::vector<uint32_t>& others = kept[first].stands_for;
      others.push_back(hit.fused.candidate.chunk);
      others.insert(others.end(), hit.stands_for.begin(), hit.stands_for.end());
    }
    for (StagedHit& hit : kept) {
      if (hit.stands_for.empty()) continue;
      hit.note = "stands for " + std::to_string(hit.stands_for.size()) +
                 (hit.stands_for.size() == 1 ? " other" : " others");
    }
    hits = std::move(kept);
    return Status::Ok();
  }

 private:
  const double threshold_;
};

std::unique_ptr<RankStage> MakeNearDuplicatesStage(std::span<const double> values) {
  return std::make_unique<NearDuplicatesStage>(values[0]);
}

}  // namespace

const StageInfo kNearDuplicatesStage = {"near-duplicates", kNearDuplicatesParameters,
                                        MakeNearDuplicatesStage};

}  // namespace recall
