#include "query/memory/sharing/session_branch.h"

#include <utility>

#include "index/base/paths/doc_path.h"
#include "index/base/paths/working_directory.h"
#include "query/memory/git/git_branches.h"

namespace recall {

Result<GitRepository> RepositoryForSharing(const std::string& directory) {
  const std::string absolute = AbsoluteLexicalPath(directory);
  RECALL_ASSIGN(std::optional<GitRepository> repository, FindRepository(absolute));
  if (repository) return *std::move(repository);
  return Fail(Status::NotFound(absolute + " is in no git repository",
                               "sessions and notes are pushed to and pulled from a remote of a "
                               "repository"));
}

Result<std::string> OwnBranch(const GitRepository& repository) {
  if (repository.email.empty()) {
    return Fail(Status::InvalidArgument("git knows no e-mail address to name the branch by",
                                        "run `git config user.email ADDRESS`"));
  }
  std::string name;
  for (const char c : repository.email) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '@' || c == '-' || c == '_' || c == '+' || (c & 0x80) != 0;
    // Two dots, and a dot at an end, are not allowed in names of branches.
    const bool dot = c == '.' && !name.empty() && name.back() != '.';
    name += plain || dot ? c : '_';
  }
  if (name.ends_with('.')) name.back() = '_';
  if (name.ends_with(".lock")) name[name.size() - 5] = '_';
  return "recall/" + name;
}

void ForEachLine(std::string_view lines, const std::function<void(std::string_view)>& visit) {
  while (!lines.empty()) {
    const size_t newline = lines.find('\n');
    const std::string_view line = lines.substr(0, newline == lines.npos ? newline : newline + 1);
    lines.remove_prefix(line.size());
    visit(line);
  }
}

NoteLineCounts AddNoteVersions(const LineRef& frame, BranchNotes* histories) {
  NoteLineCounts counts;
  ForEachLine(frame.text, [&](std::string_view line) {
    auto version = ReadNoteLine({frame.file, frame.number, line});
    counts.refused += !version;
    if (!version || !*version) return;
    counts.versions += 1;
    std::string path = (*version)->path;
    (*histories)[std::move(path)].Add(**std::move(version));
  });
  return counts;
}

Result<std::string> PrefixOfPulled(const GitRepository& repository, const std::string& remote) {
  RECALL_ASSIGN(const bool named, IsRemoteName(repository, remote));
  return named ? "refs/remotes/" + remote + "/recall/" : "refs/recall/pulled/";
}

}  // namespace recall
