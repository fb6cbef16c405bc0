#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "index/base/glob/ignore_files.h"
#include "index/base/glob/path_filter.h"
#include "index/write/ingest/walker.h"

namespace recall {

// Determines whether the file of a document was deleted: a walk would have found it, but it does
// not exist. Files that globs, ignores, ignore files, dots, links or unreadable directories hide
// from the walk are never reported as missing. Not thread-safe.
class MissingFiles final {
 public:
  // `walk` is the result of FindFiles(roots, store_root, options). `known`: the recorded roots of
  // the store, and options.base.
  MissingFiles(const std::vector<std::string>& roots, const std::string& store_root,
               const WalkOptions& options, const WalkResult& walk,
               std::vector<SourceRoot> known = {});

  // Whether there is no file that the document may have been added from (CandidatesOf), although
  // the walk would have found one of them. False once WalkOptions::cancel is true.
  bool IsMissing(std::string_view doc_path);
  // Whether one of these files exists.
  bool FileExists(std::string_view doc_path) const;

 private:
  struct Directory {
    bool entered = false;  // whether a walk enters it
    IgnoreScopePtr scope;  // inside
  };
  struct Root {
    std::string absolute;
    IgnoreScopePtr scope;                                    // inside
    std::unordered_map<std::string, Directory> directories;  // below it, by absolute path
  };

  bool WouldBeFound(Root& root, const std::string& doc_path, const std::string& absolute);
  bool LeavesOut(const Directory& parent, const std::string& absolute, bool is_directory) const;
  Directory Enter(const Root& root, const Directory& parent, const std::string& absolute) const;
  IgnoreScopePtr ScopeInside(const IgnoreScopePtr& outer, const std::string& absolute) const;

  std::string store_root_;
  WalkOptions options_;
  std::vector<SourceRoot> known_;
  bool ignore_files_;
  bool hidden_;
  const std::atomic<bool>* cancel_;
  PathFilter filter_;
  std::unordered_set<std::string> unreadable_;
  std::vector<Root> roots_;  // the roots that are directories
};

}  // namespace recall
