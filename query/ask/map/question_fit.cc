#include "query/ask/map/question_fit.h"

#include <algorithm>

#include "index/base/math/natural_log.h"
#include "index/base/text/stop_words.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr double kDirectoriesPart = 0.25;

}  // namespace

QuestionFit::QuestionFit(std::string_view question, const std::vector<std::string>& names)
    : asked_names_(FindAskedNames(question)) {
  for (const std::string& stem : StemsIn(question)) asked_.push_back({stem, 0});
  if (asked_.empty()) return;
  std::vector<size_t> having(asked_.size(), 0);  // names with the stem
  for (const std::string& name : names) {
    const std::vector<std::string> stems = StemsIn(name);
    for (size_t i = 0; i < asked_.size(); ++i) {
      if (std::ranges::find(stems, asked_[i].stem) != stems.end()) ++having[i];
    }
  }
  for (size_t i = 0; i < asked_.size(); ++i) {
    const auto all = static_cast<double>(names.size() + 1);
    asked_[i].weight = NaturalLog(1 + all / static_cast<double>(having[i] + 1));
  }
}

std::vector<std::string> QuestionFit::StemsIn(std::string_view text) {
  tokenizer_.Analyze({}, text, &analyzed_);
  std::vector<std::string> stems;
  for (std::string_view rest = analyzed_.body; !rest.empty();) {
    const std::string_view stem = TakeUntil(' ', rest);
    if (IsStopStem(stem) || std::ranges::find(stems, stem) != stems.end()) continue;
    stems.emplace_back(stem);
  }
  return stems;
}

double QuestionFit::ShareIn(const std::vector<std::string>& stems) const {
  double all = 0;
  double had = 0;
  for (const AskedStem& asked : asked_) {
    all += asked.weight;
    if (std::ranges::find(stems, asked.stem) != stems.end()) had += asked.weight;
  }
  return all > 0 ? had / all : 0;
}

double QuestionFit::FitOf(std::string_view text) {
  const std::vector<std::string> stems = StemsIn(text);
  if (stems.empty()) return 0;
  const auto is_asked = [&](const std::string& stem) {
    return std::ranges::find(asked_, stem, &AskedStem::stem) != asked_.end();
  };
  const double covered = static_cast<double>(std::ranges::count_if(stems, is_asked)) /
                         static_cast<double>(stems.size());
  return ShareIn(stems) * (1 + covered) / 2;
}

double QuestionFit::OfName(std::string_view name) {
  if (std::ranges::find(asked_names_, name, &AskedName::name) != asked_names_.end()) return 1;
  return FitOf(name);
}

double QuestionFit::OfPath(std::string_view path) {
  const size_t slash = path.rfind('/');
  const std::string_view directories = slash == path.npos ? "" : path.substr(0, slash);
  std::string_view file = slash == path.npos ? path : path.substr(slash + 1);
  file = file.substr(0, file.find('.', 1));
  return std::min(1.0, FitOf(file) + kDirectoriesPart * ShareIn(StemsIn(directories)));
}

}  // namespace recall
