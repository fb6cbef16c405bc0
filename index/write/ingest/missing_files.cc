#include "index/write/ingest/missing_files.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <ranges>

#include "index/base/paths/doc_path.h"
#include "index/base/paths/source_files.h"
#include "index/base/text/utf8.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

// The problem: `recall add --sync` removes documents whose files were deleted. A document that a
// walk did not find is not necessarily deleted: the walk may have had other roots, globs or ignore
// files, or a directory may have been unreadable. Removing such a document would lose data.
//
// A document is therefore missing only if both hold:
//  1. the walk would have found a file at its path (WouldBeFound), and
//  2. no file exists there now (lstat reports ENOENT or ENOTDIR, or there is a directory).
//
// WouldBeFound replays the decisions of the walk for one path, from the root downwards. For each
// directory: it is not .git, not a symbolic link, not unreadable, not ignored, not hidden (unless
// hidden files are found), and the filter enters it. Then for the file: the filter keeps it and it
// is neither ignored nor hidden. Ignore files are read from the directories that still exist; a
// deleted directory has no rules of its own.
//
//   root /a          documents a/b/c.txt, a/b/d.txt
//   directories      {/a/b: entered, scope}     cached per root, so each directory is examined once
//
// A document may have been added from a directory under another name (SourceRoot). All files that
// it may have been added from must be missing then, and the directories of its roots must exist: a
// directory that is gone as a whole may be a disk that is not mounted.
//
// In every doubtful case the answer is no: a path that is not normalised, not UTF-8 or too long,
// and a document that the store would not name by this path.

// The limit of a path in common operating systems; paths of imported documents may be longer.
constexpr size_t kMaxPathBytes = 4096;

bool DoesNotExist(const std::string& absolute) {
  struct stat info;
  if (::lstat(absolute.c_str(), &info) != 0) return errno == ENOENT || errno == ENOTDIR;
  return S_ISDIR(info.st_mode);
}

bool IsExistingDirectory(const std::string& absolute) {
  struct stat info;
  return ::stat(absolute.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

bool IsLink(const std::string& absolute) {
  struct stat info;
  return ::lstat(absolute.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
}

// The prefix of the paths of all files below a directory.
std::string WithSlash(const std::string& absolute) {
  return absolute.ends_with('/') ? absolute : absolute + '/';
}

}  // namespace

MissingFiles::MissingFiles(const std::vector<std::string>& roots, const std::string& store_root,
                           const WalkOptions& options, const WalkResult& walk,
                           std::vector<SourceRoot> known)
    : store_root_(AbsoluteLexicalPath(store_root)),
      options_(options),
      known_(std::move(known)),
      ignore_files_(options.ignore_files),
      hidden_(options.hidden),
      cancel_(options.cancel),
      filter_(options.globs, options.ignores) {
  for (const PathFault& fault : walk.unreadable) unreadable_.insert(fault.absolute);
  std::vector<std::string> skipped;  // the walk reported them
  for (const std::string& path : roots) {
    struct stat info;
    if (::stat(path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) continue;
    Root root;
    root.absolute = AbsoluteLexicalPath(path);
    const IgnoreScopePtr around =
        ignore_files_ ? ScopeAround(root.absolute, store_root_, &skipped) : IgnoreScopePtr();
    root.scope = ScopeInside(around, root.absolute);
    roots_.push_back(std::move(root));
  }
}

bool MissingFiles::IsMissing(std::string_view doc_path) {
  if (!IsNormalPath(doc_path) || !IsValidUtf8(doc_path)) return false;
  const std::string path(doc_path);
  const std::vector<SourceCandidate> candidates = CandidatesOf(path, store_root_, known_);
  // A document below the store's directory is never named by its absolute path.
  if (DocPathOf(candidates.back().path, store_root_) != path) return false;
  const auto is_doubtful = [](const SourceCandidate& candidate) {
    return candidate.path.size() > kMaxPathBytes || !DoesNotExist(candidate.path) ||
           (!candidate.directory.empty() && !IsExistingDirectory(candidate.directory));
  };
  // A prefix says more about where a document came from than the place of the store.
  const auto likely = std::ranges::subrange(
      candidates.begin(), std::ranges::find_if(candidates, [&](const SourceCandidate& candidate) {
        return candidate.prefix_bytes < candidates.front().prefix_bytes;
      }));
  const auto is_below = [&](const SourceCandidate& candidate) {
    return std::ranges::any_of(roots_, [&](const Root& root) {
      return candidate.path.starts_with(WithSlash(root.absolute));
    });
  };
  // The rules of ignore files cost the most, so they are asked last.
  return std::ranges::any_of(likely, is_below) && std::ranges::none_of(candidates, is_doubtful) &&
         std::ranges::any_of(likely, [&](const SourceCandidate& candidate) {
           return std::ranges::any_of(
               roots_, [&](Root& root) { return WouldBeFound(root, path, candidate.path); });
         });
}

bool MissingFiles::FileExists(std::string_view doc_path) const {
  return std::ranges::any_of(CandidatesOf(doc_path, store_root_, known_),
                             [](const SourceCandidate& candidate) {
                               struct stat info;
                               return ::lstat(candidate.path.c_str(), &info) == 0;
                             });
}

bool MissingFiles::WouldBeFound(Root& root, const std::string& doc_path,
                                const std::string& absolute) {
  const std::string below = WithSlash(root.absolute);
  if (!absolute.starts_with(below)) return false;
  Directory directory{true, root.scope};
  for (size_t slash = absolute.find('/', below.size()); slash != absolute.npos;
       slash = absolute.find('/', slash + 1)) {
    const std::string path = absolute.substr(0, slash);
    const auto known = root.directories.find(path);
    directory = known != root.directories.end() ? known->second : Enter(root, directory, path);
    if (known == root.directories.end()) root.directories.emplace(path, directory);
    if (!directory.entered) return false;
  }
  const std::string_view relative = std::string_view(absolute).substr(below.size());
  return filter_.KeepsFile(doc_path, relative) && !unreadable_.contains(absolute) &&
         !LeavesOut(directory, absolute, false);
}

bool MissingFiles::LeavesOut(const Directory& parent, const std::string& absolute,
                             bool is_directory) const {
  const std::string_view name = std::string_view(absolute).substr(absolute.rfind('/') + 1);
  if (name == kGitName) return true;
  const IgnoreDecision decision =
      DecideIgnored(parent.scope.get(), absolute, is_directory, cancel_);
  return decision.ignores() || (IsHiddenName(name) && !hidden_ && !decision.recalls());
}

MissingFiles::Directory MissingFiles::Enter(const Root& root, const Directory& parent,
                                            const std::string& absolute) const {
  const std::string relative = absolute.substr(WithSlash(root.absolute).size());
  if (unreadable_.contains(absolute) || IsLink(absolute) || LeavesOut(parent, absolute, true) ||
      !filter_.EntersDirectory(NameInWalk(absolute, store_root_, options_), relative)) {
    return {};
  }
  return {true, ScopeInside(parent.scope, absolute)};
}

// A deleted directory has no rules of its own.
IgnoreScopePtr MissingFiles::ScopeInside(const IgnoreScopePtr& outer,
                                         const std::string& absolute) const {
  if (!ignore_files_) return outer;
  const FileDescriptor directory(::open(absolute.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  std::vector<std::string> skipped;  // the walk reported them
  return directory.get() < 0 ? outer : EnterScope(outer, directory.get(), absolute, &skipped);
}

}  // namespace recall
