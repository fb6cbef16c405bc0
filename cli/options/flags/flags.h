#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/base/status.h"

namespace recall {

// A setting given on the command line: `--threads 4` is {"threads", "--threads", "4"}.
struct FlagSetting {
  std::string key;
  std::string flag;
  std::string text;
};

// The flags and arguments of one command. They are declared first and then parsed once. Targets
// must outlive the set; they keep their values if their flag is not given. If a single-valued flag
// is given twice, the last value is used. Names are in CLI11's syntax: "-k,--k".
class FlagSet final {
 public:
  // The description of a flag or argument for help, completions and man pages.
  struct Entry {
    std::string name;   // "-k,--k"; for an argument "PATH"
    std::string other;  // further spellings that help does not show: "-n,--limit"
    std::string value;  // "N", or "" for a switch
    std::string help;
    bool global = false;
    bool repeatable = false;           // a flag that keeps every value; an argument that takes many
    bool empty_is_absent = false;      // an empty value is none
    std::vector<std::string> choices;  // all possible values; empty: any value
    // What completions offer besides: some of the possible values, or a shell command that prints
    // them, one a line.
    std::vector<std::string> suggestions;
    std::string suggesting_command;

    bool is_argument() const { return name[0] != '-'; }
  };

  // For command lines that another program made: "-" is not standard input and "@x" names no file,
  // wherever a text may be given so. Call it before anything is declared.
  void TakeTextsLiterally() { literal_ = true; }
  bool takes_texts_literally() const { return literal_; }

  void Switch(std::string name, bool* target, std::string help);
  void Text(std::string name, std::optional<std::string>* target, std::string value,
            std::string help);
  void TextList(std::string name, std::vector<std::string>* target, std::string value,
                std::string help);
  // An integer from `min` to `max`; INT32_MAX means that there is no practical limit, which only
  // the error of a larger number names.
  void Number(std::string name, int64_t* target, int64_t min, int64_t max, std::string help);
  void Number(std::string name, std::optional<int64_t>* target, int64_t min, int64_t max,
              std::string help);
  // A number from 0 to 1.
  void Share(std::string name, double* target, std::string value, std::string help);
  void Share(std::string name, std::optional<double>* target, std::string value, std::string help);
  // A number of bytes: "512MiB", "2G", "1000".
  void Size(std::string name, uint64_t* target, std::string help);
  void Size(std::string name, std::optional<uint64_t>* target, std::string help);
  // A length of time in nanoseconds: "90s", "30m", "12h", "7d", "2w", "0".
  void Duration(std::string name, std::optional<int64_t>* target, std::string help);
  void Choice(std::string name, std::string* target, std::vector<std::string> choices,
              std::string help);
  // A setting; config.h checks its type and range. `choices`: all possible values.
  void Setting(std::string name, std::string key, std::string value, std::string help,
               std::vector<std::string> choices = {});
  // The arguments after the flags. If `choices` is not empty, every word must be one of them.
  // Requires: called at most once.
  void Words(std::string name, std::vector<std::string>* target, size_t min, size_t max,
             std::string help, std::vector<std::string> choices = {});
  // Set what completions offer for the flag or argument that was declared last.
  void Suggest(std::vector<std::string> values) { entries_.back().suggestions = std::move(values); }
  void SuggestFrom(std::string command) { entries_.back().suggesting_command = std::move(command); }
  // Further spellings of the flag that was declared last, which help does not show.
  void AlsoSpelled(std::string names) { entries_.back().other = std::move(names); }
  // The flag that was declared last may have an empty value, which is none at all: `--tag="$TAG"`.
  void EmptyIsAbsent() { entries_.back().empty_is_absent = true; }
  // Flags declared after this call are global ones, which help shows last.
  void BeginGlobals() { global_ = true; }

  // Errors: InvalidArgument, with a message and a hint, for an invalid command line.
  Status Parse(const std::vector<std::string>& args);

  // The last value of a flag on the command line that was parsed. `name`: its long spelling.
  std::optional<std::string> Given(std::string_view name) const;
  // The command line that was parsed, in a form that cannot be misread: each value after '=', and
  // all words after "--". `change` may put another text in the place of a value or a word.
  std::vector<std::string> Spelled(
      const std::function<std::string(const std::string&)>& change) const;

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<FlagSetting>& settings() const { return settings_; }

 private:
  using Values = std::vector<std::string>;
  using Apply = std::function<Status(const Values&)>;

  Entry& Declare(std::string name, std::string value, std::string help, Apply apply);
  void DeclareShare(std::string name, std::string value, std::string help,
                    std::function<void(double)> set);
  void DeclareSize(std::string name, std::string help, std::function<void(uint64_t)> set);
  Status TakeValues(size_t entry, Values values);
  Status CheckSwitches(const std::vector<std::string>& args) const;  // no --json=yes
  Status TakeWords(std::vector<std::string> words);
  Status UnknownFlag(const std::string& flag) const;

  std::vector<Entry> entries_;
  std::vector<Apply> apply_;  // parallel to entries_
  std::vector<FlagSetting> settings_;
  std::vector<Values> values_;  // that were parsed, parallel to entries_
  Values parsed_words_;
  bool global_ = false;
  bool literal_ = false;

  size_t words_entry_ = 0;  // index in entries_, if words_ is set
  std::vector<std::string>* words_ = nullptr;
  size_t words_min_ = 0;
  size_t words_max_ = 0;
};

// The long spelling of a flag: "--k" for "-k,--k".
std::string LongFlagName(std::string_view name);
// All spellings: {"-k", "--k"} for "-k,--k".
std::vector<std::string> Spellings(const FlagSet::Entry& entry);
bool HasSpelling(const FlagSet::Entry& entry, std::string_view word);

// Parses "512MiB", "2G", "1.5 GB", "1000": K, M, G, T and KiB.. are powers of 1024, KB.. of 1000.
std::optional<uint64_t> ParseByteSize(std::string_view text);

// Parses a whole number of seconds, minutes, hours, days or weeks, as in "30m" or "7d", into
// nanoseconds; "0" needs no unit. Returns: nullopt for other text and beyond 292 years.
std::optional<int64_t> ParseDuration(std::string_view text);

}  // namespace recall
