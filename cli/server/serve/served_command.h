#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/flags/flags.h"

namespace recall {

// A command that clients may run: POST /v1/NAME.
struct ServedCommand {
  std::string_view name;
  std::string_view summary;
  bool writes = false;
  std::vector<FlagSet::Entry> entries;
};

}  // namespace recall
