#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/ask/stages/stage.h"
#include "query/types/ranking_choice.h"

namespace recall {

// The stages of a request, in the order of application.
class StageList final {
 public:
  // Parses "mmr,recency:half-life=7d:weight=0.3". Empty or white space: no stages. Errors:
  // InvalidArgument for an unknown stage or parameter, a value out of range, and a stage that is
  // named twice; the hint lists what is valid.
  static Result<StageList> Parse(std::string_view text);

  bool Empty() const { return stages_.empty(); }
  // The number of hits that the stages see. Requires: not Empty().
  size_t window() const;

  // The result of applying the stages.
  struct Outcome {
    std::vector<ScoredChunk> ranking;  // in the order of ComesBefore
    // By chunk rowid, for the chunks in `ranking`.
    std::unordered_map<uint32_t, std::vector<StageEffect>> effects;
    std::unordered_map<uint32_t, std::vector<uint32_t>> stands_for;
    Bitmap left_out;  // removed and excluded chunks, which must not follow below either
    std::vector<StageSummary> summaries;
    std::optional<UnixNanos> as_of;  // the reference time, set if a stage depends on it
    // What the stage `hops` found; most_related is unset without it.
    std::optional<size_t> most_related;
    std::vector<HopSeed> seeds;
    std::vector<RelatedRow> related;
  };
  // Applies the stages to `head`, the best hits. Requires: `head` is in the order of ComesBefore.
  Result<Outcome> Run(StageContext& context, const std::vector<ScoredChunk>& head) const;

 private:
  struct Named {
    std::string name;
    std::string parameters;  // all of them, with their values
    std::unique_ptr<RankStage> stage;
    std::string_view event;  // StageInfo::event
  };
  static Result<Named> ParseOne(std::string_view text);
  std::vector<Named> stages_;
};

// The neighbours that an answer tells: the best `most_related` documents, each by its best way, by
// score, then by path. A way counts if its hit is in the result, with at least the score `least`,
// and leads to no document of such a hit.
std::vector<RelatedRow> SelectRelated(const StageList::Outcome& outcome, double least);

// The text of a list of stages with the stage `hops` at its beginning, unless it has it already, or
// without it.
std::string WithHops(std::string_view stages, bool hops);

// The names of all stages, in alphabetical order.
std::vector<std::string_view> AllStageNames();

}  // namespace recall
