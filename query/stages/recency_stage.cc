// What is old counts less:
//   score * (1 - weight + weight * 2^(-age / half-life))
// by the document's modification time and the question's --as-of. A document of unknown age counts
// as one that is old without end.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "query/stages/stage.h"

namespace recall {
namespace {

constexpr double kSecondsOfADay = 86'400;

constexpr StageParameter kRecencyParameters[] = {
    {"half-life", StageParameter::Kind::kDuration, 30 * kSecondsOfADay, 1, 36'500 * kSecondsOfADay},
    {"weight", StageParameter::Kind::kNumber, 0.5, 0, 1},
};

// Beyond it nothing is left of an age; but a little is, so that scores stay above 0.
constexpr double kMostHalfLives = 60;

// 2^-x from + - * / alone, the same bits on every CPU. Requires: 0 <= x <= kMostHalfLives.
double HalvedTimes(double x) {
  const double whole = std::floor(x);
  const double y = -(x - whole) * 0.69314718055994530942;  // ln 2
  double sum = 1;  // the series of e^y from its end on; 18 terms are exact below ln 2
  for (int n = 18; n > 0; --n) sum = 1 + y / n * sum;
  for (double i = 0; i < whole; ++i) sum /= 2;
  return sum;
}

class RecencyStage final : public RankStage {
 public:
  RecencyStage(double half_life, double weight) : half_life_(half_life), weight_(weight) {}

  Status Apply(StageContext& context, std::vector<StagedHit>& hits) const override {
    const UnixNanos now = context.AsOf();
    for (StagedHit& hit : hits) {
      RECALL_ASSIGN(const RowReader::Located row, context.rows().Read(hit.fused.candidate.chunk));
      const std::optional<UnixNanos>& mtime = row.doc->mtime;
      double share = HalvedTimes(kMostHalfLives);
      hit.note = "age unknown";
      if (mtime) {
        // In doubles: the difference of two times may be more than their type holds.
        const double age =
            std::max(static_cast<double>(now) - static_cast<double>(*mtime), 0.0) / 1e9;
        share = HalvedTimes(std::min(age / half_life_, kMostHalfLives));
        char days[48];
        std::snprintf(days, sizeof(days), "%.1f days old", age / kSecondsOfADay);
        hit.note = days;
      }
      hit.fused.score *= 1 - weight_ + weight_ * share;
    }
    return Status::Ok();
  }

 private:
  const double half_life_;  // seconds
  const double weight_;
};

std::unique_ptr<RankStage> MakeRecencyStage(std::span<const double> values) {
  return std::make_unique<RecencyStage>(values[0], values[1]);
}

}  // namespace

const StageInfo kRecencyStage = {"recency", kRecencyParameters, MakeRecencyStage};

}  // namespace recall
