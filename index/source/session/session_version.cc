// Unites two versions of a session.
//
// Problem. Machines that exchange versions in any order, and any number of times, must come to the
// same session, and lose no turn.
//
// Idea. Turns are united by UniteTurns, which prefers the texts of the newer version. Which one is
// newer follows from what the versions say, not from which store asks: the time of the last turn,
// the number of turns, the text. Metadata are united field by field: lists by union, numbers and
// names by their maximum, grades by the best.
//
// Invariants. Each operation is commutative and idempotent, those on metadata are associative, too.
// The union has all turns of both versions and is not older than either, so uniting it with one of
// them again changes nothing.
//
// Cost: linear in both versions.

#include "index/source/session/session_version.h"

#include <algorithm>
#include <tuple>

#include "index/source/session/session_union.h"

namespace recall {
namespace {

std::vector<std::string> UnionOf(const std::vector<std::string>& a,
                                 const std::vector<std::string>& b) {
  std::vector<std::string> all = a;
  all.insert(all.end(), b.begin(), b.end());
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

template <typename T, typename Better>
std::optional<T> Chosen(const std::optional<T>& a, const std::optional<T>& b, Better better) {
  if (!a || !b) return a ? a : b;
  return better(*a, *b) ? a : b;
}

// "explicit" is 2, "trailer" 1, anything else 0.
int RankOfGrade(const std::string& grade) {
  return grade == "explicit" ? 2 : grade == "trailer" ? 1 : 0;
}

// An order of grades in which no two are equal.
std::tuple<int, const std::string&> OrderOfGrade(const std::string& grade) {
  return {RankOfGrade(grade), grade};
}

// The last of the commits with the best grade. Which one is the last only git knows, so the answer
// of a version that knows all commits with these grades stands.
std::string LastCommit(const SessionMeta& united, const SessionMeta& a, const SessionMeta& b) {
  const bool a_knows = a.commits == united.commits;
  const bool b_knows = b.commits == united.commits;
  if (a_knows != b_knows) return a_knows ? a.commit : b.commit;
  const auto order = [&](const std::string& commit) {
    const auto grade = united.commits.find(commit);
    const int rank = grade == united.commits.end() ? -1 : RankOfGrade(grade->second);
    return std::tuple<int, const std::string&>(rank, commit);
  };
  return order(a.commit) < order(b.commit) ? b.commit : a.commit;
}

SessionMeta UniteMeta(const SessionMeta& a, const SessionMeta& b) {
  SessionMeta meta;
  for (const auto field :
       {&SessionMeta::agent, &SessionMeta::id, &SessionMeta::parent, &SessionMeta::actor,
        &SessionMeta::author, &SessionMeta::branch, &SessionMeta::cwd, &SessionMeta::model,
        &SessionMeta::title, &SessionMeta::transcript}) {
    meta.*field = std::max(a.*field, b.*field);
  }
  meta.started_at = Chosen(a.started_at, b.started_at, std::less<>());
  meta.captured_at = Chosen(a.captured_at, b.captured_at, std::greater<>());
  meta.files = UnionOf(a.files, b.files);
  meta.tools = UnionOf(a.tools, b.tools);
  meta.commit_files = UnionOf(a.commit_files, b.commit_files);
  meta.commits = a.commits;
  for (const auto& [sha, grade] : b.commits) {
    std::string& known = meta.commits.try_emplace(sha, grade).first->second;
    if (OrderOfGrade(known) < OrderOfGrade(grade)) known = grade;
  }
  meta.commit = LastCommit(meta, a, b);
  meta.imported_captured_at =
      Chosen(a.imported_captured_at, b.imported_captured_at, std::greater<>());
  meta.redacted = a.redacted;
  for (const auto& [kind, count] : b.redacted) {
    meta.redacted[kind] = std::max(meta.redacted[kind], count);
  }
  meta.keeps_secrets = a.keeps_secrets || b.keeps_secrets;
  meta.changed_files = UnionOf(a.changed_files, b.changed_files);
  meta.offered_paths = UnionOf(a.offered_paths, b.offered_paths);
  meta.followed_paths = UnionOf(a.followed_paths, b.followed_paths);
  return meta;
}

}  // namespace

SessionVersion ReadSessionVersion(std::string_view text, std::string_view meta) {
  return {ReadSessionText(text), ReadSessionMeta(meta)};
}

SessionVersion UniteVersions(const SessionVersion& a, const SessionVersion& b) {
  const auto order = [](const SessionVersion& version) {
    return std::tuple(version.meta.captured_at, version.turns.turns.size(),
                      WriteSessionText(version.turns.turns, version.turns.tool_calls));
  };
  const bool a_is_older = order(a) < order(b);
  SessionVersion united;
  united.turns = a_is_older ? UniteTurns(a.turns, b.turns) : UniteTurns(b.turns, a.turns);
  united.meta = UniteMeta(a.meta, b.meta);
  united.meta.turns = static_cast<int64_t>(united.turns.turns.size());
  united.meta.tool_calls = static_cast<int64_t>(united.turns.tool_calls.size());
  return united;
}

}  // namespace recall
