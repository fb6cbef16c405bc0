#include "index/base/glob/ignore_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "index/base/paths/doc_path.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

// Determines which ignore files apply to a directory; ignore_rules.h evaluates their lines. A scope
// is a list of ignore files from the innermost directory outwards, shared by all directories below
// that have no rules of their own:
//
//   repo/.git, .gitignore     scope A
//   repo/src/                 scope A (no rules of its own)
//   repo/src/gen/.gitignore   scope B -> A
//
// A walk may begin inside a repository, and the rules of the directories above still apply, as in
// git. ScopeAround therefore reads the ignore files of the parents of a root, up to the top of the
// git repository or up to the store's directory, whichever is further out. As a result, whether a
// file is ignored does not depend on the root from which it is found. Above both, ignore files do
// not apply: an ignore file in a home directory must not hide documents of an unrelated store.
//
// A .gitignore file counts only where git itself would read it: in a directory with a `.git` in it
// or above it, and for files of the same repository. An unpacked source package may contain a
// .gitignore that was written for another place (Debian's kernel: `/*`) and would hide everything.
//
// Ignore files are untrusted: a symbolic link, a device or a FIFO (O_NONBLOCK) contains no rules,
// nor does a file with which those that apply together are too large.

// Returns: the text of an ignore file; "" if there is none, or if it is not a regular file (as in
// git, symbolic links are not followed); nullopt if it has more than `most` bytes.
std::optional<std::string> ReadIgnoreFile(int directory, const char* name, size_t most) {
  const FileDescriptor file(
      ::openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info;
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) return "";
  if (!S_ISREG(info.st_mode)) return "";
  if (static_cast<size_t>(info.st_size) > most) return std::nullopt;
  std::string text(static_cast<size_t>(info.st_size), '\0');
  size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = ::read(file.get(), text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    filled += static_cast<size_t>(count);
  }
  text.resize(filled);
  return text;
}

std::string ParentOf(const std::string& absolute_path) {
  const size_t slash = absolute_path.rfind('/');
  return slash == 0 ? "/" : absolute_path.substr(0, slash);
}

bool HoldsRepository(const std::string& directory) {
  struct stat info;
  return ::stat(JoinPath(directory, kGitName).c_str(), &info) == 0;
}

}  // namespace

IgnoreScopePtr EnterScope(IgnoreScopePtr outer, int directory, const std::string& absolute_path,
                          std::vector<std::string>* skipped) {
  size_t bytes = outer ? outer->bytes : 0;
  const auto read = [&](const char* name) {
    const auto text = ReadIgnoreFile(directory, name, kMostIgnoreBytes - bytes);
    if (!text) skipped->push_back(JoinPath(absolute_path, name));
    bytes += text ? text->size() : 0;
    return IgnoreRules(text ? *text : std::string_view());
  };
  struct stat info;
  const bool repository_top = ::fstatat(directory, kGitName, &info, 0) == 0;
  const bool in_repository = repository_top || (outer && outer->in_repository);
  IgnoreRules recallignore = read(kRecallignoreName);
  IgnoreRules gitignore = in_repository ? read(kGitignoreName) : IgnoreRules("");
  if (gitignore.empty() && recallignore.empty() && !repository_top) return outer;
  const size_t prefix = absolute_path == "/" ? 1 : absolute_path.size() + 1;
  return std::make_shared<const IgnoreScope>(
      IgnoreScope{std::move(outer), prefix, std::move(gitignore), std::move(recallignore), bytes,
                  in_repository, repository_top});
}

IgnoreScopePtr ScopeAround(const std::string& absolute_path, const std::string& store_root,
                           std::vector<std::string>* skipped) {
  std::vector<std::string> parents;  // innermost first
  size_t used = 0;                   // number of parents whose ignore files apply
  bool repository_found = HoldsRepository(absolute_path);
  for (std::string at = absolute_path; at != "/";) {
    at = ParentOf(at);
    parents.push_back(at);
    const bool repository = !repository_found && HoldsRepository(at);
    repository_found = repository_found || repository;
    if (repository || at == store_root) used = parents.size();
  }

  IgnoreScopePtr scope;
  for (size_t i = used; i-- > 0;) {
    const FileDescriptor directory(::open(parents[i].c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) {
      scope = EnterScope(scope, directory.get(), parents[i], skipped);
    }
  }
  return scope;
}

}  // namespace recall
