// The list of optional ranking stages: parsing, the order of execution, and the explanation.
//
//   best hits of the ranking -> stage 1 -> sort -> stage 2 -> sort -> ... -> top of the ranking
//                                                      the rest of the ranking follows below it
//
// Each stage changes scores or drops hits; this file sorts after each stage, so a stage sees the
// ranking of the one before it. After each stage the rank and score of every hit before and after
// are recorded for --explain.
//
// Invariants:
//   - Scores stay in (0, 1]. A stage keeps at least kLeastShare of a score, so a kept hit never
//     drops to 0, which would mean "no evidence".
//   - A chunk that a stage dropped must not reappear below the window. `left_out` contains these
//     chunks and the chunks that stages excluded with StageContext::LeaveOut.
//   - Equal scores are ordered by ComesBefore, so the result is deterministic.
//
// A new stage is a file that defines its StageInfo, a declaration in stage.h, and an entry in
// kStages. Names, parameters with ranges, and the texts of errors all derive from StageInfo.

#include "query/ask/stages/stage_list.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "index/search/ranker/ranker_config.h"
#include "query/types/stage_clock.h"
#include "storage/base/duration.h"
#include "storage/base/from_chars.h"
#include "storage/base/nearest_word.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

const StageInfo* const kStages[] = {
    &kFieldsStage,         &kFreshnessStage,       &kHopsStage,
    &kKeywordsStage,       &kLateInteractionStage, &kMmrStage,
    &kNearDuplicatesStage, &kPerDocumentStage,     &kProximityStage,
    &kRankerStage,         &kRecencyStage,         &kRm3Stage,
    &kUsesStage,
};

// The smallest share of a score that a stage leaves: a kept hit stays above 0, and so can the hits
// below the window.
constexpr double kLeastShare = 1e-6;

// The units in which a duration is printed, in seconds, in descending order.
constexpr std::pair<char, double> kUnits[] = {{'d', 86'400}, {'h', 3600}, {'m', 60}, {'s', 1}};

std::string PrintNumber(double value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, std::end(buffer), value).ptr};
}

std::string PrintValue(const StageParameter& parameter, const StageValue& given) {
  if (parameter.kind == StageParameter::Kind::kName) return given.text;
  const double value = given.number;
  if (parameter.kind != StageParameter::Kind::kDuration) return PrintNumber(value);
  for (const auto& [unit, seconds] : kUnits) {
    if (std::fmod(value, seconds) == 0) return PrintNumber(value / seconds) + unit;
  }
  return PrintNumber(value) + "s";
}

std::string Expectation(const StageParameter& parameter) {
  if (parameter.kind == StageParameter::Kind::kDuration) {
    return "a length of time such as 12h, 7d or 4w";
  }
  if (parameter.kind == StageParameter::Kind::kName) {
    return "the NAME of a [rankers.NAME] in your own recall.toml";
  }
  const bool whole = parameter.kind == StageParameter::Kind::kWhole;
  return (whole ? "a whole number from " : "a number from ") + PrintNumber(parameter.least) +
         " to " + PrintNumber(parameter.most);
}

std::optional<StageValue> ParseValue(const StageParameter& parameter, std::string_view text) {
  if (parameter.kind == StageParameter::Kind::kName) {
    if (!IsProgramName(text)) return std::nullopt;
    return StageValue{.text = std::string(text)};
  }
  double value = 0;
  if (parameter.kind == StageParameter::Kind::kDuration) {
    const auto seconds = ParseDurationSeconds(text);
    if (!seconds) return std::nullopt;
    value = *seconds;
  } else {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = FromChars(text.data(), end, value);
    if (error != std::errc() || !std::isfinite(value) || stop != end) return std::nullopt;
  }
  const bool broken = parameter.kind != StageParameter::Kind::kNumber && std::floor(value) != value;
  if (broken || value < parameter.least || value > parameter.most) return std::nullopt;
  return StageValue{.number = value};
}

std::string ListOfStages() {
  std::string list;
  for (const StageInfo* stage : kStages)
    list += (list.empty() ? "" : ", ") + std::string(stage->name);
  return "stages are " + list;
}

std::string ListOfParameters(const StageInfo& stage) {
  if (stage.parameters.empty()) return std::string(stage.name) + " has no parameters";
  std::string list;
  for (const StageParameter& parameter : stage.parameters) {
    list += (list.empty() ? "" : "; ") + std::string(parameter.name) + "=" +
            PrintValue(parameter, {parameter.fallback, "NAME"}) + " (" + Expectation(parameter) +
            ")";
  }
  return std::string(stage.name) + " has " + list;
}

}  // namespace

void AddEvidence(std::vector<StagedHit>& hits, std::span<const double> evidence, double weight) {
  const double best = hits.front().fused.score;
  for (size_t i = 0; i < hits.size(); ++i) {
    double& score = hits[i].fused.score;
    score = best * ((ShareOf(score, best) + weight * evidence[i]) / (1 + weight));
  }
}

std::string TwoDigits(double value) {
  char buffer[16];
  std::snprintf(buffer, sizeof(buffer), "%.2f", value);
  return buffer;
}

std::vector<std::string_view> AllStageNames() {
  std::vector<std::string_view> names;
  for (const StageInfo* stage : kStages) names.push_back(stage->name);
  return names;
}

std::vector<RelatedRow> SelectRelated(const StageList::Outcome& outcome, double least) {
  std::unordered_set<uint32_t> shown;
  for (const ScoredChunk& hit : outcome.ranking) {
    if (hit.score >= least) shown.insert(hit.candidate.chunk);
  }
  std::unordered_set<int64_t> direct;
  for (const HopSeed& seed : outcome.seeds) {
    if (shown.contains(seed.chunk)) direct.insert(seed.doc_row);
  }
  std::vector<RelatedRow> related;
  for (const RelatedRow& row : outcome.related) {
    if (shown.contains(row.seed) && !direct.contains(row.doc_row)) related.push_back(row);
  }
  // Of the ways to a document the best comes first, and of equal ones the first by path and
  // relation.
  std::ranges::sort(related, [](const RelatedRow& a, const RelatedRow& b) {
    if (a.score != b.score) return a.score > b.score;
    return std::tie(a.path, a.via, a.relation) < std::tie(b.path, b.via, b.relation);
  });
  std::unordered_set<int64_t> told;
  std::erase_if(related, [&](const RelatedRow& row) { return !told.insert(row.doc_row).second; });
  related.resize(std::min(related.size(), outcome.most_related.value_or(0)));
  return related;
}

std::string WithHops(std::string_view stages, bool hops) {
  std::string others;
  for (stages = Trim(stages); !stages.empty();) {
    std::string_view parameters = TakeUntil(',', stages);
    const std::string_view stage = parameters;
    if (TakeUntil(':', parameters) == kHopsStage.name) {
      if (!hops) continue;
      hops = false;  // it is there
    }
    others += (others.empty() ? "" : ",") + std::string(stage);
  }
  if (!hops) return others;
  return std::string(kHopsStage.name) + (others.empty() ? "" : "," + others);
}

Result<StageList::Named> StageList::ParseOne(std::string_view text) {
  const std::string_view name = TakeUntil(':', text);
  const auto* const found = std::ranges::find(kStages, name, [](const auto* s) { return s->name; });
  if (found == std::end(kStages)) {
    const std::vector<std::string_view> names = AllStageNames();
    const std::string nearest = NearestWord(name, {names.begin(), names.end()});
    return Fail(Status::InvalidArgument(
        "unknown stage '" + std::string(name) + "'",
        nearest.empty() ? ListOfStages() : "did you mean " + nearest + "?"));
  }
  const StageInfo& info = **found;
  std::vector<StageValue> values;
  for (const StageParameter& parameter : info.parameters) values.push_back({parameter.fallback});
  while (!text.empty()) {
    std::string_view value = TakeUntil(':', text);
    const std::string_view key = TakeUntil('=', value);
    value = Trim(value);
    const auto parameter = std::ranges::find(info.parameters, key, &StageParameter::name);
    if (parameter == info.parameters.end()) {
      return Fail(Status::InvalidArgument(
          "the stage " + std::string(info.name) + " has no parameter '" + std::string(key) + "'",
          ListOfParameters(info)));
    }
    const std::optional<StageValue> parsed = ParseValue(*parameter, value);
    if (!parsed) {
      return Fail(Status::InvalidArgument(
          std::string(key) + " of the stage " + std::string(info.name) + " must be " +
              Expectation(*parameter) + ", not '" + std::string(value) + "'",
          ListOfParameters(info)));
    }
    values[static_cast<size_t>(parameter - info.parameters.begin())] = *parsed;
  }
  Named named{std::string(info.name), "", info.make(values), info.event};
  for (size_t i = 0; i < values.size(); ++i) {
    if (info.parameters[i].kind == StageParameter::Kind::kName && values[i].text.empty()) {
      return Fail(Status::InvalidArgument(
          "the stage " + named.name + " needs a " + std::string(info.parameters[i].name),
          ListOfParameters(info)));
    }
    named.parameters += (i == 0 ? "" : ":") + std::string(info.parameters[i].name) + "=" +
                        PrintValue(info.parameters[i], values[i]);
  }
  return named;
}

Result<StageList> StageList::Parse(std::string_view text) {
  StageList list;
  text = Trim(text);
  while (!text.empty()) {
    RECALL_ASSIGN(Named named, ParseOne(TakeUntil(',', text)));
    if (std::ranges::count(list.stages_, named.name, &Named::name) > 0) {
      return Fail(Status::InvalidArgument("the stage " + named.name + " is given twice",
                                          "each stage is applied once, in the order given"));
    }
    list.stages_.push_back(std::move(named));
  }
  return list;
}

size_t StageList::window() const {
  size_t window = 0;
  for (const Named& named : stages_) window = std::max(window, named.stage->window());
  return window;
}

Result<StageList::Outcome> StageList::Run(StageContext& context,
                                          const std::vector<ScoredChunk>& head) const {
  Outcome outcome;
  std::vector<StagedHit> hits;
  for (const ScoredChunk& fused : head) hits.push_back({fused, {}, ""});
  Bitmap before;
  for (const StagedHit& hit : hits) before.Add(hit.fused.candidate.chunk);
  for (const Named& named : stages_) {
    if (hits.empty()) break;
    struct Place {
      int64_t rank;
      double score;
    };
    std::unordered_map<uint32_t, Place> was;
    int64_t given = 0;
    for (const StagedHit& hit : hits) {
      was[hit.fused.candidate.chunk] = {++given, hit.fused.score};
    }
    {
      ReportedStage reported(named.event.empty() ? nullptr : context.question().on_stage,
                             named.event);
      context.is_last = &named == &stages_.back();
      RECALL_TRY(named.stage->Apply(context, hits));
      reported.End(static_cast<int64_t>(hits.size()));
    }
    for (StagedHit& hit : hits) {
      const double least = kLeastShare * was.at(hit.fused.candidate.chunk).score;
      hit.fused.score = std::max(hit.fused.score, least);
    }
    std::ranges::sort(hits, ComesBefore, &StagedHit::fused);
    const auto kept = static_cast<int64_t>(hits.size());
    outcome.summaries.push_back(
        {named.name, named.parameters, given, given - kept, std::exchange(context.note, {})});
    for (int64_t i = 0; i < kept; ++i) {
      StagedHit& hit = hits[static_cast<size_t>(i)];
      const Place& place = was.at(hit.fused.candidate.chunk);
      outcome.effects[hit.fused.candidate.chunk].push_back({named.name, place.rank, i + 1,
                                                            place.score, hit.fused.score,
                                                            std::exchange(hit.note, {})});
    }
  }
  Bitmap kept;
  for (StagedHit& hit : hits) {
    kept.Add(hit.fused.candidate.chunk);
    if (!hit.stands_for.empty()) {
      outcome.stands_for[hit.fused.candidate.chunk] = std::move(hit.stands_for);
    }
    outcome.ranking.push_back(hit.fused);
  }
  outcome.left_out = before.Or(context.left_out()).AndNot(kept);
  outcome.as_of = context.as_of_used();
  outcome.most_related = context.most_related();
  outcome.seeds = context.seeds();
  outcome.related = std::move(context.related());
  return outcome;
}

}  // namespace recall
