#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/setup/runs/run_record.h"
#include "storage/base/result.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {

// At most so many runs are shown. Twice as many are kept.
inline constexpr size_t kMostRuns = 1000;

// Where the runs of a store are recorded: PLACE.jsonl, PLACE.old.jsonl and PLACE.lock, below
// XDG_STATE_HOME, else ~/.local/state; "" without a home. `store`: its path, with whatever links,
// or its address.
std::string PlaceOfRuns(const std::string& store);

// The record of the runs of one store, and the lock that the active one holds. Not thread-safe.
class RunLog final {
 public:
  explicit RunLog(std::string place) : place_(std::move(place)) {}

  // Takes the lock until the object or the process ends, without waiting. Makes the directories.
  // Returns: false if another process has it. Errors: IoError; Unsupported if the file system has
  // no locks.
  Result<bool> Lock();

  // Appends to the record. Skipped may be called without the lock; Begin also makes room for the
  // run, and gives it its id. Errors: IoError.
  Status Begin(RunRecord* run);
  Status JobEnded(const RunRecord& run, const JobRecord& job) const;
  Status Ended(const RunRecord& run) const;
  Status Skipped(RunRecord* run) const;

  // The runs, the newest first; none if they cannot be read.
  std::vector<RunRecord> Read() const;

 private:
  Status Append(std::string_view line, bool durable) const;
  bool IsLocked() const;
  std::string ReadBoth() const;
  std::string newer() const { return place_ + ".jsonl"; }
  std::string older() const { return place_ + ".old.jsonl"; }

  std::string place_;
  std::optional<FileDescriptor> lock_;  // of the active run
};

}  // namespace recall
