#include "query/memory/git/session_commits.h"

#include <algorithm>
#include <iterator>

#include "query/memory/git/branch_log.h"

namespace recall {
namespace {

constexpr UnixNanos kSecondOfCommits = 1'000'000'000;
constexpr UnixNanos kFirstReach = 30 * 86'400 * kSecondOfCommits;

bool HaveCommonFile(const std::vector<std::string>& sorted, const std::vector<std::string>& files) {
  return std::any_of(files.begin(), files.end(), [&](const std::string& file) {
    return std::binary_search(sorted.begin(), sorted.end(), file);
  });
}

void AddCommit(const GitCommit& commit, CommitGrade grade, SessionCommits* found) {
  found->commits.push_back({commit.sha, grade});
  found->commit = commit.sha;
  found->files.insert(found->files.end(), commit.files.begin(), commit.files.end());
}

}  // namespace

std::string_view CommitGradeName(CommitGrade grade) {
  switch (grade) {
    case CommitGrade::kExplicit:
      return "explicit";
    case CommitGrade::kTrailer:
      return "trailer";
    case CommitGrade::kInferred:
      return "inferred";
  }
  return "";
}

Result<const SessionCommitFinder::BranchLog*> SessionCommitFinder::LogSince(
    const std::string& branch, UnixNanos from) {
  const auto [place, is_first] = logs_.try_emplace(branch);
  BranchLog& log = place->second;
  if (!is_first && log.from <= from) return &log;
  // Each reading goes further back than the one before by a period that doubles.
  const UnixNanos reach = is_first ? kFirstReach : 2 * log.reach;
  if (!is_first && from >= 0) from = std::max<UnixNanos>(0, from - log.reach);
  Result<std::vector<GitCommit>> commits =
      CommitsSince(repository_, branch, from, [&](const GitCommit& commit) {
        return !commit.session_ids.empty() || IsSameEmail(commit.author, repository_.email);
      });
  if (!commits) {
    logs_.erase(place);
    return Fail(commits.error());
  }
  log = {from, reach, std::move(*commits), {}};
  for (size_t i = 0; i < log.commits.size(); ++i) {
    for (const std::string& id : log.commits[i].session_ids) log.named[id].push_back(i);
  }
  return &log;
}

Result<SessionCommits> SessionCommitFinder::Find(const SessionInGit& session,
                                                 std::span<const GitCommit> given) {
  SessionCommits found;
  for (const GitCommit& commit : given) AddCommit(commit, CommitGrade::kExplicit, &found);
  if (given.empty()) {
    const UnixNanos from = session.from - session.from % kSecondOfCommits;
    const std::string& branch = session.branch.empty() ? repository_.branch : session.branch;
    RECALL_ASSIGN(const BranchLog* const log, LogSince(branch, from));
    // A commit before the first turn cannot come out of the session, whatever its text says.
    if (const auto named = log->named.find(session.id); named != log->named.end()) {
      for (const size_t i : named->second) {
        if (log->commits[i].at >= from) AddCommit(log->commits[i], CommitGrade::kTrailer, &found);
      }
    }
    if (found.commits.empty() && !repository_.email.empty()) {
      std::vector<std::string> files = session.files;
      std::sort(files.begin(), files.end());
      const auto first =
          std::partition_point(log->commits.begin(), log->commits.end(),
                               [&](const GitCommit& commit) { return commit.at < from; });
      for (auto commit = first; commit != log->commits.end() && commit->at <= session.to;
           ++commit) {
        const bool fits = !commit->is_merge && IsSameEmail(commit->author, repository_.email) &&
                          HaveCommonFile(files, commit->files);
        if (fits) AddCommit(*commit, CommitGrade::kInferred, &found);
      }
    }
  }
  const auto by_sha = [](const SessionCommit& a, const SessionCommit& b) { return a.sha < b.sha; };
  std::sort(found.commits.begin(), found.commits.end(), by_sha);
  found.commits.erase(std::unique(found.commits.begin(), found.commits.end()), found.commits.end());
  std::sort(found.files.begin(), found.files.end());
  found.files.erase(std::unique(found.files.begin(), found.files.end()), found.files.end());
  return found;
}

}  // namespace recall
