// What a repository is, in as few runs of git as possible, for `capture` starts with it each time.
//
// One `git rev-parse` answers most: it prints an answer a line and stops at the first question that
// has none, so the number of lines says what kind of repository it is:
//
//   /r/.git  .git  true  /r  ID  refs/heads/main      a work tree
//   /r/.git  .git  true  /r  HEAD                     one without commits
//   /r       .     false                              a bare repository, or inside of .git
//
// A path with a newline makes more lines; then each question is asked alone.

#include "query/memory/git/repository.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "query/memory/git/git_program.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBranchPrefix = "refs/heads/";

bool IsObjectId(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The answer to one question, without the newline behind it; "" if it has none.
Result<std::string> Ask(const std::string& directory, std::vector<std::string> arguments) {
  RECALL_ASSIGN(GitOutput output, RunGit({directory, std::move(arguments)}));
  if (!output.succeeded) return std::string();
  if (output.text.ends_with('\n')) output.text.pop_back();
  return std::move(output.text);
}

std::string BranchOf(std::string_view ref) {
  return ref.starts_with(kBranchPrefix) ? std::string(ref.substr(kBranchPrefix.size())) : "";
}

// `path` as git gave it, which may be relative to the directory it ran in.
std::string RealPath(const std::string& directory, const std::string& path) {
  std::error_code error;
  const fs::path whole = fs::path(directory) / path;
  const fs::path real = fs::weakly_canonical(whole, error);
  std::string text = error ? whole.lexically_normal().string() : real.string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

Result<std::string> BranchWithoutCommits(const std::string& directory) {
  RECALL_ASSIGN(const std::string ref, Ask(directory, {"symbolic-ref", "-q", "HEAD"}));
  return BranchOf(ref);
}

Status ReadHead(const std::string& directory, GitRepository* repository) {
  RECALL_ASSIGN(repository->head, Ask(directory, {"rev-parse", "-q", "--verify", "HEAD^{commit}"}));
  RECALL_ASSIGN(repository->branch, BranchWithoutCommits(directory));
  return {};
}

Status AskEach(const std::string& directory, GitRepository* repository) {
  RECALL_ASSIGN(repository->git_dir, Ask(directory, {"rev-parse", "--absolute-git-dir"}));
  RECALL_ASSIGN(repository->common_dir, Ask(directory, {"rev-parse", "--git-common-dir"}));
  RECALL_ASSIGN(repository->root, Ask(directory, {"rev-parse", "--show-toplevel"}));
  return ReadHead(directory, repository);
}

// author.email and user.email; the former wins, and of each the last one.
Result<std::string> EmailOf(const std::string& directory) {
  RECALL_ASSIGN(const std::string settings,
                Ask(directory, {"config", "--null", "--get-regexp", "^(author|user)\\.email$"}));
  std::string user;
  std::string author;
  for (std::string_view rest = settings; !rest.empty();) {
    const std::string_view entry = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
    const size_t end = entry.find('\n');
    if (end == entry.npos) continue;
    (entry.starts_with("author") ? author : user) = entry.substr(end + 1);
  }
  if (!author.empty()) return author;
  if (!user.empty()) return user;
  const char* const variable = std::getenv("GIT_AUTHOR_EMAIL");
  return std::string(variable == nullptr ? "" : variable);
}

// Roots of the linked work trees and the main one.
Result<std::vector<std::string>> WorktreesOf(const std::string& directory,
                                             const GitRepository& repository) {
  std::vector<std::string> roots;
  if (!repository.root.empty()) roots.push_back(repository.root);
  std::error_code ignored;
  if (fs::is_directory(fs::path(repository.common_dir) / "worktrees", ignored)) {
    // -z came with git 2.36.
    char separator = '\0';
    RECALL_ASSIGN(std::string list, Ask(directory, {"worktree", "list", "--porcelain", "-z"}));
    if (list.empty()) {
      separator = '\n';
      RECALL_ASSIGN(list, Ask(directory, {"worktree", "list", "--porcelain"}));
    }
    constexpr std::string_view kKey = "worktree ";
    for (std::string_view rest = list; !rest.empty();) {
      const std::string_view line = rest.substr(0, rest.find(separator));
      rest.remove_prefix(std::min(line.size() + 1, rest.size()));
      if (line.starts_with(kKey)) roots.emplace_back(line.substr(kKey.size()));
      if (line == "bare") roots.pop_back();
    }
  }
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

}  // namespace

Result<std::optional<GitRepository>> FindRepository(const std::string& directory) {
  GitRepository repository;
  const Result<GitOutput> output =
      RunGit({directory,
              {"rev-parse", "--absolute-git-dir", "--git-common-dir", "--is-inside-work-tree",
               "--show-toplevel", "HEAD", "--symbolic-full-name", "HEAD"}});
  if (!output && output.error().code() == StatusCode::kNotFound) {
    return std::optional<GitRepository>();
  }
  if (!output) return Fail(output.error());
  const std::vector<std::string> lines = LinesOf(output->text);
  if (lines.empty()) return std::optional<GitRepository>();
  if (lines.size() == 6 && lines[2] == "true" && IsObjectId(lines[4])) {
    repository.head = lines[4];
    repository.branch = BranchOf(lines[5]);
  } else if (lines.size() == 5 && lines[2] == "true" && lines[4] == "HEAD") {
    RECALL_ASSIGN(repository.branch, BranchWithoutCommits(directory));
  } else if (lines.size() == 3 && lines[2] == "false") {
    RECALL_TRY(ReadHead(directory, &repository));
  } else {
    RECALL_TRY(AskEach(directory, &repository));
  }
  if (repository.git_dir.empty()) {
    repository.git_dir = lines[0];
    repository.common_dir = lines[1];
    if (lines.size() > 3) repository.root = lines[3];
  }
  repository.git_dir = RealPath(directory, repository.git_dir);
  repository.common_dir = RealPath(directory, repository.common_dir);
  if (!repository.root.empty()) repository.root = RealPath(directory, repository.root);
  RECALL_ASSIGN(repository.worktrees, WorktreesOf(directory, repository));
  RECALL_ASSIGN(repository.email, EmailOf(directory));
  return std::optional<GitRepository>(std::move(repository));
}

Result<std::string> GitPath(const GitRepository& repository, const std::string& name) {
  const std::string& directory = repository.root.empty() ? repository.git_dir : repository.root;
  RECALL_ASSIGN(const std::string path, Ask(directory, {"rev-parse", "--git-path", name}));
  if (path.empty()) return Fail(Status::IoError("git does not say where its " + name + " are"));
  return fs::path(RealPath(directory, fs::path(path).parent_path().string())) /
         fs::path(path).filename();
}

std::optional<std::string> PathInRepository(const GitRepository& repository,
                                            const std::string& path) {
  const auto inside = [&](const std::string& candidate) -> std::optional<std::string> {
    const std::string* deepest = nullptr;
    for (const std::string& root : repository.worktrees) {
      const bool lies_in = candidate == root || root == "/" || candidate.starts_with(root + "/");
      if (lies_in && (deepest == nullptr || root.size() > deepest->size())) deepest = &root;
    }
    if (deepest == nullptr) return std::nullopt;
    if (candidate == *deepest) return std::string();
    return candidate.substr(*deepest == "/" ? 1 : deepest->size() + 1);
  };
  if (!path.starts_with('/')) return std::nullopt;
  std::string normal = fs::path(path).lexically_normal().string();
  while (normal.size() > 1 && normal.ends_with('/')) normal.pop_back();
  if (const std::optional<std::string> found = inside(normal)) return found;
  return inside(RealPath("/", normal));
}

}  // namespace recall
