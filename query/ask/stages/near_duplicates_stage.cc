// Removes near-duplicates: of several hits with almost the same text only the one that ranks
// highest is kept, and it lists the others.
//
// Similarity is the resemblance of Broder (1997, "On the resemblance and containment of
// documents"): the Jaccard coefficient of the sets of shingles, which here are sequences of kRun =
// 4 stems:
//
//   resemblance(a, b) = |shingles(a) and shingles(b)| / |shingles(a) or shingles(b)|
//
// Stop words are removed and stems compared, so formatting, case and inflection do not matter. A
// text shorter than one shingle is one shingle. A text without stems has none and resembles
// nothing.
//
// Hits are processed in ranking order. A hit is compared with the kept hits only and joins the
// first that reaches the threshold; resemblance is not transitive, so groups depend on the order,
// which is deterministic. A shingle is compared by its 64-bit hash. There are at most 1,000 hits,
// so exact sets are affordable and MinHash sketches are not needed. Cost: O(hits * kept) merges of
// sorted lists of hashes; none where the sizes of the sets alone exclude the threshold.

#include <algorithm>

#include "query/ask/stages/stage.h"
#include "storage/base/row_hash.h"

namespace recall {
namespace {

constexpr StageParameter kNearDuplicatesParameters[] = {
    {"threshold", StageParameter::Kind::kNumber, 0.8, 0.1, 1},
    {"window", StageParameter::Kind::kWhole, kStagedHits, 2, 1000},
};

constexpr size_t kRun = 4;

using Shingles = std::vector<uint64_t>;  // their hashes, ascending, each once

// The shingles of a text. A text shorter than kRun stems is one shingle; one without stems has
// none.
Shingles ShinglesOf(const std::vector<std::string>& stems) {
  Shingles shingles;
  const size_t run = std::min(kRun, stems.size());
  for (size_t begin = 0; run > 0 && begin + run <= stems.size(); ++begin) {
    RowHash hash;
    for (size_t i = begin; i < begin + run; ++i) hash.Add(stems[i]);
    shingles.push_back(hash.value());
  }
  std::ranges::sort(shingles);
  shingles.erase(std::unique(shingles.begin(), shingles.end()), shingles.end());
  return shingles;
}

double Resemblance(const Shingles& a, const Shingles& b) {
  size_t both = 0;
  auto j = b.begin();
  for (const uint64_t shingle : a) {
    while (j != b.end() && *j < shingle) ++j;
    if (j != b.end() && *j == shingle) ++both;
  }
  const size_t either = a.size() + b.size() - both;
  return either == 0 ? 0 : static_cast<double>(both) / static_cast<double>(either);
}

bool Resemble(const Shingles& a, const Shingles& b, double threshold) {
  const auto fewer = static_cast<double>(std::min(a.size(), b.size()));
  const auto more = static_cast<double>(std::max(a.size(), b.size()));
  if (fewer < threshold * more) return false;
  return Resemblance(a, b) >= threshold;
}

class NearDuplicatesStage final : public RankStage {
 public:
  NearDuplicatesStage(double threshold, double window)
      : threshold_(threshold), window_(static_cast<size_t>(window)) {}

  size_t window() const override { return window_; }

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    std::vector<StagedHit> kept;
    std::vector<Shingles> shingles;  // parallel to `kept`
    for (StagedHit& hit : hits) {
      RECALL_ASSIGN(const StageChunk* chunk, context.Read(hit.fused.candidate.chunk));
      Shingles own = ShinglesOf(chunk->stems);
      size_t first = 0;
      while (first < kept.size() && !Resemble(own, shingles[first], threshold_)) ++first;
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
  const size_t window_;
};

std::unique_ptr<RankStage> MakeNearDuplicatesStage(std::span<const StageValue> values) {
  return std::make_unique<NearDuplicatesStage>(values[0].number, values[1].number);
}

}  // namespace

const StageInfo kNearDuplicatesStage = {"near-duplicates", kNearDuplicatesParameters,
                                        MakeNearDuplicatesStage};

}  // namespace recall
