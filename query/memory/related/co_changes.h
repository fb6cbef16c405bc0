#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace recall {

// What changed together with a file once: the other files of a session or a commit.
struct ChangeSet {
  std::string id;  // the path of a session, or the id of a commit
  bool is_commit = false;
  std::vector<std::string> others;  // sorted, unique; none: the file changed alone
};

struct CoChange {
  std::string path;
  double score = 0;
  int64_t sessions = 0;
  int64_t commits = 0;
  std::vector<std::string> session_paths;  // the first of the sets, at most three of each kind
  std::vector<std::string> commit_ids;
};

struct CoChanges {
  int64_t sessions = 0;  // that counted, also those without others
  int64_t commits = 0;
  int64_t too_large = 0;          // sets that did not count
  std::vector<CoChange> changes;  // by score, then by the number of sets, then by path
};

// Sums up `sets`, each the newest first. Linear in their files.
CoChanges SumUpChanges(std::span<const ChangeSet> sets);

}  // namespace recall
