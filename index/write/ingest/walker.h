#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/write/ingest/outcome_counts.h"
#include "storage/base/clock.h"
#include "storage/base/result.h"
#include "storage/tables/source_roots.h"

namespace recall {

// Options of a walk. Globs and ignores are matched with a file's doc path and with its path
// relative to the root it was found under. A pattern that ends in '/' stands for everything below
// such directories; no file is found below a directory that an ignore matches. Patterns must pass
// CheckGlob.
struct WalkOptions {
  std::vector<std::string> globs;    // keep only paths that match one (empty: keep all)
  std::vector<std::string> ignores;  // then drop paths that match one
  // Apply .recallignore files and, inside a git repository, .gitignore files, including those of
  // directories above a root, up to the top of its git repository or of the store. .recallignore
  // files take precedence over .gitignore files. They never exclude a file or directory that is
  // itself a root.
  bool ignore_files = true;
  // Also find hidden files and enter hidden directories (IsHiddenName). Without it, only those that
  // are roots or that a .recallignore file includes (`!.github/`).
  bool hidden = false;
  // If set, documents are named by this root instead of the store's directory (NameBelow). Its
  // directory is absolute, and all roots of the walk are at or below it.
  std::optional<SourceRoot> base;
  // Whether archives (IsArchiveName) found in directories are opened, like archives given as roots.
  bool archives = false;
  // Whether mailboxes (IsMailboxName) are opened, wherever they are.
  bool mailboxes = false;
  // Never found, even if globs match: the store's own files (recall.db, -wal, -shm, -journal).
  std::string store_path;
  // Never found either: files with passwords, which must not become documents. Some may be missing.
  std::vector<std::string> password_files = {};
  // Ends the walk soon after it becomes true; may be null.
  const std::atomic<bool>* cancel = nullptr;
  // If set, only what lies at or below one of these paths is found, if the same walk without them
  // would find it: all rules apply to the directories on the way. The walk lists no other
  // directories. Absolute, as of AbsoluteLexicalPath; paths that do not exist are no error.
  const std::vector<std::string>* only = nullptr;
  // Called with the absolute path of each directory before it is listed; may be empty.
  std::function<void(const std::string& directory)> on_directory = {};
};

struct FoundFile {
  std::string doc_path;   // the path in the store: see NormalizeDocPath, and WalkOptions::base
  std::string file_path;  // "": FilePathOf(doc_path, store_root)
  int64_t size = 0;
  std::optional<UnixNanos> mtime;
  // An archive to be opened: globs apply to its members. An ignore that matches the archive
  // excludes all of them.
  bool is_archive = false;
  bool named = false;  // it is a root itself, and was not found in a directory
};

// The path of the file itself. `store_root` is absolute.
std::string FilePathOf(const FoundFile& file, const std::string& store_root);

// The document path of a file in a walk with these options.
std::string NameInWalk(const std::string& absolute_path, const std::string& absolute_store_root,
                       const WalkOptions& options);

// A path that the walk could not include.
struct PathFault {
  std::string path;  // as the root was given, printable
  std::string reason;
  std::string absolute;

  auto operator<=>(const PathFault&) const = default;
};

struct WalkResult {
  std::vector<FoundFile> files;       // by doc_path, each once
  std::vector<PathFault> skipped;     // invalid names, roots that are not files; sorted
  std::vector<PathFault> unreadable;  // paths whose contents are unknown; sorted
  std::vector<std::string> missing;   // roots that do not exist, as given
  // The absolute paths of ignore files that were skipped, because those that apply to a directory
  // exceed kMostIgnoreBytes together; sorted.
  std::vector<std::string> skipped_ignore_files;
  LeftOutCounts left_out;
  bool cancelled = false;  // the walk ended early: the rest is incomplete
};

// Whether a file or directory of this name is hidden: the name begins with a dot.
inline bool IsHiddenName(std::string_view name) { return name.starts_with('.'); }

// Finds the regular files below `roots` (files or directories). Symbolic links given as roots are
// followed, others are not. `.git` is never found or entered.
WalkResult FindFiles(const std::vector<std::string>& roots, const std::string& store_root,
                     const WalkOptions& options);

}  // namespace recall
