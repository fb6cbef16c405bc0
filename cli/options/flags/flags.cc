#include "cli/options/flags/flags.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "cli/options/flags/other_words.h"
#include "storage/base/duration.h"
#include "storage/base/from_chars.h"
#include "storage/base/nearest_word.h"
#include "storage/base/result.h"

namespace recall {
namespace {

std::string Quote(std::string_view text) { return "'" + std::string(text) + "'"; }

Status ParseNumber(const std::string& flag, const std::string& text, int64_t min, int64_t max,
                   int64_t* target) {
  int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = FromChars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < min || value > max) {
    const bool too_large = stop == end && !text.starts_with('-') &&
                           (error == std::errc::result_out_of_range || value > max);
    const bool any = max == INT32_MAX && !too_large;
    const std::string top = any ? " up" : " to " + std::to_string(max);
    return Status::InvalidArgument(flag + " must be a whole number from " + std::to_string(min) +
                                   top + ", not " + Quote(text));
  }
  *target = value;
  return {};
}

Status EmptyValue(const std::string& flag) {
  return Status::InvalidArgument(flag + " needs a value, and this one is empty");
}

// The text with 1 in place of the digits at its start: what is still wrong with it is not the size
// of its number.
std::string WithNumberOne(const std::string& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return digits == 0 ? text : "1" + text.substr(digits);
}

std::string JoinChoices(const std::vector<std::string>& choices) {
  std::string joined;
  for (const std::string& choice : choices) joined += (joined.empty() ? "" : "|") + choice;
  return joined;
}

// A hint lists at most this many choices. Of more it gives the nearest one.
constexpr size_t kFewChoices = 5;

// Checks that `word` is one of the choices of an argument.
Status CheckChoice(const FlagSet::Entry& entry, const std::string& word) {
  const std::vector<std::string>& choices = entry.choices;
  if (choices.empty() || std::ranges::find(choices, word) != choices.end()) return {};
  const std::string other = OtherWordForCommand(word);
  const std::string nearest = choices.size() <= kFewChoices            ? ""
                              : std::ranges::count(choices, other) > 0 ? other
                                                                       : NearestWord(word, choices);
  return Status::InvalidArgument(entry.name + " cannot be " + Quote(word),
                                 nearest.empty() ? "it must be one of " + JoinChoices(choices)
                                                 : "did you mean " + nearest + "?");
}

std::vector<std::string> SplitNames(const std::string& names) {
  std::vector<std::string> split;
  size_t start = 0;
  for (size_t comma = 0; comma != std::string::npos; start = comma + 1) {
    comma = names.find(',', start);
    split.push_back(names.substr(start, comma - start));
  }
  return split;
}

// Whether `word` is one of the names, which are separated by commas.
bool IsOneOf(std::string_view names, std::string_view word) {
  for (;;) {
    const size_t comma = names.find(',');
    if (names.substr(0, comma) == word) return true;
    if (comma == names.npos) return false;
    names.remove_prefix(comma + 1);
  }
}

// CLI11 takes the next word as the value of "--x=". The result has "--x" and "" in its place, and
// is in the reverse order that CLI11 expects.
std::vector<std::string> ReversedForCli11(const std::string* begin, const std::string* end) {
  std::vector<std::string> args;
  for (const std::string* arg = end; arg-- != begin;) {
    const bool empty_value = arg->starts_with("--") && arg->find('=') == arg->size() - 1;
    if (empty_value) args.emplace_back();
    args.push_back(empty_value ? arg->substr(0, arg->size() - 1) : *arg);
  }
  return args;
}

// Whether a word may be a spelling of a flag, with or without its value. Of "-kn" any letter may be
// one.
bool MayBeGiven(const FlagSet::Entry& entry, const std::string* begin, const std::string* end) {
  return std::any_of(begin, end, [&](const std::string& arg) {
    if (arg.size() < 2 || arg[0] != '-') return false;
    return arg[1] != '-' || HasSpelling(entry, std::string_view(arg).substr(0, arg.find('=')));
  });
}

// The status for a command line that CLI11 cannot parse: a flag at the end without its value.
// CLI11's message starts with the name of the flag and a colon.
Status FromParseError(const CLI::ParseError& error) {
  const std::string words = error.what();
  const size_t colon = words.find(':');
  const bool no_value = dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr;
  if (!no_value || colon == words.npos) return Status::InvalidArgument(words);
  return Status::InvalidArgument(words.substr(0, colon) + " needs a value");
}

}  // namespace

FlagSet::Entry& FlagSet::Declare(std::string name, std::string value, std::string help,
                                 Apply apply) {
  apply_.push_back(std::move(apply));
  Entry& entry = entries_.emplace_back();
  entry.name = std::move(name);
  entry.value = std::move(value);
  entry.help = std::move(help);
  entry.global = global_;
  return entry;
}

void FlagSet::Switch(std::string name, bool* target, std::string help) {
  Declare(std::move(name), "", std::move(help), [target](const Values&) {
    *target = true;
    return Status();
  });
}

void FlagSet::Text(std::string name, std::optional<std::string>* target, std::string value,
                   std::string help) {
  const std::string flag = LongFlagName(name);
  Declare(std::move(name), std::move(value), std::move(help), [=](const Values& values) {
    *target = values.back();
    return target->value().empty() ? EmptyValue(flag) : Status();
  });
}

void FlagSet::TextList(std::string name, std::vector<std::string>* target, std::string value,
                       std::string help) {
  auto apply = [target, flag = LongFlagName(name)](const Values& values) {
    *target = values;
    return std::ranges::count(values, "") > 0 ? EmptyValue(flag) : Status();
  };
  Declare(std::move(name), std::move(value), std::move(help), apply).repeatable = true;
}

void FlagSet::Number(std::string name, int64_t* target, int64_t min, int64_t max,
                     std::string help) {
  const std::string flag = LongFlagName(name);
  Declare(std::move(name), "N", std::move(help),
          [=](const Values& values) { return ParseNumber(flag, values.back(), min, max, target); });
}

void FlagSet::Number(std::string name, std::optional<int64_t>* target, int64_t min, int64_t max,
                     std::string help) {
  const std::string flag = LongFlagName(name);
  Declare(std::move(name), "N", std::move(help), [=](const Values& values) {
    return ParseNumber(flag, values.back(), min, max, &target->emplace());
  });
}

void FlagSet::DeclareShare(std::string name, std::string value, std::string help,
                           std::function<void(double)> set) {
  const std::string flag = LongFlagName(name);
  Declare(std::move(name), std::move(value), std::move(help), [=](const Values& values) {
    const std::string& text = values.back();
    double share = 0;
    const auto [stop, error] = FromChars(text.data(), text.data() + text.size(), share);
    const bool whole = error == std::errc() && stop == text.data() + text.size();
    if (!whole || !(share >= 0 && share <= 1)) {
      return Status::InvalidArgument(flag + " must be a number from 0 to 1, not " + Quote(text));
    }
    set(share);
    return Status();
  });
}

void FlagSet::Share(std::string name, double* target, std::string value, std::string help) {
  DeclareShare(std::move(name), std::move(value), std::move(help),
               [=](double share) { *target = share; });
}

void FlagSet::Share(std::string name, std::optional<double>* target, std::string value,
                    std::string help) {
  DeclareShare(std::move(name), std::move(value), std::move(help),
               [=](double share) { *target = share; });
}

void FlagSet::Size(std::string name, uint64_t* target, std::string help) {
  DeclareSize(std::move(name), std::move(help), [=](uint64_t size) { *target = size; });
}

void FlagSet::Size(std::string name, std::optional<uint64_t>* target, std::string help) {
  DeclareSize(std::move(name), std::move(help), [=](uint64_t size) { *target = size; });
}

void FlagSet::DeclareSize(std::string name, std::string help, std::function<void(uint64_t)> set) {
  const std::string flag = LongFlagName(name);
  Declare(std::move(name), "SIZE", std::move(help), [=](const Values& values) {
    const std::optional<uint64_t> size = ParseByteSize(values.back());
    if (!size && ParseByteSize(WithNumberOne(values.back()))) {
      return Status::InvalidArgument(flag + " must be at most 8388607T, not " +
                                     Quote(values.back()));
    }
    if (!size) {
      return Status::InvalidArgument(
          flag + " must be a number of bytes such as 1000, 64K or 512MiB, not " +
          Quote(values.back()));
    }
    set(*size);
    return Status();
  });
}

void FlagSet::Duration(std::string name, std::optional<int64_t>* target, std::string help) {
  const std::string flag = LongFlagName(name);
  Declare(std::move(name), "DURATION", std::move(help), [=](const Values& values) {
    *target = ParseDuration(values.back());
    if (*target) return Status();
    if (ParseDuration(WithNumberOne(values.back()))) {
      return Status::InvalidArgument(flag + " must be at most 106751d, not " +
                                     Quote(values.back()));
    }
    return Status::InvalidArgument(flag +
                                   " must be a length of time such as 30m, 12h, 7d or 0, "
                                   "not " +
                                   Quote(values.back()));
  });
}

void FlagSet::Choice(std::string name, std::string* target, std::vector<std::string> choices,
                     std::string help) {
  const std::string flag = LongFlagName(name);
  std::string value = JoinChoices(choices);
  auto apply = [=](const Values& values) {
    if (std::find(choices.begin(), choices.end(), values.back()) == choices.end()) {
      const std::string nearest = NearestWord(values.back(), choices);
      return Status::InvalidArgument(
          flag + " must be one of " + JoinChoices(choices) + ", not " + Quote(values.back()),
          nearest.empty() ? "" : "did you mean " + nearest + "?");
    }
    *target = values.back();
    return Status();
  };
  Declare(std::move(name), std::move(value), std::move(help), std::move(apply)).choices = choices;
}

void FlagSet::Setting(std::string name, std::string key, std::string value, std::string help,
                      std::vector<std::string> choices) {
  const std::string flag = LongFlagName(name);
  auto apply = [this, flag, key](const Values& values) {
    settings_.push_back({key, flag, values.back()});
    return Status();
  };
  Declare(std::move(name), std::move(value), std::move(help), std::move(apply)).choices =
      std::move(choices);
}

void FlagSet::Words(std::string name, std::vector<std::string>* target, size_t min, size_t max,
                    std::string help, std::vector<std::string> choices) {
  words_ = target;
  words_min_ = min;
  words_max_ = max;
  words_entry_ = entries_.size();
  Entry& entry = Declare(std::move(name), "", std::move(help), nullptr);
  entry.repeatable = max > 1;
  entry.choices = std::move(choices);
}

Status FlagSet::CheckSwitches(const std::vector<std::string>& args) const {
  for (const std::string& arg : args) {
    const std::string name = arg.substr(0, arg.find('='));
    if (arg == "--") break;
    if (name.size() == arg.size()) continue;
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (apply_[i] && entries_[i].value.empty() && LongFlagName(entries_[i].name) == name) {
        return Status::InvalidArgument(name + " takes no value");
      }
    }
  }
  return {};
}

Status FlagSet::Parse(const std::vector<std::string>& args) {
  RECALL_TRY(CheckSwitches(args));
  // All words after "--" are arguments, even if they look like flags.
  const auto separator = std::find(args.begin(), args.end(), "--");
  const std::string* const first = args.data();
  const std::string* const end = first + (separator - args.begin());
  std::vector<std::string> words;
  std::vector<Values> values(entries_.size());
  try {
    CLI::App parser;
    parser.set_help_flag();
    parser.allow_extras();
    for (size_t i = 0; i < entries_.size(); ++i) {
      const FlagSet::Entry& entry = entries_[i];
      // CLI11 compares each option with all others, which would take longer than a small search.
      if (!apply_[i] || !MayBeGiven(entry, first, end)) continue;
      const std::string names = entry.name + (entry.other.empty() ? "" : ",") + entry.other;
      CLI::Option* option = nullptr;
      if (entry.value.empty()) {
        option = parser.add_flag(names);
      } else {
        option = parser.add_option(names)->expected(1)->allow_extra_args(false);
      }
      option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      option->each([&values, i](const std::string& value) { values[i].push_back(value); });
    }
    parser.parse(ReversedForCli11(first, end));
    words = parser.remaining();
  } catch (const CLI::ParseError& error) {
    return FromParseError(error);
  }
  for (const std::string& word : words) {
    if (word.size() > 1 && word[0] == '-') return UnknownFlag(word);
  }
  if (separator != args.end()) words.insert(words.end(), separator + 1, args.end());
  values_ = values;
  parsed_words_ = words;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (apply_[i]) RECALL_TRY(TakeValues(i, std::move(values[i])));
  }
  return TakeWords(std::move(words));
}

Status FlagSet::TakeValues(size_t entry, Values values) {
  const FlagSet::Entry& flag = entries_[entry];
  if (flag.empty_is_absent) std::erase(values, "");
  if (values.empty()) return {};
  return apply_[entry](values);
}

std::optional<std::string> FlagSet::Given(std::string_view name) const {
  for (size_t i = 0; i < values_.size(); ++i) {
    if (!values_[i].empty() && LongFlagName(entries_[i].name) == name) return values_[i].back();
  }
  return std::nullopt;
}

std::vector<std::string> FlagSet::Spelled(
    const std::function<std::string(const std::string&)>& change) const {
  std::vector<std::string> args;
  for (size_t i = 0; i < values_.size(); ++i) {
    const std::string flag = LongFlagName(entries_[i].name);
    for (const std::string& value : values_[i]) {
      args.push_back(entries_[i].value.empty() ? flag : flag + "=" + change(value));
    }
  }
  args.emplace_back("--");
  for (const std::string& word : parsed_words_) args.push_back(change(word));
  return args;
}

Status FlagSet::TakeWords(std::vector<std::string> words) {
  if (words.size() > words_max_) {
    return Status::InvalidArgument("unexpected argument " + Quote(words[words_max_]));
  }
  if (words_ == nullptr) return {};
  const Entry& entry = entries_[words_entry_];
  if (words.size() < words_min_) return Status::InvalidArgument(entry.name + " is missing");
  for (const std::string& word : words) RECALL_TRY(CheckChoice(entry, word));
  if (!words.empty()) *words_ = std::move(words);
  return {};
}

Status FlagSet::UnknownFlag(const std::string& flag) const {
  const std::string name = flag.substr(0, flag.find('='));
  std::vector<std::string> known;
  for (size_t i = 0; i < entries_.size(); ++i) {
    if (apply_[i]) known.push_back(LongFlagName(entries_[i].name));
  }
  const std::string other = OtherWordForOption(name);
  const std::string nearest =
      std::ranges::count(known, other) > 0 ? other : NearestWord(name, known);
  return Status::InvalidArgument("unknown option " + Quote(name),
                                 nearest.empty() ? "put -- before an argument that starts with '-'"
                                                 : "did you mean " + nearest + "?");
}

std::string LongFlagName(std::string_view name) {
  const size_t comma = name.rfind(',');
  return std::string(comma == name.npos ? name : name.substr(comma + 1));
}

std::vector<std::string> Spellings(const FlagSet::Entry& entry) { return SplitNames(entry.name); }

bool HasSpelling(const FlagSet::Entry& entry, std::string_view word) {
  return IsOneOf(entry.name, word) || IsOneOf(entry.other, word);
}

std::optional<uint64_t> ParseByteSize(std::string_view text) {
  double number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = FromChars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || !std::isfinite(number) || number < 0) return std::nullopt;
  std::string unit;
  for (const char* c = stop; c != end; ++c) {
    if (*c != ' ') unit.push_back(*c >= 'a' && *c <= 'z' ? static_cast<char>(*c - 32) : *c);
  }
  double factor = 1;
  if (!unit.empty() && unit != "B") {
    const size_t power = std::string_view("KMGT").find(unit[0]);
    const std::string_view suffix = std::string_view(unit).substr(1);
    if (power == std::string_view::npos) return std::nullopt;
    if (suffix != "" && suffix != "B" && suffix != "IB") return std::nullopt;
    for (size_t i = 0; i <= power; ++i) factor *= suffix == "B" ? 1000 : 1024;
  }
  const double bytes = number * factor;
  if (bytes >= 9.2e18) return std::nullopt;
  return static_cast<uint64_t>(bytes);
}

std::optional<int64_t> ParseDuration(std::string_view text) {
  constexpr double kMostSeconds = 9'223'372'036;  // of 64 bits of nanoseconds
  if (text == "0") return 0;
  const auto seconds = ParseDurationSeconds(text);
  if (!seconds || *seconds > kMostSeconds) return std::nullopt;
  return static_cast<int64_t>(*seconds * 1e9);
}

}  // namespace recall
