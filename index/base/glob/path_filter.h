#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/base/glob/path_glob.h"

namespace recall {

// The --glob and --ignore patterns of a walk. Each is matched with a file's doc path and with its
// path relative to the root it was found under, so `src/**` has the same effect from either
// directory.
class PathFilter final {
 public:
  // Invalid patterns match nothing; CheckGlob reports them to the user before. `globs`: keep only
  // paths that match one (empty: keep all). `ignores`: drop paths that match one.
  PathFilter(const std::vector<std::string>& globs, const std::vector<std::string>& ignores);

  bool KeepsFile(std::string_view doc_path, std::string_view relative_path) const;
  // Returns: false if no file below the directory can be kept: an ignore matches it or everything
  // below it.
  bool EntersDirectory(std::string_view doc_path, std::string_view relative_path) const;

 private:
  std::vector<PathGlob> globs_;
  std::vector<PathGlob> ignores_;
};

}  // namespace recall
