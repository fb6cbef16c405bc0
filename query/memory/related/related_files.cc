// The files that change together with a file, as sessions and commits tell.
//
// A session and a commit may tell of the same change. A session whose other files are all in one of
// the commits that it led to says nothing beside this commit and does not count.

#include "query/memory/related/related_files.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "query/ask/answer/search.h"
#include "query/memory/git/branch_log.h"

namespace recall {
namespace {

using OthersOfCommits = std::map<std::string_view, const std::vector<std::string>*>;

std::vector<ChangeSet> SetsOfCommits(const FileHistory& history, const std::string& name) {
  std::vector<ChangeSet> sets;
  for (const GitCommit& commit : history.commits) {
    ChangeSet set{.id = commit.sha, .is_commit = true, .others = commit.files};
    std::erase(set.others, name);
    sets.push_back(std::move(set));
  }
  return sets;
}

bool IsWithinACommit(const ChangedSession& session, const OthersOfCommits& commits) {
  return std::ranges::any_of(session.commits, [&](const std::string& sha) {
    const auto commit = commits.find(sha);
    return commit != commits.end() && std::ranges::includes(*commit->second, session.set.others);
  });
}

RelatedFile MakeRelatedFile(CoChange change, int64_t sets) {
  RelatedFile file;
  file.share = static_cast<double>(change.sessions + change.commits) / static_cast<double>(sets);
  file.path = std::move(change.path);
  file.score = change.score;
  file.sessions = change.sessions;
  file.commits = change.commits;
  file.session_paths = std::move(change.session_paths);
  file.commit_ids = std::move(change.commit_ids);
  return file;
}

std::string WarningOf(const RelatedResponse& response, bool git) {
  if (!response.files.empty()) return "";
  if (response.sessions + response.commits > 0) {
    return "nothing that is still there changed together with " + response.path;
  }
  if (response.too_large > 0) {
    return response.path + " changed only in sessions or commits of more than 50 files";
  }
  return std::string(git ? "no session and no commit" : "no session") + " changed " + response.path;
}

}  // namespace

Result<FileHistory> ReadFileHistory(const RelatedRequest& request, const FileInTree& file) {
  FileHistory history;
  if (!request.git || !file.tree) return history;
  RECALL_ASSIGN(const auto repository, FindRepository(file.tree->root));
  if (!repository) {
    history.warning = "git does not read " + file.tree->root + ", so only sessions count";
    return history;
  }
  RECALL_ASSIGN(history.commits, CommitsThatChanged(*repository, file.name, request.newest));
  return history;
}

Result<RelatedResponse> RunRelated(const Snapshot& snapshot, const RelatedRequest& request,
                                   const FileInTree& file, const FileHistory& history,
                                   const std::string& commit_token) {
  if (request.limit < 1 || request.newest < 1) {
    return Fail(Status::InvalidArgument("--limit and --newest must be at least 1"));
  }
  RECALL_ASSIGN(
      ChangedSessions changed,
      SessionsThatChanged(snapshot, file, {.scope = request.scope, .newest = request.newest},
                          commit_token));
  std::vector<ChangeSet> sets = SetsOfCommits(history, file.name);
  OthersOfCommits commits;
  for (const ChangeSet& set : sets) commits.emplace(set.id, &set.others);
  std::vector<ChangeSet> of_sessions;
  for (ChangedSession& session : changed.sessions) {
    if (!IsWithinACommit(session, commits)) of_sessions.push_back(std::move(session.set));
  }
  std::ranges::move(of_sessions, std::back_inserter(sets));
  CoChanges sum = SumUpChanges(sets);
  std::erase_if(sum.changes,
                [&](const CoChange& change) { return !IsStillThere(file, change.path); });

  RelatedResponse response;
  ReportScope(changed.scope, false, response);
  response.path = file.name;
  response.sessions = sum.sessions;
  response.commits = sum.commits;
  response.too_large = sum.too_large;
  response.total_hits = static_cast<int64_t>(sum.changes.size());
  sum.changes.resize(std::min(sum.changes.size(), request.limit));
  for (CoChange& change : sum.changes) {
    response.files.push_back(MakeRelatedFile(std::move(change), sum.sessions + sum.commits));
  }
  for (std::string warning : {history.warning, WarningOf(response, request.git)}) {
    if (!warning.empty()) response.warnings.push_back(std::move(warning));
  }
  return response;
}

}  // namespace recall
