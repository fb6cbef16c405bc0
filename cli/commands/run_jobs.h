#pragma once

// The jobs of `recall run`: what is done to a store again and again, unattended.

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/settings/store_locator.h"
#include "cli/run/command/command_context.h"
#include "cli/show/terminal/exit_code.h"
#include "storage/base/result.h"

namespace recall {

inline constexpr std::array<std::string_view, 4> kJobNames = {"capture", "add", "compact",
                                                              "doctor"};

struct JobSettings {
  std::vector<std::string> known;      // where `add` looks for new files; empty: beside the store
  bool all_sessions = false;           // `capture`: of all directories, not only the store's
  std::optional<int64_t> max_skipped;  // more skipped files are a failure of `add`
};

struct JobOutcome {
  std::optional<Failure> failure;
  std::map<std::string, int64_t> counts;  // what was done
  std::vector<std::string> warnings;
};

// Runs jobs one after the other. Each opens the store for itself, so the next one may do what a
// failed one could not. Not thread-safe.
class JobRunner final {
 public:
  // The arguments must outlive it. `cancel`: set by Ctrl-C.
  JobRunner(const CommandContext& context, const StoreLocation& location,
            const JobSettings& settings, const std::atomic<bool>* cancel)
      : context_(context), location_(location), settings_(settings), cancel_(cancel) {}

  // `name`: one of kJobNames.
  JobOutcome Run(std::string_view name) const;

 private:
  Result<std::unique_ptr<Database>> Open() const;
  Result<JobOutcome> Dispatch(std::string_view name) const;
  Result<JobOutcome> Add() const;
  Result<JobOutcome> Capture() const;
  Result<JobOutcome> Compact() const;
  Result<JobOutcome> Doctor() const;

  const CommandContext& context_;
  const StoreLocation& location_;
  const JobSettings& settings_;
  const std::atomic<bool>* cancel_;
};

}  // namespace recall
