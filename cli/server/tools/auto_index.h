#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "cli/server/tools/command_runner.h"

namespace recall {

// Makes the store of a directory when it is first asked for, and brings it up to date when a while
// has passed since. Shared by all threads of a server: one works, and the others wait for it.
class AutoIndex final {
 public:
  // `directory`: what to add. `refresh_micros`: how long the store is taken to be up to date.
  AutoIndex(std::string directory, int64_t refresh_micros)
      : directory_(std::move(directory)), refresh_micros_(refresh_micros) {}

  // Does what is due. Returns: the output of the command that failed; nothing if all is well.
  std::optional<CommandOutput> Update(CommandRunner& runner);

 private:
  const std::string directory_;
  const int64_t refresh_micros_;
  std::mutex mutex_;
  std::optional<int64_t> updated_micros_;  // SteadyMicros of the last update
};

}  // namespace recall
