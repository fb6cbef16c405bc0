#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

struct WalkOptions {
  std::vector<std::string> globs;    // keep only paths that match one (empty: keep all)
  std::vector<std::string> ignores;  // then drop paths that match one
  bool ignore_files = true;          // honour .gitignore and .recallignore
  // Never found, whatever the globs say: the store's own files (recall.db, -wal, -shm).
  std::string store_path;
};

struct FoundFile {
  std::string file_path;  // as the system knows it
  std::string doc_path;   // as the store names it: see NormalizeDocPath
  int64_t size = 0;
  std::optional<UnixNanos> mtime;
};

struct WalkResult {
  std::vector<FoundFile> files;       // by doc_path, each once
  std::vector<std::string> warnings;  // unreadable directories, odd names, missing paths
  std::vector<std::string> missing;   // roots that do not exist
};

// The regular files below `roots` (files or directories). Symbolic links given as roots are
// followed, others are not. `.git` is never entered; hidden files are found.
WalkResult FindFiles(const std::vector<std::string>& roots, const std::string& store_root,
                     const WalkOptions& options);

// The store's name for a file: relative to the directory of recall.db, with `/`, when it lies
// there; otherwise its absolute path. `.` and `..` are resolved in the text, links are not.
std::string NormalizeDocPath(std::string_view path, std::string_view store_root);

// Matches whole paths: `?` and `*` stop at `/`, `**` crosses it (`**/` also matches nothing),
// [a-z] classes, {a,b} alternatives, `\` escapes. A pattern without `/` matches the last
// component at any depth.
bool GlobMatches(std::string_view pattern, std::string_view path);
// InvalidArgument that says where, for patterns that cannot be read (an open [ or {).
Status CheckGlob(std::string_view pattern);

}  // namespace recall
