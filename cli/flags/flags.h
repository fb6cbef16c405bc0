#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/status.h"

namespace recall {

// A configuration key set on the command line: `--threads 4` is {"threads", "--threads", "4"}.
struct FlagSetting {
  std::string key;
  std::string flag;
  std::string text;
};

// The flags and arguments of one command. Declared first, then parsed once; targets must outlive
// the set and keep their values when their flag is not given. A single-valued flag given twice
// takes its last value. Names are CLI11's: "-k,--k".
class FlagSet final {
 public:
  // For help, completions and man pages: what the user may write, in order of declaration.
  struct Entry {
    std::string name;   // "-k,--k"; of an argument "PATH"
    std::string value;  // "N", or "" for a switch
    std::string help;
    bool global = false;
    bool repeatable = false;           // flags that keep every value; arguments that take many
    std::vector<std::string> choices;  // all that the value can be; empty: anything

    bool is_argument() const { return name[0] != '-'; }
  };

  void Switch(std::string name, bool* target, std::string help);
  void Text(std::string name, std::optional<std::string>* target, std::string value,
            std::string help);
  void TextList(std::string name, std::vector<std::string>* target, std::string value,
                std::string help);
  // Whole numbers from `min` to `max`; INT32_MAX stands for no limit that matters to the user.
  void Number(std::string name, int64_t* target, int64_t min, int64_t max, std::string help);
  void Number(std::string name, std::optional<int64_t>* target, int64_t min, int64_t max,
              std::string help);
  // A number from 0 to 1.
  void Share(std::string name, double* target, std::string value, std::string help);
  // Bytes: "512MiB", "2G", "1000".
  void Size(std::string name, uint64_t* target, std::string help);
  void Size(std::string name, std::optional<uint64_t>* target, std::string help);
  // A length of time in nanoseconds: "90s", "30m", "12h", "7d", "2w", "0".
  void Duration(std::string name, std::optional<int64_t>* target, std::string help);
  void Choice(std::string name, std::string* target, std::vector<std::string> choices,
              std::string help);
  // A configuration key; config.h checks its type and range. `choices`: all that it can be.
  void Setting(std::string name, std::string key, std::string value, std::string help,
               std::vector<std::string> choices = {});
  // What is left after the flags; when there are `choices`, every word must be one of them.
  // Requires: called at most once.
  void Words(std::string name, std::vector<std::string>* target, size_t min, size_t max,
             std::string help, std::vector<std::string> choices = {});
  // Flags declared from now on are global ones: help shows them last.
  void BeginGlobals() { global_ = true; }

  // Returns: InvalidArgument with a sentence and a hint for anything that does not fit.
  Status Parse(const std::vector<std::string>& args);

  const std::vector<Entry>& entries() const { return entries_; }
  const std::vector<FlagSetting>& settings() const { return settings_; }

 private:
  using Values = std::vector<std::string>;
  using Apply = std::function<Status(const Values&)>;

  Entry& Declare(std::string name, std::string value, std::string help, Apply apply);
  void DeclareSize(std::string name, std::string help, std::function<void(uint64_t)> set);
  Status CheckSwitches(const std::vector<std::string>& args) const;  // no --json=yes
  Status TakeWords(std::vector<std::string> words);
  Status UnknownFlag(const std::string& flag) const;

  std::vector<Entry> entries_;
  std::vector<Apply> apply_;  // beside entries_
  std::vector<FlagSetting> settings_;
  bool global_ = false;

  size_t words_entry_ = 0;  // in entries_, when there is one
  std::vector<std::string>* words_ = nullptr;
  size_t words_min_ = 0;
  size_t words_max_ = 0;
};

// The long spelling of a flag's name: "-k,--k" is "--k".
std::string LongFlagName(std::string_view name);
// All of them: "-k,--k" is {"-k", "--k"}.
std::vector<std::string> Spellings(const FlagSet::Entry& entry);
bool HasSpelling(const FlagSet::Entry& entry, std::string_view word);

// "512MiB", "2G", "1.5 GB", "1000": K, M, G, T and KiB.. are powers of 1024, KB.. of 1000.
std::optional<uint64_t> ParseByteSize(std::string_view text);

// A whole number of seconds, minutes, hours, days or weeks as nanoseconds: "30m", "7d"; "0" needs
// no unit. Nothing for other text and beyond 292 years.
std::optional<int64_t> ParseDuration(std::string_view text);

// The candidate closest to `word` by edit distance, or "" when none is close enough to be meant.
std::string Nearest(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace recall
