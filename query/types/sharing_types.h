#pragma once

// Requests and reports of push and pull: sessions on branches of a git remote.
// query/database/database.h contains the functions.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "index/source/secrets/secret_settings.h"

namespace recall {

struct PushRequest {
  std::string directory = ".";  // in the repository
  std::string remote = "origin";
  std::string filter = {};          // in RQL; only sessions that satisfy it
  bool force = false;               // write the branch anew, and replace that of the remote
  bool include_unredacted = false;  // also sessions that were captured with their secrets
  bool dry_run = false;
  SecretSettings secret_settings = {};
};

struct PushReport {
  std::string remote;
  std::string branch;       // "recall/ada@example.com"
  std::string commit;       // of the branch; "": there is none yet
  bool new_commit = false;  // it was made by this push
  int64_t sessions = 0;     // that are to be on the branch
  int64_t written = 0;      // of them, with a new version on the branch
  int64_t kept_back = 0;    // not on the branch because they were captured with their secrets
  int64_t bytes = 0;        // by which the file grew
  int64_t body_bytes = 0;   // the file
  std::map<std::string, int64_t> redacted;  // secrets that today's rules found, by kind
  std::vector<std::string> warnings;
};

struct PullRequest {
  std::string directory = ".";  // in the repository
  std::string remote = "origin";
  bool dry_run = false;
  uint32_t threads = 0;  // 0: one per core
};

struct PulledBranch {
  std::string name;  // "recall/bob@example.com"
  std::string commit;
  int64_t frames = 0;
  int64_t versions = 0;               // of sessions, in its frames
  std::vector<int64_t> damaged = {};  // frames that were skipped
  std::string problem = {};           // why it was not read; "": it was
};

struct PullReport {
  std::string remote;
  std::vector<PulledBranch> branches;
  int64_t added = 0;      // sessions
  int64_t grown = 0;      // sessions with a new version
  int64_t refreshed = 0;  // sessions of which only metadata changed
  int64_t unchanged = 0;
  int64_t forgotten = 0;  // that must not come back
  int64_t refused = 0;    // versions that are not what they say, or no sessions
  std::vector<std::string> warnings;
  bool cancelled = false;
};

}  // namespace recall
