#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/ranking/fusion.h"
#include "query/stages/stage_context.h"
#include "storage/base/result.h"

namespace recall {

// A hit on its way through the stages.
struct StagedHit {
  ScoredChunk fused;                 // its score is what stages change
  std::vector<uint32_t> stands_for;  // chunks that were left out because it says the same
  std::string note;                  // what the present stage says of it
};

// One way to rank the head once more that is not among the defaults. Stateless but for its
// parameters.
class RankStage {
 public:
  virtual ~RankStage() = default;
  // `hits` come by ComesBefore and leave in any order, with scores in [0, 1]; hits may be left out.
  // Every score that stays above 0 keeps its meaning: evidence as a share of what there could be.
  virtual Status Apply(StageContext& context, std::vector<StagedHit>& hits) const = 0;
};

// The value of a parameter: a number, a whole number, or seconds.
struct StageParameter {
  enum class Kind { kNumber, kWhole, kDuration };
  std::string_view name;
  Kind kind;
  double fallback;  // when nobody sets it
  double least;
  double most;
};

// What is known of a stage. `make` takes the values beside `parameters`.
struct StageInfo {
  std::string_view name;
  std::span<const StageParameter> parameters;
  std::unique_ptr<RankStage> (*make)(std::span<const double> values);
};

// Each stage has one file of its own.
extern const StageInfo kFieldsStage;
extern const StageInfo kKeywordsStage;
extern const StageInfo kLateInteractionStage;
extern const StageInfo kMmrStage;
extern const StageInfo kNearDuplicatesStage;
extern const StageInfo kPerDocumentStage;
extern const StageInfo kProximityStage;
extern const StageInfo kRecencyStage;
extern const StageInfo kRm3Stage;

// Adds evidence, of 0 to 1 for each hit, to what the hits score:
//   score = best * (score / best + weight * evidence) / (1 + weight)
// so that no score gets above the best one. Requires: hits come best first.
void AddEvidence(std::vector<StagedHit>& hits, std::span<const double> evidence, double weight);

// "0.62"
std::string TwoDigits(double value);

}  // namespace recall
