#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/stages/stage.h"
#include "query/types/ranking_options.h"

namespace recall {

// Stages as a request names them, in the order they are applied.
class StageList final {
 public:
  // Reads "mmr,recency:half-life=7d:weight=0.3". Nothing, or only spaces, is no stage.
  // Errors: InvalidArgument for a stage or a parameter that there is not, for a value out of its
  // range, and for a stage that is named twice; the hint lists what there is.
  static Result<StageList> Parse(std::string_view text);

  bool Empty() const { return stages_.empty(); }

  // What the stages made of a head.
  struct Outcome {
    std::vector<ScoredChunk> ranking;  // by ComesBefore
    // By chunk rowid, of those in `ranking`.
    std::unordered_map<uint32_t, std::vector<StageEffect>> effects;
    std::unordered_map<uint32_t, std::vector<uint32_t>> stands_for;
    Bitmap left_out;  // chunks that may not follow below either
    std::vector<StageSummary> summaries;
    std::optional<UnixNanos> as_of;  // set when it depends on it
  };
  // Requires: `head` is by ComesBefore.
  Result<Outcome> Run(StageContext& context, const std::vector<ScoredChunk>& head) const;

 private:
  struct Named {
    std::string name;
    std::string parameters;  // all of them
    std::unique_ptr<RankStage> stage;
  };
  static Result<Named> ParseOne(std::string_view text);
  std::vector<Named> stages_;
};

// The names of all stages, in the order of the alphabet.
std::vector<std::string_view> AllStageNames();

}  // namespace recall
