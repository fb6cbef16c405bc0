#pragma once

// Which commits came out of a session.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/memory/git/repository.h"

namespace recall {

// How a commit is known to belong to a session, the best first:
// explicit: somebody said so; trailer: a trailer or note of the commit names the session;
// inferred: by the same author, on the branch, in the time of the session, and it changes a file
// that the session's tools named.
enum class CommitGrade { kExplicit, kTrailer, kInferred };
std::string_view CommitGradeName(CommitGrade grade);  // "explicit", "trailer", "inferred"

// What is known of a session when its commits are looked for.
struct SessionInGit {
  std::string id;
  std::string branch;              // "": that of HEAD
  UnixNanos from = 0;              // its first turn
  UnixNanos to = 0;                // now, or --at
  std::vector<std::string> files;  // that its tools named, relative to the root
};

struct SessionCommit {
  std::string sha;
  CommitGrade grade = CommitGrade::kInferred;

  bool operator==(const SessionCommit&) const = default;
};

struct SessionCommits {
  std::vector<SessionCommit> commits;  // by sha
  std::string commit;                  // the last one of the best grade; "": there are none
  std::vector<std::string> files;      // that the commits change; sorted, unique

  bool operator==(const SessionCommits&) const = default;
};

// Finds the commits of many sessions. What git says of a branch is read when the first session asks
// for it, and again only if a later one is much older, so git is started a few times at most.
// Merges are not inferred. Not thread-safe. `repository` must outlive it.
class SessionCommitFinder final {
 public:
  explicit SessionCommitFinder(const GitRepository& repository) : repository_(repository) {}

  // `given`: commits that somebody named (ReadCommit of --commit). If there are any, they alone are
  // the commits; else those that name the session; else those that are inferred.
  // Errors: those of CommitsSince.
  Result<SessionCommits> Find(const SessionInGit& session, std::span<const GitCommit> given);

 private:
  struct BranchLog {
    UnixNanos from = 0;
    UnixNanos reach = 0;             // how much earlier than `from` the next reading begins
    std::vector<GitCommit> commits;  // oldest first
    std::unordered_map<std::string, std::vector<size_t>> named;  // by session id
  };
  Result<const BranchLog*> LogSince(const std::string& branch, UnixNanos from);

  const GitRepository& repository_;
  std::map<std::string, BranchLog> logs_;
};

}  // namespace recall
