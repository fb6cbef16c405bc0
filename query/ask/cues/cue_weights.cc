#include "query/ask/cues/cue_weights.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "storage/base/from_chars.h"
#include "storage/base/nearest_word.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr std::string_view kNoCues = "none";
// The first cues add to a score, the others multiply it.
constexpr size_t kAddingCues = 5;
constexpr double kMostAdded = 4;
constexpr double kLeastFactor = 0.01;

std::vector<std::string_view> CueNames() {
  std::vector<std::string_view> names = {"definition", "symbols", "filename", "support",
                                         "path",       "imports", "number"};
  names.insert(names.end(), kPathRoleNames.begin(), kPathRoleNames.end());
  return names;
}

double& WeightOf(CueWeights& weights, size_t cue) {
  double* const named[] = {&weights.definition, &weights.symbols, &weights.filename,
                           &weights.support,    &weights.path,    &weights.imports,
                           &weights.number};
  return cue < std::size(named) ? *named[cue] : weights.roles[cue - std::size(named)];
}

Result<size_t> FindCue(std::string_view name) {
  const std::vector<std::string_view> names = CueNames();
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<size_t>(found - names.begin());
  std::string all;
  for (const std::string_view each : names) all += (all.empty() ? "" : ", ") + std::string(each);
  const std::string nearest = NearestWord(name, {names.begin(), names.end()});
  return Fail(Status::InvalidArgument(
      "unknown cue '" + std::string(name) + "'",
      nearest.empty() ? "cues are " + all : "did you mean " + nearest + "?"));
}

Result<double> ParseCueWeight(std::string_view name, size_t cue, std::string_view text) {
  double weight = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = FromChars(text.data(), end, weight);
  const bool is_number = error == std::errc() && stop == end;
  const bool in_range = cue < kAddingCues ? weight >= 0 && weight <= kMostAdded
                                          : weight >= kLeastFactor && weight <= 1;
  if (is_number && in_range) return weight;
  return Fail(Status::InvalidArgument(
      "the weight of the cue " + std::string(name) + " must be a number from " +
          (cue < kAddingCues ? "0 to 4" : "0.01 to 1") + ", not '" + std::string(text) + "'",
      "for example definition=1:tests=0.5, or none"));
}

CueWeights WithoutCues() {
  CueWeights weights;
  weights.definition = 0;
  weights.symbols = 0;
  weights.filename = 0;
  weights.support = 0;
  weights.path = 0;
  weights.imports = 1;
  weights.number = 1;
  weights.roles.fill(1);
  return weights;
}

}  // namespace

bool CueWeights::None() const { return *this == WithoutCues(); }

Result<CueWeights> ParseCueWeights(std::string_view text, CueWeights defaults) {
  text = Trim(text);
  if (text == kNoCues) return WithoutCues();
  CueWeights weights = defaults;
  std::vector<size_t> given;
  while (!text.empty()) {
    std::string_view value = TakeUntil(':', text);
    const std::string_view name = Trim(TakeUntil('=', value));
    RECALL_ASSIGN(const size_t cue, FindCue(name));
    if (std::ranges::find(given, cue) != given.end()) {
      return Fail(Status::InvalidArgument("the cue " + std::string(name) + " has two weights",
                                          "name each cue once"));
    }
    given.push_back(cue);
    RECALL_ASSIGN(WeightOf(weights, cue), ParseCueWeight(name, cue, Trim(value)));
  }
  return weights;
}

}  // namespace recall
