#pragma once

#include <optional>
#include <string>
#include <vector>

#include "index/search/snapshot/snapshot.h"
#include "query/ask/rows/scope.h"
#include "query/memory/git/work_tree.h"
#include "query/memory/related/co_changes.h"

namespace recall {

// A file, and what sessions and commits call it.
struct FileInTree {
  std::string absolute;
  std::optional<WorkTree> tree;  // that it lies in; none: outside of git
  std::string name;              // from the root of the tree; outside of git absolute
};

// `file`: relative to the working directory, or absolute. It need not exist.
FileInTree LocateFile(const std::string& file);

// Whether a file of an answer is still there. True outside of git, where its directory is unknown.
bool IsStillThere(const FileInTree& file, const std::string& other);

// A session that changed a file.
struct ChangedSession {
  ChangeSet set;
  std::vector<std::string> commits;  // that it led to
};

struct SessionChoice {
  Scope scope = {};         // of the sessions that count
  std::string except = {};  // the id of one that does not
  int64_t newest = 30;      // at most so many
};

struct ChangedSessions {
  std::vector<ChangedSession> sessions;  // the newest first
  ResolvedScope scope;                   // the choice's
};

// The sessions that changed the file, as far as their tools say; else as far as the commits say
// that they led to. A session that was held in another repository of this machine is not of this
// file. Errors: those of ResolveScope.
Result<ChangedSessions> SessionsThatChanged(const Snapshot& snapshot, const FileInTree& file,
                                            const SessionChoice& choice,
                                            const std::string& commit_token);

}  // namespace recall
