#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/show/terminal/exit_code.h"

namespace recall {

struct CommandOutput {
  ExitCode exit = ExitCode::kDone;
  std::string text;  // JSON, of an error, too

  bool ok() const { return exit == ExitCode::kDone; }
};

// How far a command is.
struct CommandProgress {
  std::optional<int64_t> done;  // unset: a further step of an unknown number
  int64_t total = 0;            // 0: unknown
  std::string message;          // what is being done
};

// Runs commands of `recall`. Not thread-safe, except Cancel.
class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  // `args`: flags and words; texts are taken literally.
  virtual CommandOutput Run(std::string_view command, std::vector<std::string> args) = 0;
  // The same, but never answers from a cache.
  virtual CommandOutput RunAnew(std::string_view command, std::vector<std::string> args) {
    return Run(command, std::move(args));
  }
  // Sets a function that receives the progress of further commands, on their thread; empty: none.
  virtual void OnProgress(std::function<void(const CommandProgress&)>) {}
  // Ends the present command, and all further ones until Renew.
  virtual void Cancel() = 0;
  virtual void Renew() = 0;
};

}  // namespace recall
