#include "index/ingest/walker.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "index/ingest/doc_path.h"
#include "index/ingest/ignore_rules.h"
#include "index/ingest/path_filter.h"
#include "index/text/utf8.h"

namespace recall {
namespace {

constexpr char kGitignoreName[] = ".gitignore";
constexpr char kRecallignoreName[] = ".recallignore";

std::string ErrorText(int error) { return std::generic_category().message(error); }

std::string JoinPath(const std::string& directory, std::string_view name) {
  if (directory.empty()) return std::string(name);
  std::string path = directory;
  if (!path.ends_with('/')) path += '/';
  path += name;
  return path;
}

std::optional<UnixNanos> ModificationTime(const struct stat& info) {
  constexpr int64_t kNanosPerSecond = 1'000'000'000;
  constexpr int64_t kMaxSeconds = INT64_MAX / kNanosPerSecond - 1;
  const int64_t seconds = info.st_mtim.tv_sec;
  if (seconds > kMaxSeconds || seconds < -kMaxSeconds) return std::nullopt;
  return seconds * kNanosPerSecond + info.st_mtim.tv_nsec;
}

class FileDescriptor final {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using DirectoryHandle = std::unique_ptr<DIR, CloseDirectory>;

// The text of an ignore file, empty when there is none. Symbolic links are not followed, as git
// does not; what is not a small regular file holds no rules.
std::string ReadIgnoreFile(int directory, const char* name) {
  constexpr off_t kMaxBytes = 1 << 20;
  const FileDescriptor file(
      ::openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat info;
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0) return {};
  if (!S_ISREG(info.st_mode) || info.st_size > kMaxBytes) return {};
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

using ScopePtr = std::shared_ptr<const IgnoreScope>;

// The scope inside a directory: `outer` itself when the directory has no rules of its own.
ScopePtr EnterScope(ScopePtr outer, int directory, const std::string& absolute_path) {
  IgnoreRules gitignore(ReadIgnoreFile(directory, kGitignoreName));
  IgnoreRules recallignore(ReadIgnoreFile(directory, kRecallignoreName));
  if (gitignore.empty() && recallignore.empty()) return outer;
  const size_t prefix = absolute_path == "/" ? 1 : absolute_path.size() + 1;
  return std::make_shared<const IgnoreScope>(
      IgnoreScope{std::move(outer), prefix, std::move(gitignore), std::move(recallignore)});
}

std::string ParentOf(const std::string& absolute_path) {
  const size_t slash = absolute_path.rfind('/');
  return slash == 0 ? "/" : absolute_path.substr(0, slash);
}

bool HoldsRepository(const std::string& directory) {
  struct stat info;
  return ::stat(JoinPath(directory, ".git").c_str(), &info) == 0;
}

// The scope of what is around a root: the ignore files of the directories above it, from the top
// of its git repository or of the store, whichever is further out. So within a store a file is
// ignored or not whichever root leads to it.
ScopePtr ScopeAround(const std::string& absolute_path, const std::string& store_root) {
  std::vector<std::string> parents;  // innermost first
  size_t used = 0;                   // how many of them count
  bool repository_found = HoldsRepository(absolute_path);
  for (std::string at = absolute_path; at != "/";) {
    at = ParentOf(at);
    parents.push_back(at);
    const bool repository = !repository_found && HoldsRepository(at);
    repository_found = repository_found || repository;
    if (repository || at == store_root) used = parents.size();
  }

  ScopePtr scope;
  for (size_t i = used; i-- > 0;) {
    const FileDescriptor directory(::open(parents[i].c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.get() >= 0) scope = EnterScope(scope, directory.get(), parents[i]);
  }
  return scope;
}

// The files a store is made of, known by name and, through any link, by inode.
class StoreFiles final {
 public:
  explicit StoreFiles(const std::string& store_path) {
    if (store_path.empty()) return;
    const std::string absolute = AbsoluteLexicalPath(store_path);
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
      names_.insert(absolute + suffix);
      struct stat info;
      if (::stat((absolute + suffix).c_str(), &info) == 0) {
        inodes_.emplace(info.st_dev, info.st_ino);
      }
    }
  }

  bool Contains(const std::string& absolute_path, const struct stat& info) const {
    return inodes_.contains({info.st_dev, info.st_ino}) || names_.contains(absolute_path);
  }

 private:
  std::set<std::string> names_;
  std::set<std::pair<dev_t, ino_t>> inodes_;
};

class Walker final {
 public:
  Walker(const std::string& store_root, const WalkOptions& options)
      : store_root_(AbsoluteLexicalPath(store_root)),
        options_(options),
        filter_(options),
        store_files_(options.store_path) {}

  void WalkRoot(const std::string& root) {
    struct stat info;
    if (::stat(root.c_str(), &info) != 0) {
      if (errno == ENOENT || errno == ENOTDIR) {
        result_.missing.push_back(root);
      } else {
        Warn("cannot read", root, ErrorText(errno));
      }
      return;
    }
    const std::string absolute = AbsoluteLexicalPath(root);
    if (!IsValidUtf8(absolute)) {
      Warn("skipped", root, "its name is not UTF-8");
    } else if (S_ISDIR(info.st_mode)) {
      WalkTree(root, absolute);
    } else if (S_ISREG(info.st_mode)) {
      AddFile(absolute, absolute.substr(absolute.rfind('/') + 1), info);
    } else {
      Warn("skipped", root, "it is neither a file nor a directory");
    }
  }

  WalkResult Finish() && {
    std::vector<FoundFile>& files = result_.files;
    std::stable_sort(files.begin(), files.end(), [](const FoundFile& a, const FoundFile& b) {
      return a.doc_path < b.doc_path;
    });
    const auto same = [](const FoundFile& a, const FoundFile& b) {
      return a.doc_path == b.doc_path;
    };
    files.erase(std::unique(files.begin(), files.end(), same), files.end());
    std::vector<std::string>& warnings = result_.warnings;
    std::sort(warnings.begin(), warnings.end());
    warnings.erase(std::unique(warnings.begin(), warnings.end()), warnings.end());
    return std::move(result_);
  }

 private:
  struct Directory {
    std::string file_path;  // for the system; empty for the current directory
    std::string absolute;
    std::string relative;  // to the root; empty for the root itself
    ScopePtr scope;        // of the directories around it
  };
  struct Entry {
    std::string name;
    unsigned char type;  // DT_DIR, ...
  };

  void Warn(std::string_view what, std::string_view path, std::string_view why) {
    std::string warning(what);
    warning += ' ';
    warning += PrintablePath(path);
    warning += ": ";
    warning += why;
    result_.warnings.push_back(std::move(warning));
  }

  void WalkTree(const std::string& root, const std::string& absolute) {
    const ScopePtr around = options_.ignore_files ? ScopeAround(absolute, store_root_) : ScopePtr();
    std::vector<Directory> waiting;
    waiting.push_back(Directory{root == "." || root == "./" ? "" : root, absolute, "", around});
    while (!waiting.empty()) {
      const Directory directory = std::move(waiting.back());
      waiting.pop_back();
      VisitDirectory(directory, &waiting);
    }
  }

  void VisitDirectory(const Directory& directory, std::vector<Directory>* waiting) {
    const char* path = directory.file_path.empty() ? "." : directory.file_path.c_str();
    const int follow = directory.relative.empty() ? 0 : O_NOFOLLOW;
    FileDescriptor fd(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | follow));
    const DirectoryHandle handle(fd.get() < 0 ? nullptr : ::fdopendir(fd.get()));
    if (!handle) {
      Warn("cannot read directory", path, ErrorText(errno));
      return;
    }
    const int handle_fd = fd.Release();  // the handle closes it
    const std::vector<Entry> entries = ReadEntries(handle.get(), path);
    const bool has_rules = options_.ignore_files &&
                           std::any_of(entries.begin(), entries.end(), [](const Entry& entry) {
                             return entry.name == kGitignoreName || entry.name == kRecallignoreName;
                           });
    const ScopePtr scope =
        has_rules ? EnterScope(directory.scope, handle_fd, directory.absolute) : directory.scope;
    for (const Entry& entry : entries) VisitEntry(directory, scope, handle_fd, entry, waiting);
  }

  std::vector<Entry> ReadEntries(DIR* handle, std::string_view path) {
    std::vector<Entry> entries;
    errno = 0;
    while (const dirent* entry = ::readdir(handle)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != ".." && name != ".git") {
        entries.push_back(Entry{std::string(name), entry->d_type});
      }
      errno = 0;
    }
    if (errno != 0) Warn("cannot read all of directory", path, ErrorText(errno));
    return entries;
  }

  void VisitEntry(const Directory& parent, const ScopePtr& scope, int parent_fd, const Entry& entry,
                  std::vector<Directory>* waiting) {
    if (entry.type != DT_DIR && entry.type != DT_REG && entry.type != DT_UNKNOWN) return;
    const std::string file_path = JoinPath(parent.file_path, entry.name);
    struct stat info = {};
    if (entry.type != DT_DIR &&
        ::fstatat(parent_fd, entry.name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno != ENOENT) Warn("cannot read", file_path, ErrorText(errno));  // or just removed
      return;
    }
    const bool is_directory = entry.type == DT_DIR || S_ISDIR(info.st_mode);
    if (!is_directory && !S_ISREG(info.st_mode)) return;
    if (!IsValidUtf8(entry.name)) {
      Warn("skipped", file_path, "its name is not UTF-8");
      return;
    }
    std::string absolute = JoinPath(parent.absolute, entry.name);
    if (IsIgnored(scope.get(), absolute, is_directory)) return;
    std::string relative = JoinPath(parent.relative, entry.name);
    if (!is_directory) {
      AddFile(absolute, relative, info);
    } else if (filter_.EntersDirectory(DocPathOf(absolute, store_root_), relative)) {
      waiting->push_back(Directory{file_path, std::move(absolute), std::move(relative), scope});
    }
  }

  void AddFile(const std::string& absolute, std::string_view relative, const struct stat& info) {
    std::string doc_path = DocPathOf(absolute, store_root_);
    if (!filter_.KeepsFile(doc_path, relative) || store_files_.Contains(absolute, info)) return;
    result_.files.push_back(FoundFile{std::move(doc_path), info.st_size, ModificationTime(info)});
  }

  std::string store_root_;
  const WalkOptions& options_;
  PathFilter filter_;
  StoreFiles store_files_;
  WalkResult result_;
};

}  // namespace

WalkResult FindFiles(const std::vector<std::string>& roots, const std::string& store_root,
                     const WalkOptions& options) {
  Walker walker(store_root, options);
  for (const std::string& root : roots) walker.WalkRoot(root);
  return std::move(walker).Finish();
}

}  // namespace recall
