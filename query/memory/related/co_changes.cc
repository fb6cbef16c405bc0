// Which files change together.
//
// Problem. A change that needs a second file tells so nowhere in the first one: a test, a table, a
// document, the other half of a format. Those who changed the file before knew.
//
// Idea. Each session and each commit that changed the file votes for the others that it changed. A
// vote is worth more the fewer others there are: of n files each other one gets 1 / (n - 1), so
// that a set has one vote in all. Sets of more than 50 files, such as a renaming or a new format,
// say nothing of any two files and do not count.
//
// Invariant: equal sets in equal order give equal bytes. No clock is asked; that old habits lose to
// new ones is left to those who choose the sets (changed_sessions.h, CommitsThatChanged).
//
// Figures: docs/decisions/0082-related.md.

#include "query/memory/related/co_changes.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace recall {
namespace {

constexpr size_t kMostOthers = 49;
constexpr size_t kMostEvidence = 3;

bool IsBetterChange(const CoChange& a, const CoChange& b) {
  const int64_t sets_of_a = a.sessions + a.commits;
  const int64_t sets_of_b = b.sessions + b.commits;
  return std::tie(b.score, sets_of_b, a.path) < std::tie(a.score, sets_of_a, b.path);
}

}  // namespace

CoChanges SumUpChanges(std::span<const ChangeSet> sets) {
  CoChanges sum;
  std::map<std::string_view, CoChange> by_path;
  for (const ChangeSet& set : sets) {
    if (set.others.size() > kMostOthers) {
      ++sum.too_large;
      continue;
    }
    ++(set.is_commit ? sum.commits : sum.sessions);
    for (const std::string& path : set.others) {
      CoChange& change = by_path[path];
      change.score += 1.0 / static_cast<double>(set.others.size());
      ++(set.is_commit ? change.commits : change.sessions);
      std::vector<std::string>& evidence = set.is_commit ? change.commit_ids : change.session_paths;
      if (evidence.size() < kMostEvidence) evidence.push_back(set.id);
    }
  }
  for (auto& [path, change] : by_path) {
    change.path = path;
    sum.changes.push_back(std::move(change));
  }
  std::ranges::sort(sum.changes, IsBetterChange);
  return sum;
}

}  // namespace recall
