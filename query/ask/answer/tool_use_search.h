#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/search/snapshot/snapshot.h"
#include "query/types/search_types.h"

namespace recall {

// Sessions in which tools were used as asked for.
struct FoundToolUses {
  struct Uses {
    std::vector<CommandRun> ran;
    std::vector<ToolOutput> outputs;
  };
  Bitmap chunks;                           // of these sessions, within the scope
  std::unordered_map<int64_t, Uses> uses;  // by document row
  std::vector<std::string> warnings;       // what could not be searched
};

// Finds the sessions that satisfy `wanted`. `allowed`: the chunks of the scope; null: all.
// Requires: wanted.any(). Errors: InvalidArgument for a command with a newline; Corruption.
Result<FoundToolUses> FindToolUses(const Snapshot& snapshot, const ToolUseConditions& wanted,
                                   const Bitmap* allowed);

}  // namespace recall
