#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/options/flags/flags.h"

namespace recall {

enum class OutputMode {
  kText,
  kJson,
  kJsonLines,
  kLean,  // a short line of JSON for each result
};

// The flags of every command.
struct GlobalFlags {
  std::optional<std::string> store;
  std::optional<std::string> config_file;
  bool json = false;
  bool json_lines = false;
  bool lean = false;
  bool lean_from_environment = false;  // RECALL_OUTPUT set `lean`, not a flag
  bool lean_by_environment = false;    // only declared: RECALL_OUTPUT=lean applies to this command
  std::string color = "auto";
  std::string hyperlink = "auto";
  bool no_pager = false;
  bool no_serve = false;
  bool quiet = false;
  bool stable = false;               // omit values that differ from run to run
  bool help = false;                 // only declared: the app checks for it before it parses
  std::optional<std::string> as_of;  // not declared: --as-of of a command that has it

  OutputMode mode() const {
    if (json_lines) return OutputMode::kJsonLines;
    if (json) return OutputMode::kJson;
    return lean ? OutputMode::kLean : OutputMode::kText;
  }
};

// Declares the global flags. Call it after the flags of the command are declared.
void DeclareGlobals(FlagSet& flags, GlobalFlags& globals);

// The descriptions of the global flags.
std::vector<FlagSet::Entry> GlobalEntries();

}  // namespace recall
