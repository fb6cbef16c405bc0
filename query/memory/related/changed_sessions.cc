// Which sessions changed a file.
//
// Sessions name files from the root of the repository that they were held in; what lies outside of
// it, or a session outside of git, by the directory of the session or from "/". So a file has
// several names, and the same name may be that of files in two repositories. The index of metadata
// finds sessions with one of the names; their directories then tell which are of this file. A
// directory that is not on this machine, because the session came from another one or its work tree
// was removed, is taken to be of this repository.
//
// Cost: a look-up in the index for each name, the row of each session found, and the metadata of
// the newest.

#include "query/memory/related/changed_sessions.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <tuple>

#include "index/base/paths/doc_path.h"
#include "index/source/session/session_meta.h"
#include "storage/documents/document_store.h"

namespace recall {
namespace {

std::string InQuotes(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

// What sessions may call a file.
std::vector<std::string> NamesInSessions(const FileInTree& file) {
  std::vector<std::string> names = {file.absolute};
  if (file.tree) {
    names.push_back(file.name);
    return names;
  }
  std::string_view rest = file.absolute;
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the slash
    if (!rest.empty()) names.emplace_back(rest);
    rest.remove_prefix(std::min(rest.find('/'), rest.size()));
  }
  return names;
}

std::string FilterOfNames(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + InQuotes(name);
  return "doc.session.changed_files IN (" + list + ") OR doc.session.commit_files IN (" + list +
         ")";
}

class ChangedSessionReader final {
 public:
  ChangedSessionReader(const FileInTree& file, const SessionChoice& choice)
      : file_(file), choice_(choice) {}

  std::optional<ChangedSession> Read(const DocRow& doc) {
    if (doc.parser != kSessionParser) return std::nullopt;
    SessionMeta meta = ReadSessionMeta(doc.meta.value_or(""));
    if (!choice_.except.empty() && meta.id == choice_.except) return std::nullopt;
    if (file_.tree && IsOfOtherRepository(meta.cwd)) return std::nullopt;
    ChangedSession changed;
    changed.set.id = doc.path;
    changed.set.others =
        std::move(meta.changed_files.empty() ? meta.commit_files : meta.changed_files);
    const auto removed = std::erase_if(
        changed.set.others, [&](const std::string& name) { return IsThisFile(name, meta.cwd); });
    if (removed == 0) return std::nullopt;
    // Another program may have written them in any order.
    std::ranges::sort(changed.set.others);
    const auto repeated = std::ranges::unique(changed.set.others);
    changed.set.others.erase(repeated.begin(), repeated.end());
    for (const auto& [sha, grade] : meta.commits) changed.commits.push_back(sha);
    return changed;
  }

 private:
  bool IsThisFile(const std::string& name, const std::string& cwd) const {
    if (name == file_.absolute) return true;
    return file_.tree ? name == file_.name : cwd + "/" + name == file_.absolute;
  }

  bool IsOfOtherRepository(const std::string& directory) {
    if (directory.empty()) return false;
    const auto [known, is_new] = others_.try_emplace(directory, false);
    if (is_new) {
      std::error_code error;
      const bool is_here = std::filesystem::is_directory(directory, error);
      const auto tree = is_here ? FindWorkTree(AbsoluteLexicalPath(directory)) : std::nullopt;
      known->second = is_here && (!tree || tree->common_dir != file_.tree->common_dir);
    }
    return known->second;
  }

  const FileInTree& file_;
  const SessionChoice& choice_;
  std::map<std::string, bool> others_;  // by directory: whether it is of another repository
};

}  // namespace

FileInTree LocateFile(const std::string& file) {
  FileInTree located;
  located.absolute = AbsoluteLexicalPath(file);
  located.tree = FindWorkTree(located.absolute);
  located.name = located.absolute;
  if (!located.tree || located.absolute == located.tree->root) return located;
  const std::string& root = located.tree->root;
  located.name = located.absolute.substr(root == "/" ? 1 : root.size() + 1);
  return located;
}

bool IsStillThere(const FileInTree& file, const std::string& other) {
  if (!file.tree) return true;
  std::error_code error;
  const std::filesystem::path path = std::filesystem::path(file.tree->root) / other;
  return std::filesystem::symlink_status(path, error).type() !=
         std::filesystem::file_type::not_found;
}

Result<ChangedSessions> SessionsThatChanged(const Snapshot& snapshot, const FileInTree& file,
                                            const SessionChoice& choice,
                                            const std::string& commit_token) {
  ChangedSessions found;
  RECALL_ASSIGN(found.scope,
                ResolveScope(snapshot.filters(), choice.scope, commit_token, FilterDomain::kDocs));
  Scope naming;
  naming.filter = FilterOfNames(NamesInSessions(file));
  RECALL_ASSIGN(const ResolvedScope named,
                ResolveScope(snapshot.filters(), naming, commit_token, FilterDomain::kDocs));
  if (!named.set) return found;
  std::vector<DocRow> docs;
  for (const uint32_t row : named.set->Values()) {
    if (found.scope.set && !found.scope.set->Contains(row)) continue;
    RECALL_ASSIGN(DocRow doc, snapshot.texts().ReadDoc(row));
    docs.push_back(std::move(doc));
  }
  std::ranges::sort(docs, [](const DocRow& a, const DocRow& b) {
    return std::tie(b.mtime, a.path) < std::tie(a.mtime, b.path);
  });
  ChangedSessionReader reader(file, choice);
  for (const DocRow& doc : docs) {
    if (static_cast<int64_t>(found.sessions.size()) == choice.newest) break;
    if (auto session = reader.Read(doc)) found.sessions.push_back(*std::move(session));
  }
  return found;
}

}  // namespace recall
