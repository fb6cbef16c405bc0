#include "index/write/ingest/walker.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "index/base/glob/ignore_files.h"
#include "index/base/glob/ignore_rules.h"
#include "index/base/glob/path_filter.h"
#include "index/base/paths/doc_path.h"
#include "index/base/paths/source_files.h"
#include "index/base/text/utf8.h"
#include "index/source/archive/archive_names.h"
#include "storage/base/file_times.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

// Finds the regular files below the roots. The walk is a loop with an explicit stack of
// directories, so its depth is limited by memory and not by the call stack.
//
//   root --open--> entries --type, name, ignore files, hidden, globs--> files | directories to
//   visit
//
// Invariants:
// - Symbolic links below a root are not followed (O_NOFOLLOW, AT_SYMLINK_NOFOLLOW), so the walk
//   cannot leave a root or run in a cycle.
// - The result is sorted by document path, and each file appears once, even if roots overlap. It
//   does not depend on the order in which the file system lists entries.
// - The files of the store, and those of passwords, are excluded by name and by inode, so hard
// links
//   to them are excluded, too.
// - Directories that cannot be read are reported in `unreadable`. Their files must not be treated
//   as deleted (missing_files.cc).
//
// An ignore file of a directory applies to everything below; scopes are shared
// (glob/ignore_files.cc). A directory is not visited if an ignore pattern excludes everything below
// it.
//
// Names that are not UTF-8 are skipped with a message, because document paths are UTF-8.
//
// A walk that is limited to some paths (WalkOptions::only) descends to them by their names instead
// of listing the directories on the way, and decides about each step as about a listed entry.
//
// Cost: one open per directory, one fstatat per entry that is not a directory.

std::optional<UnixNanos> ModificationTime(const struct stat& info) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  constexpr int64_t kMaxSeconds = INT64_MAX / kNanosPerSecond - 1;
  const int64_t seconds = ModifiedTime(info).tv_sec;
  if (seconds > kMaxSeconds || seconds < -kMaxSeconds) return std::nullopt;
  return seconds * kNanosPerSecond + ModifiedTime(info).tv_nsec;
}

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using DirectoryHandle = std::unique_ptr<DIR, CloseDirectory>;

// The files that are never found, identified by name and by inode, so that links to them are
// recognised.
class NeverFoundFiles final {
 public:
  explicit NeverFoundFiles(const WalkOptions& options) {
    for (const std::string& path : options.password_files) Add(AbsoluteLexicalPath(path));
    if (options.store_path.empty()) return;
    const std::string absolute = AbsoluteLexicalPath(options.store_path);
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) Add(absolute + suffix);
  }

  bool Contains(const std::string& absolute_path, const struct stat& info) const {
    return inodes_.contains({info.st_dev, info.st_ino}) || names_.contains(absolute_path);
  }

 private:
  void Add(const std::string& path) {
    names_.insert(path);
    struct stat info;
    if (::stat(path.c_str(), &info) == 0) inodes_.emplace(info.st_dev, info.st_ino);
  }

  std::set<std::string> names_;
  std::set<std::pair<dev_t, ino_t>> inodes_;
};

// The paths that a walk is limited to, and the steps from directories above them.
class WantedPaths final {
 public:
  explicit WantedPaths(const std::vector<std::string>* only) : all_(only == nullptr) {
    if (all_) return;
    for (const std::string& path : *only) {
      paths_.insert(path);
      // The directories above a known step are known, too.
      for (size_t end = path.size(); end > 1;) {
        const size_t slash = path.rfind('/', end - 1);
        const std::string above = slash == 0 ? "/" : path.substr(0, slash);
        if (!steps_[above].insert(path.substr(slash + 1, end - slash - 1)).second) break;
        end = slash;
      }
    }
  }

  bool Contains(const std::string& absolute) const { return all_ || paths_.contains(absolute); }
  // Whether a path is wanted, or below one that is.
  bool Covers(std::string absolute) const {
    for (;;) {
      if (Contains(absolute)) return true;
      if (absolute == "/") return false;
      const size_t slash = absolute.rfind('/');
      absolute.resize(std::max<size_t>(slash, 1));
    }
  }
  // The names in a directory that lead to wanted paths.
  std::set<std::string> StepsFrom(const std::string& directory) const {
    const auto steps = steps_.find(directory);
    return steps == steps_.end() ? std::set<std::string>() : steps->second;
  }

 private:
  bool all_;
  std::unordered_set<std::string> paths_;
  std::unordered_map<std::string, std::set<std::string>> steps_;
};

template <typename T>
void SortOnce(std::vector<T>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

class Walker final {
 public:
  Walker(const std::string& store_root, const WalkOptions& options)
      : store_root_(AbsoluteLexicalPath(store_root)),
        options_(options),
        filter_(options.globs, options.ignores),
        never_found_(options),
        wanted_(options.only) {}

  void WalkRoot(const std::string& root) {
    struct stat info;
    if (::stat(root.c_str(), &info) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) {
        result_.missing.push_back(root);
      } else {
        CannotRead(root, AbsoluteLexicalPath(root), errno);
      }
      return;
    }
    const std::string absolute = AbsoluteLexicalPath(root);
    const bool whole = wanted_.Covers(absolute);
    if (!whole && wanted_.StepsFrom(absolute).empty()) return;
    if (!IsValidUtf8(absolute)) {
      Skip(root, absolute, "its name is not UTF-8");
    } else if (S_ISDIR(info.st_mode)) {
      WalkTree(root, absolute, whole);
    } else if (S_ISREG(info.st_mode)) {
      AddFile(absolute, absolute.substr(absolute.rfind('/') + 1), info, true);
    } else {
      Skip(root, absolute, "it is neither a file nor a directory");
    }
  }

  WalkResult Finish() && {
    std::vector<FoundFile>& files = result_.files;
    // A file that is a root and is also found in a directory counts as a root, which is also
    // opened if it is an archive.
    std::stable_sort(files.begin(), files.end(), [](const FoundFile& a, const FoundFile& b) {
      return a.doc_path != b.doc_path ? a.doc_path < b.doc_path : a.named > b.named;
    });
    const auto same = [](const FoundFile& a, const FoundFile& b) {
      return a.doc_path == b.doc_path;
    };
    files.erase(std::unique(files.begin(), files.end(), same), files.end());
    SortOnce(result_.skipped);
    SortOnce(result_.unreadable);
    SortOnce(result_.skipped_ignore_files);
    result_.cancelled = IsCancelled();
    return std::move(result_);
  }

 private:
  struct Directory {
    std::string file_path;  // the path to open; empty for the current directory
    std::string absolute;
    std::string relative;  // to the root; empty for the root itself
    IgnoreScopePtr scope;  // of the directories above it
    bool whole;            // everything in it is wanted
  };
  struct Entry {
    std::string name;
    unsigned char type;  // DT_DIR, ...
  };

  bool IsCancelled() const {
    return options_.cancel != nullptr && options_.cancel->load(std::memory_order_relaxed);
  }
  void Skip(std::string_view path, const std::string& absolute, std::string reason) {
    result_.skipped.push_back({PrintablePath(path), std::move(reason), absolute});
  }
  void CannotRead(std::string_view path, const std::string& absolute, int error) {
    result_.unreadable.push_back({PrintablePath(path), SystemErrorText(error), absolute});
  }

  void WalkTree(const std::string& root, const std::string& absolute, bool whole) {
    const IgnoreScopePtr around =
        options_.ignore_files ? ScopeAround(absolute, store_root_, &result_.skipped_ignore_files)
                              : IgnoreScopePtr();
    std::vector<Directory> waiting;
    waiting.push_back(
        Directory{root == "." || root == "./" ? "" : root, absolute, "", around, whole});
    while (!waiting.empty() && !IsCancelled()) {
      const Directory directory = std::move(waiting.back());
      waiting.pop_back();
      VisitDirectory(directory, &waiting);
    }
  }

  void VisitDirectory(const Directory& directory, std::vector<Directory>* waiting) {
    if (options_.on_directory) options_.on_directory(directory.absolute);
    const char* path = directory.file_path.empty() ? "." : directory.file_path.c_str();
    const int follow = directory.relative.empty() ? 0 : O_NOFOLLOW;
    FileDescriptor fd(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow));
    const DirectoryHandle handle(fd.get() < 0 ? nullptr : ::fdopendir(fd.get()));
    if (!handle) {
      const bool just_removed = errno == ENOENT && !directory.relative.empty();
      if (!just_removed) CannotRead(path, directory.absolute, errno);
      return;
    }
    const int handle_fd = fd.Release();  // the handle closes it
    const std::vector<Entry> entries =
        directory.whole ? ReadEntries(handle.get(), directory) : StepsFrom(directory);
    const bool may_have_rules =
        !directory.whole || std::any_of(entries.begin(), entries.end(), [](const Entry& entry) {
          return entry.name == kGitignoreName || entry.name == kRecallignoreName ||
                 entry.name == kGitName;
        });
    const IgnoreScopePtr scope = options_.ignore_files && may_have_rules
                                     ? EnterScope(directory.scope, handle_fd, directory.absolute,
                                                  &result_.skipped_ignore_files)
                                     : directory.scope;
    for (const Entry& entry : entries) {
      if (IsCancelled()) return;
      VisitEntry(directory, scope, handle_fd, entry, waiting);
    }
  }

  std::vector<Entry> ReadEntries(DIR* handle, const Directory& directory) {
    std::vector<Entry> entries;
    errno = 0;
    while (const dirent* entry = ::readdir(handle)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") entries.push_back(Entry{std::string(name), entry->d_type});
      errno = 0;
    }
    if (errno != 0) CannotRead(directory.file_path, directory.absolute, errno);
    return entries;
  }

  std::vector<Entry> StepsFrom(const Directory& directory) const {
    std::vector<Entry> entries;
    for (const std::string& name : wanted_.StepsFrom(directory.absolute)) {
      entries.push_back({name, DT_UNKNOWN});
    }
    return entries;
  }

  void VisitEntry(const Directory& parent, const IgnoreScopePtr& scope, int parent_fd,
                  const Entry& entry, std::vector<Directory>* waiting) {
    if (entry.type != DT_DIR && entry.type != DT_REG && entry.type != DT_UNKNOWN) return;
    if (entry.name == kGitName) return;
    const std::string file_path = JoinPath(parent.file_path, entry.name);
    std::string absolute = JoinPath(parent.absolute, entry.name);
    struct stat info = {};
    if (entry.type != DT_DIR &&
        ::fstatat(parent_fd, entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) CannotRead(file_path, absolute, errno);  // ENOENT: it was just removed
      return;
    }
    const bool is_directory = entry.type == DT_DIR || S_ISDIR(info.st_mode);
    if (!is_directory && !S_ISREG(info.st_mode)) return;
    if (!IsValidUtf8(entry.name)) {
      Skip(file_path, absolute, "its name is not UTF-8");
      return;
    }
    if (LeavesOut(scope.get(), absolute, entry.name, is_directory)) return;
    std::string relative = JoinPath(parent.relative, entry.name);
    const bool whole = parent.whole || wanted_.Contains(absolute);
    if (!is_directory) {
      if (whole) AddFile(absolute, relative, info, false);
    } else if (filter_.EntersDirectory(NameInWalk(absolute, store_root_, options_), relative)) {
      waiting->push_back(
          Directory{file_path, std::move(absolute), std::move(relative), scope, whole});
    }
  }

  // Whether ignore files exclude an entry of a directory, or it is hidden and none includes it.
  bool LeavesOut(const IgnoreScope* scope, const std::string& absolute, std::string_view name,
                 bool is_directory) {
    const IgnoreDecision decision = DecideIgnored(scope, absolute, is_directory, options_.cancel);
    LeftOutCounts& left_out = result_.left_out;
    LeftOutEntries* entries = nullptr;
    if (decision.ignores()) {
      entries = decision.by_recallignore ? &left_out.by_recallignore : &left_out.by_gitignore;
    } else if (IsHiddenName(name) && !options_.hidden && !decision.recalls()) {
      entries = &left_out.hidden;
    }
    if (entries == nullptr) return false;
    ++(is_directory ? entries->directories : entries->files);
    return true;
  }

  void AddFile(const std::string& absolute, std::string_view relative, const struct stat& info,
               bool named) {
    std::string doc_path = NameInWalk(absolute, store_root_, options_);
    const bool is_archive = ((named || options_.archives) && IsArchiveName(absolute)) ||
                            (options_.mailboxes && IsMailboxName(absolute));
    const bool keeps = is_archive ? filter_.EntersDirectory(doc_path, relative)
                                  : filter_.KeepsFile(doc_path, relative);
    if (!keeps || never_found_.Contains(absolute, info)) return;
    result_.files.push_back(FoundFile{std::move(doc_path), options_.base ? absolute : std::string(),
                                      info.st_size, ModificationTime(info), is_archive, named});
  }

  std::string store_root_;
  const WalkOptions& options_;
  PathFilter filter_;
  NeverFoundFiles never_found_;
  const WantedPaths wanted_;
  WalkResult result_;
};

}  // namespace

std::string FilePathOf(const FoundFile& file, const std::string& store_root) {
  return file.file_path.empty() ? FilePathOf(file.doc_path, store_root) : file.file_path;
}

std::string NameInWalk(const std::string& absolute_path, const std::string& absolute_store_root,
                       const WalkOptions& options) {
  return options.base ? NameBelow(*options.base, options.base->directory, absolute_path)
                      : DocPathOf(absolute_path, absolute_store_root);
}

WalkResult FindFiles(const std::vector<std::string>& roots, const std::string& store_root,
                     const WalkOptions& options) {
  Walker walker(store_root, options);
  for (const std::string& root : roots) walker.WalkRoot(root);
  return std::move(walker).Finish();
}

}  // namespace recall
