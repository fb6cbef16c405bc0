// Exponential time decay: older documents rank lower.
//
//   score * (1 - weight + weight * 2^(-age / half-life))
//
// The age is the difference between the document's modification time and the reference time of the
// query (--as-of, else the current time). A document from the future has age 0; a document without
// a modification time counts as infinitely old. `weight` bounds the effect: even the oldest
// document keeps 1 - weight of its score, so relevance still matters.
//
// Answers must be the same on all machines, but std::exp2 may differ in the last bit between C
// libraries. HalvedTimes() therefore uses only + - * /, which IEEE 754 defines exactly. It splits
// the exponent: halvings for the integer part, and the Taylor series of e^y for the fraction.
// Ages beyond kMostHalfLives count as this age, so that a score is never multiplied by 0.
//
// Cost: one row of each hit, no text.

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "query/ask/stages/stage.h"

namespace recall {
namespace {

constexpr double kSecondsOfADay = 86'400;

constexpr StageParameter kRecencyParameters[] = {
    {"half-life", StageParameter::Kind::kDuration, 30 * kSecondsOfADay, 1, 36'500 * kSecondsOfADay},
    {"weight", StageParameter::Kind::kNumber, 0.5, 0, 1},
};

// The greatest age that is distinguished, in half-lives. The factor 2^-60 is negligible but not 0,
// so scores stay above 0.
constexpr double kMostHalfLives = 60;

// 2^-x by + - * / only, with the same bits on every CPU. Requires: 0 <= x <= kMostHalfLives.
double HalvedTimes(double x) {
  const double whole = std::floor(x);
  const double y = -(x - whole) * 0.69314718055994530942;  // ln 2
  double sum = 1;  // Taylor series of e^y, last term first; 18 terms reach double precision
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
        // In doubles, because the difference of two times may overflow int64.
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

std::unique_ptr<RankStage> MakeRecencyStage(std::span<const StageValue> values) {
  return std::make_unique<RecencyStage>(values[0].number, values[1].number);
}

}  // namespace

const StageInfo kRecencyStage = {"recency", kRecencyParameters, MakeRecencyStage};

}  // namespace recall
