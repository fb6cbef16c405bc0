#pragma once

// Requests and reports of push and pull: sessions and notes on branches of a git remote.
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
  std::string filter = {};          // in RQL; only documents that satisfy it
  bool force = false;               // write the branch anew, and replace that of the remote
  bool include_unredacted = false;  // also sessions that were captured with their secrets
  bool include_private = false;     // also notes whose card says that they are private
  bool dry_run = false;
  SecretSettings secret_settings = {};
};

struct PushedNotes {
  int64_t present = 0;       // that are to be on the branch
  int64_t written = 0;       // of them, with a new version on the branch
  int64_t removed = 0;       // whose removal is new on the branch
  int64_t kept_private = 0;  // left out because they are private
  int64_t kept_by_git = 0;   // left out because git has their files
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
  PushedNotes notes;
  std::map<std::string, int64_t> redacted;  // secrets that today's rules found, by kind
  std::vector<std::string> warnings;
};

struct PullRequest {
  std::string directory = ".";  // in the repository
  std::string remote = "origin";
  bool dry_run = false;
  uint32_t threads = 0;                       // 0: one per core
  std::optional<std::string> notes_dir = {};  // as in SaveRequest
  SecretSettings secret_settings = {};
};

struct PulledBranch {
  std::string name;  // "recall/bob@example.com"
  std::string commit;
  int64_t frames = 0;
  int64_t versions = 0;               // of sessions, in its frames
  int64_t note_versions = 0;          // of notes; only the own branch is read for notes
  std::vector<int64_t> damaged = {};  // frames that were skipped
  std::string problem = {};           // why it was not read; "": it was
};

// A note of which there were several texts. None is lost.
struct NoteConflict {
  std::string path;
  std::string copy;           // the path of the note with another text
  bool local_stands = false;  // the note at `path` is that of this store
};

// A note that was left as it is.
struct NoteLeft {
  std::string path;
  std::string reason;
};

struct PulledNotes {
  int64_t added = 0;
  int64_t updated = 0;
  int64_t removed = 0;
  int64_t unchanged = 0;
  int64_t refused = 0;  // versions that are not what they say
  std::vector<NoteConflict> conflicts = {};
  std::vector<std::string> kept = {};  // removed elsewhere, but edited here
  std::vector<NoteLeft> left = {};

  bool changed() const { return added + updated + removed > 0 || !conflicts.empty(); }
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
  PulledNotes notes;
  std::vector<std::string> warnings;
  bool cancelled = false;
};

}  // namespace recall
