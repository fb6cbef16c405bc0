#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

// Globs and ignores are tried on a file's doc path and on its path relative to the root it was
// found under. A pattern that ends in '/' stands for all that is below such directories; nothing
// below a directory that an ignore matches is found. Patterns must pass CheckGlob.
struct WalkOptions {
  std::vector<std::string> globs;    // keep only paths that match one (empty: keep all)
  std::vector<std::string> ignores;  // then drop paths that match one
  // Honour .gitignore and .recallignore, of the directories around a root too, up to the top of
  // its git repository or of the store. What .recallignore files say goes before .gitignore.
  // They never hide a file or directory that is a root itself.
  bool ignore_files = true;
  // Archives (IsArchiveName) found in directories are to be opened like those given as roots.
  bool archives = false;
  // Never found, whatever the globs say: the store's own files (recall.db, -wal, -shm).
  std::string store_path;
};

struct FoundFile {
  std::string doc_path;  // as the store names it: see NormalizeDocPath
  int64_t size = 0;
  std::optional<UnixNanos> mtime;
  // To be opened: it is its members that globs choose. An ignore that matches it hides them all.
  bool is_archive = false;
};

// What a walk came upon and could not take.
struct PathFault {
  std::string path;  // as the root was given, printable
  std::string reason;
  std::string absolute;

  auto operator<=>(const PathFault&) const = default;
};

struct WalkResult {
  std::vector<FoundFile> files;       // by doc_path, each once
  std::vector<PathFault> skipped;     // names that are not UTF-8, roots that are no files; sorted
  std::vector<PathFault> unreadable;  // nobody knows what is there or below; sorted
  std::vector<std::string> missing;   // roots that do not exist, as given
};

// The regular files below `roots` (files or directories). Symbolic links given as roots are
// followed, others are not. `.git` is never found or entered; hidden files are found.
WalkResult FindFiles(const std::vector<std::string>& roots, const std::string& store_root,
                     const WalkOptions& options);

}  // namespace recall
