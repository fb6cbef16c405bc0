#include "query/memory/sessions/session_documents.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "index/base/text/utf8.h"
#include "index/source/session/session_union.h"
#include "index/source/transcript/tool_kinds.h"
#include "storage/tables/doc_origin.h"

namespace recall {
namespace {

constexpr size_t kSessionTitleBytes = 80;

std::string PathPart(std::string_view text) {
  std::string part;
  AppendRepairedUtf8(text, &part);
  for (char& c : part) {
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '_';
  }
  return part.empty() || part == "." || part == ".." ? "_" : part;
}

// The first line that a person said, cut between words.
std::string TitleOf(const std::vector<Turn>& turns) {
  const auto first = std::ranges::find(turns, TurnRole::kHuman, &Turn::role);
  if (first == turns.end()) return {};
  std::string_view line = first->text;
  line = line.substr(0, line.find('\n'));
  if (line.size() <= kSessionTitleBytes) return std::string(line);
  line = line.substr(0, FloorToCharacter(line, kSessionTitleBytes));
  const size_t space = line.rfind(' ');
  return std::string(line.substr(0, space == line.npos || space == 0 ? line.size() : space)) +
         "...";
}

std::vector<std::string> SortedUnique(std::vector<std::string> items) {
  std::ranges::sort(items);
  const auto repeated = std::ranges::unique(items);
  items.erase(repeated.begin(), repeated.end());
  return items;
}

// A file that a tool named: from the root of the repository if it lies there.
std::string FileName(const std::string& path, const std::string& cwd,
                     const GitRepository* repository) {
  const std::string absolute = path.starts_with('/') || cwd.empty() ? path : cwd + "/" + path;
  if (repository) {
    const auto inside = PathInRepository(*repository, absolute);
    if (inside && !inside->empty()) return *inside;
  }
  if (!cwd.empty() && absolute.starts_with(cwd + "/")) return absolute.substr(cwd.size() + 1);
  return path;
}

std::optional<UnixNanos> LastTime(const std::vector<Turn>& turns) {
  std::optional<UnixNanos> last;
  for (const Turn& turn : turns) {
    if (turn.at && (!last || *turn.at > *last)) last = turn.at;
  }
  return last;
}

std::optional<UnixNanos> FirstTime(const std::vector<Turn>& turns) {
  std::optional<UnixNanos> first;
  for (const Turn& turn : turns) {
    if (turn.at && (!first || *turn.at < *first)) first = turn.at;
  }
  return first;
}

// Which tools were used, which files they named, and which of these they changed.
void TakeUsesOfTools(const std::vector<ToolCall>& calls, const GitRepository* repository,
                     SessionMeta* meta) {
  std::map<std::string, std::string> names;  // of the paths; each is looked up once
  std::vector<std::string> tools;
  std::vector<std::string> changed;
  for (const ToolCall& call : calls) {
    if (!call.tool.empty()) tools.push_back(call.tool);
    if (call.path.empty()) continue;
    const auto [name, is_new] = names.try_emplace(call.path);
    if (is_new) name->second = FileName(call.path, meta->cwd, repository);
    if (ChangesFile(call)) changed.push_back(name->second);
  }
  std::vector<std::string> files;
  for (const auto& [path, name] : names) files.push_back(name);
  meta->files = SortedUnique(std::move(files));
  meta->changed_files = SortedUnique(std::move(changed));
  meta->tools = SortedUnique(std::move(tools));
}

// What was known of hints before stays, as turns do.
void TakeHints(const std::map<std::string, bool>& hints, SessionMeta* meta) {
  for (const auto& [path, followed] : hints) {
    meta->offered_paths.push_back(path);
    if (followed) meta->followed_paths.push_back(path);
  }
  meta->offered_paths = SortedUnique(std::move(meta->offered_paths));
  meta->followed_paths = SortedUnique(std::move(meta->followed_paths));
}

// `value`, or what was known before if it says nothing.
std::string OrElse(const std::string& value, const std::string& before) {
  return value.empty() ? before : value;
}

}  // namespace

std::string SessionPath(std::string_view agent, std::string_view id) {
  return "sessions/" + PathPart(agent) + "/" + PathPart(id);
}

const GitRepository* SessionRepositories::Find(const std::string& directory) {
  if (directory.empty()) return nullptr;
  const auto known = root_of_.find(directory);
  if (known != root_of_.end()) {
    return known->second.empty() ? nullptr : repositories_.at(known->second).get();
  }
  auto found = FindRepository(directory);
  const bool is_work_tree = found && *found && !(*found)->root.empty();
  const std::string root = is_work_tree ? (*found)->root : std::string();
  root_of_[directory] = root;
  if (root.empty()) return nullptr;
  auto& repository = repositories_[root];
  if (!repository) repository = std::make_unique<const GitRepository>(**std::move(found));
  return repository.get();
}

Result<SessionCommits> SessionRepositories::FindCommits(const GitRepository& repository,
                                                        const SessionInGit& session,
                                                        const std::vector<GitCommit>& given) {
  auto& finder = finders_[repository.root];
  if (!finder) finder = std::make_unique<SessionCommitFinder>(repository);
  return finder->Find(session, given);
}

SessionVersion UpdatedSession(const std::optional<SessionVersion>& before,
                              const SessionReading& reading) {
  const AgentSession& session = *reading.session;
  const SessionMeta old = before ? before->meta : SessionMeta();
  SessionVersion version;
  const SessionTurns read{session.turns, session.tool_calls};
  version.turns = before ? UniteTurns(before->turns, read) : read;
  SessionMeta& meta = version.meta;
  meta = old;
  meta.agent = session.agent;
  meta.id = session.id;
  meta.parent = OrElse(session.parent, old.parent);
  meta.actor = session.is_automatic ? "agent" : "human";
  meta.author = OrElse(old.author, reading.repository ? reading.repository->email : "");
  meta.branch = OrElse(session.branch, old.branch);
  if (meta.branch.empty() && reading.repository) meta.branch = reading.repository->branch;
  meta.cwd = OrElse(session.cwd, old.cwd);
  meta.model = OrElse(session.model, old.model);
  meta.title = OrElse(session.title, TitleOf(version.turns.turns));
  meta.transcript = reading.transcript;
  const auto first = FirstTime(version.turns.turns);
  meta.started_at = session.started ? session.started : first;
  if (first && meta.started_at && *first < *meta.started_at) meta.started_at = first;
  meta.captured_at = LastTime(version.turns.turns);
  if (!meta.captured_at) meta.captured_at = reading.transcript_time;
  meta.turns = static_cast<int64_t>(version.turns.turns.size());
  meta.tool_calls = static_cast<int64_t>(version.turns.tool_calls.size());
  TakeUsesOfTools(version.turns.tool_calls, reading.repository, &meta);
  TakeHints(session.hints, &meta);
  meta.redacted = old.redacted;
  for (const auto& [kind, count] : *reading.redacted) {
    meta.redacted[kind] = std::max(meta.redacted[kind], count);
  }
  meta.keeps_secrets = reading.keeps_secrets;
  return version;
}

void AddCommits(const SessionCommits& found, SessionMeta* meta) {
  const std::string explicit_grade(CommitGradeName(CommitGrade::kExplicit));
  const bool has_explicit = std::ranges::any_of(
      meta->commits, [&](const auto& commit) { return commit.second == explicit_grade; });
  const bool adds_explicit = std::ranges::any_of(found.commits, [](const SessionCommit& commit) {
    return commit.grade == CommitGrade::kExplicit;
  });
  if (found.commits.empty() || (has_explicit && !adds_explicit)) return;
  if (!adds_explicit) {
    meta->commits.clear();
    meta->commit_files.clear();
  }
  std::erase_if(meta->commits, [&](const auto& commit) { return commit.second != explicit_grade; });
  for (const SessionCommit& commit : found.commits) {
    meta->commits[commit.sha] = CommitGradeName(commit.grade);
  }
  meta->commit = found.commit;
  std::vector<std::string> files = has_explicit ? meta->commit_files : std::vector<std::string>();
  files.insert(files.end(), found.files.begin(), found.files.end());
  meta->commit_files = SortedUnique(std::move(files));
}

ProvidedDocument SessionDocument(std::string path, const SessionVersion& version) {
  ProvidedDocument document;
  document.path = std::move(path);
  document.text = WriteSessionText(version.turns.turns, version.turns.tool_calls);
  document.origin = kCaptureOrigin;
  document.mtime.emplace(version.meta.captured_at);
  document.meta.emplace(WriteSessionMeta(version.meta));
  return document;
}

}  // namespace recall
