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

// A hit to which stages are applied.
struct StagedHit {
<<<<<<< HEAD
  ScoredChunk fused;                 // its score is what stages change
  std::vector<uint32_t> stands_for;  // chunks that were left out because it says the same
  std::string note;                  // what the present stage says of it
=======
  FusedCandidate fused;              // stages change its score
  std::vector<uint32_t> stands_for;  // chunks that were left out as near-duplicates of it
  std::string note;                  // explanation by the current stage
>>>>>>> wt-ed3
};

// An optional step that ranks the best hits again. It has no state except its parameters.
class RankStage {
 public:
  virtual ~RankStage() = default;
  // Changes the scores of `hits`. On entry they are ordered by ComesBefore; on return they may be
  // in any order, and some may be missing. Scores stay in [0, 1] and keep their meaning: the share
  // of the greatest possible evidence.
  virtual Status Apply(StageContext& context, std::vector<StagedHit>& hits) const = 0;
};

// The value of a parameter: a number, a whole number, or seconds.
struct StageParameter {
  enum class Kind { kNumber, kWhole, kDuration };
  std::string_view name;
  Kind kind;
  double fallback;  // the default
  double least;
  double most;
};

// The description of a stage. `values[i]` of `make` is the value of `parameters[i]`.
struct StageInfo {
  std::string_view name;
  std::span<const StageParameter> parameters;
  std::unique_ptr<RankStage> (*make)(std::span<const double> values);
};

// Each stage is defined in its own file.
extern const StageInfo kFieldsStage;
extern const StageInfo kKeywordsStage;
extern const StageInfo kLateInteractionStage;
extern const StageInfo kMmrStage;
extern const StageInfo kNearDuplicatesStage;
extern const StageInfo kPerDocumentStage;
extern const StageInfo kProximityStage;
extern const StageInfo kRecencyStage;
extern const StageInfo kRm3Stage;

// Adds evidence, from 0 to 1 for each hit, to the scores of the hits:
//   score = best * (score / best + weight * evidence) / (1 + weight)
// No score exceeds the former best score. Requires: `hits` is not empty and is in descending order
// of score.
void AddEvidence(std::vector<StagedHit>& hits, std::span<const double> evidence, double weight);

// The value with two decimals, as in "0.62".
std::string TwoDigits(double value);

}  // namespace recall
