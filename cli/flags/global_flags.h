#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/flags/flags.h"

namespace recall {

enum class OutputMode { kText, kJson, kJsonLines };

// Flags that every command has.
struct GlobalFlags {
  std::optional<std::string> store;
  std::optional<std::string> config_file;
  bool json = false;
  bool json_lines = false;
  std::string color = "auto";
  bool quiet = false;
  bool stable = false;  // leave out what differs from run to run
  bool help = false;    // only declared: the app looks for it before it parses

  OutputMode mode() const {
    return json_lines ? OutputMode::kJsonLines : json ? OutputMode::kJson : OutputMode::kText;
  }
};

// Declares them; to be called after the command's own.
void DeclareGlobals(FlagSet& flags, GlobalFlags& globals);

// The table of them, for who needs no values.
std::vector<FlagSet::Entry> GlobalEntries();

}  // namespace recall
