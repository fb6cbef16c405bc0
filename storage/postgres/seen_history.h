#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "storage/base/result.h"
#include "storage/replica/replica_files.h"

namespace recall {

// The position of a PostgreSQL server in the history of its database. Each standby that takes over
// begins a new timeline with a greater number (PostgreSQL, "Continuous Archiving", "Timelines").
struct ServerTimeline {
  std::string system;  // the system identifier, which a primary and its standbys share
  int64_t number = 0;
};

// What this machine has seen of the history of a store on a server.
//
// The problem: a standby may take over without the last commits, and the old primary may come back.
// A server alone cannot tell that commits are missing.
//
// The idea: the machine keeps the ids of the last commits that it made or read, and the newest
// timeline of each server, in the directory of its replicas:
//
//   history      recall history 1
//                timeline 7412345678901234567 2
//                commit 41 5577006791947779410      number and id, ascending; the last 64
//                end
//
// The file is read and written as a whole, under a lock of it. What follows the line `end` is left
// of an earlier, longer content. A file without that line was not written completely, as on a full
// disk, and counts as empty. The file only serves to warn, so a failure to write it is ignored.
//
// Any number of processes and objects may use one file. An object is used by one thread at a time.
class SeenHistory final {
 public:
  static constexpr size_t kMostCommits = 64;

  // The directory is made by the first change.
  explicit SeenHistory(const std::string& directory);

  const std::string& path() const { return path_; }
  // The newest commit, as of the last call of this object; number 0 if there is none.
  PageEpoch newest() const;
  void Add(const PageEpoch& epoch);

  // Forgets the newest commits for which `is_known` returns false, up to the first for which it
  // returns true. Returns: their number. Errors: those of `is_known`.
  Result<size_t> ForgetUnknown(const std::function<Result<bool>(const PageEpoch&)>& is_known);

  // Returns the newest timeline of the server's system if it is newer than `now`. Otherwise
  // remembers `now`.
  std::optional<int64_t> FindNewer(const ServerTimeline& now);

 private:
  // Edits the present content of the file, and writes it if `edit` returns true.
  void Change(const std::function<bool()>& edit);
  void Read();
  void Parse(const std::string& text);
  std::string Print() const;

  std::string directory_;
  std::string path_;
  std::map<std::string, int64_t> timelines_;
  std::map<int64_t, int64_t> commits_;  // number and id
};

}  // namespace recall
