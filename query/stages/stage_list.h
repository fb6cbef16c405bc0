#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/stages/stage.h"
#include "query/types/ranking_options.h"

namespace recall {

// The stages of a request, in the order in which they are applied.
class StageList final {
 public:
  // Parses "mmr,recency:half-life=7d:weight=0.3". An empty or blank text is an empty list.
  // Errors: InvalidArgument for an unknown stage or parameter, for a value out of range, and for a
  // stage that appears twice; the hint lists the valid stages or parameters.
  static Result<StageList> Parse(std::string_view text);

  bool Empty() const { return stages_.empty(); }

  // The result of the stages.
  struct Outcome {
<<<<<<< HEAD
    std::vector<ScoredChunk> ranking;  // by ComesBefore
    // By chunk rowid, of those in `ranking`.
=======
    std::vector<FusedCandidate> ranking;  // by ComesBefore
    // By chunk rowid, for the chunks in `ranking`.
>>>>>>> wt-ed3
    std::unordered_map<uint32_t, std::vector<StageEffect>> effects;
    std::unordered_map<uint32_t, std::vector<uint32_t>> stands_for;
    Bitmap left_out;  // chunks excluded from the ranking, also below the window
    std::vector<StageSummary> summaries;
    std::optional<UnixNanos> as_of;  // the reference time, if the result depends on it
  };
<<<<<<< HEAD
  // Requires: `head` is by ComesBefore.
  Result<Outcome> Run(StageContext& context, const std::vector<ScoredChunk>& head) const;
=======
  // Applies the stages to the window `head`. Requires: `head` is ordered by ComesBefore.
  Result<Outcome> Run(StageContext& context, const std::vector<FusedCandidate>& head) const;
>>>>>>> wt-ed3

 private:
  struct Named {
    std::string name;
    std::string parameters;  // with the values of all parameters, defaults included
    std::unique_ptr<RankStage> stage;
  };
  static Result<Named> ParseOne(std::string_view text);
  std::vector<Named> stages_;
};

// The names of all stages, in alphabetical order.
std::vector<std::string_view> AllStageNames();

}  // namespace recall
