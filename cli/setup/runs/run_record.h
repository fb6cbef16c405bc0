#pragma once

// A run of jobs, as it is recorded: a line of JSON when it begins, one for each job that ends, and
// one for its end. What has no line for its end was killed, or is still going on.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"

namespace recall {

enum class RunStatus {
  kDone,
  kFailed,
  kCancelled,  // ended by Ctrl-C or SIGTERM
  kSkipped,    // another run was active
  kRunning,
  kInterrupted,  // killed
  kNotRun,       // only of a job
};

// "done", "failed", "cancelled", "skipped", "running", "interrupted", "not_run".
std::string_view NameOf(RunStatus status);

// How a run or a job ended.
struct RunEnd {
  int64_t micros = 0;  // from its beginning
  int exit_code = 0;
  std::string error{};  // the code, as in JSON; "" if there is none
  std::string message{};
};

struct JobRecord {
  std::string name{};
  RunStatus status = RunStatus::kNotRun;
  std::optional<RunEnd> end{};
  std::map<std::string, int64_t> counts{};  // what it did
};

struct RunRecord {
  std::string id{};
  UnixNanos began = 0;
  RunStatus status = RunStatus::kInterrupted;
  std::optional<RunEnd> end{};    // nothing if it was skipped
  std::vector<JobRecord> jobs{};  // that were asked for, in their order
};

// kDone, kCancelled or kFailed.
RunStatus StatusOf(const RunEnd& end);

// The lines, each with its newline.
std::string BeginLine(const RunRecord& run);
std::string SkippedLine(const RunRecord& run);
std::string JobLine(const RunRecord& run, const JobRecord& job);
std::string EndLine(const RunRecord& run);

// The runs of a text of lines, the oldest first. Those without an end are kInterrupted. Lines that
// are not understood, or belong to no run, are left out: a full disk or a power cut leaves such. A
// line may be there twice.
std::vector<RunRecord> ParseRuns(std::string_view text);

}  // namespace recall
