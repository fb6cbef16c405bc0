#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/flags/flags.h"
#include "cli/run/command/command_context.h"
#include "cli/show/terminal/exit_code.h"
#include "storage/base/result.h"

namespace recall {

// The flags of `run` that write or remove a timer instead of running jobs.
class TimerFlags final {
 public:
  void Declare(FlagSet& flags);
  // Errors: InvalidArgument. `has_jobs`: jobs are named.
  Status Check(bool has_jobs);
  // Whether --install-timer or --remove-timer is given.
  bool AreGiven() const { return install_ || remove_; }
  // Whether a timer is to be removed, which takes no jobs.
  bool Removes() const { return remove_; }
  // Writes the units, removes them, or shows with --dry-run what would change. `words`: what the
  // service gives to `recall run`, behind the store.
  Result<ExitCode> Apply(CommandContext& context, const std::vector<std::string>& words) const;

 private:
  bool install_ = false;
  bool remove_ = false;
  bool dry_run_ = false;
  bool force_ = false;
  std::optional<std::string> at_;
  std::optional<int64_t> every_nanos_;
  std::optional<std::string> name_;
  std::string calendar_ = "*-*-* 03:00:00";
};

}  // namespace recall
