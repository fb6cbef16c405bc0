#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/ask/ranking/fusion.h"
#include "query/ask/stages/stage_context.h"
#include "storage/base/result.h"

namespace recall {

// A hit while stages are applied.
struct StagedHit {
  ScoredChunk fused;                 // stages change its score
  std::vector<uint32_t> stands_for;  // chunks that were omitted as near-duplicates of this one
  std::string note;                  // the explanation of the present stage
};

// The number of hits that stages see by default.
inline constexpr size_t kStagedHits = 100;

// A ranking step that a request can name. Immutable: it consists of its parameters.
class RankStage {
 public:
  virtual ~RankStage() = default;
  // The number of hits that it asks for. All stages of a request see as many as the one that asks
  // for most.
  virtual size_t window() const { return kStagedHits; }
  // Changes scores or removes hits. The hits come in the order of ComesBefore and may be left in
  // any order, with scores in [0, 1]. A score remains the share of the possible evidence that a
  // text provides. Requires: at least one hit. Errors: those of reading texts and models;
  // InvalidArgument for invalid rules of `keywords`.
  virtual Status Apply(StageContext& context, std::vector<StagedHit>& hits) const = 0;
};

// A parameter of a stage: a number, an integer, a duration in seconds, or the name of something in
// the user's own settings.
struct StageParameter {
  enum class Kind { kNumber, kWhole, kDuration, kName };
  std::string_view name;
  Kind kind;
  double fallback;  // the default; a name has none and must be given
  double least;
  double most;
};

// The value of a parameter: `text` of kName, else `number`.
struct StageValue {
  double number = 0;
  std::string text = {};
};

// The definition of a stage. `make` takes one value for each parameter, in their order.
struct StageInfo {
  std::string_view name;
  std::span<const StageParameter> parameters;
  std::unique_ptr<RankStage> (*make)(std::span<const StageValue> values);
  // The name with which the beginning and the end are reported to a listener; empty: neither is.
  std::string_view event = {};
};

// The stages. Each is defined in a file of its own.
extern const StageInfo kFieldsStage;
extern const StageInfo kFreshnessStage;
extern const StageInfo kHopsStage;
extern const StageInfo kKeywordsStage;
extern const StageInfo kLateInteractionStage;
extern const StageInfo kMmrStage;
extern const StageInfo kNearDuplicatesStage;
extern const StageInfo kPerDocumentStage;
extern const StageInfo kProximityStage;
extern const StageInfo kRankerStage;
extern const StageInfo kRecencyStage;
extern const StageInfo kRm3Stage;
extern const StageInfo kUsesStage;

// Adds evidence, 0 to 1 for each hit, to the scores:
//   score = best * (score / best + weight * evidence) / (1 + weight)
// No score exceeds the best score before. Requires: at least one hit, the best one first.
void AddEvidence(std::vector<StagedHit>& hits, std::span<const double> evidence, double weight);

// Formats a number with two digits after the point: "0.62".
std::string TwoDigits(double value);

}  // namespace recall
