#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/glob/glob.h"

namespace recall {

enum class IgnoreVerdict : uint8_t { kUndecided, kIgnore, kInclude };

// The rules of one .gitignore or .recallignore file (gitignore(5)); the last matching rule wins.
// Invalid patterns are ignored, as in git.
class IgnoreRules final {
 public:
  explicit IgnoreRules(std::string_view file_text);

  // `path` is relative to the directory of the file. `cancel` may be null; see DecideIgnored.
  IgnoreVerdict Check(std::string_view path, bool is_directory,
                      const std::atomic<bool>* cancel = nullptr) const;
  bool empty() const { return rules_.empty(); }

 private:
  struct Rule {
    Glob glob;
    bool negated = false;
    bool directories_only = false;
    bool last_component = false;  // no '/' in the pattern: matches names at any depth
  };

  void AddLine(std::string_view line);

  std::vector<Rule> rules_;
};

// The ignore files that apply in a directory: its own and, by `parent`, those of the directories
// around it. Shared by all directories below without ignore files and without `.git`. Immutable.
struct IgnoreScope {
  std::shared_ptr<const IgnoreScope> parent;
  size_t path_prefix = 0;  // bytes of an absolute path that name the directory, with its '/'
  IgnoreRules gitignore;
  IgnoreRules recallignore;
  size_t bytes = 0;             // of the ignore files of this scope and of all around it
  bool in_repository = false;   // the directory is below the top of a git repository, or is it
  bool repository_top = false;  // .gitignore files above it do not apply
};

// What the ignore files say about a path, and which kind of file said it (meaningless if
// undecided).
struct IgnoreDecision {
  IgnoreVerdict verdict = IgnoreVerdict::kUndecided;
  bool by_recallignore = false;

  bool ignores() const { return verdict == IgnoreVerdict::kIgnore; }
  // Whether a .recallignore file includes the path, even if it is hidden.
  bool recalls() const { return by_recallignore && verdict == IgnoreVerdict::kInclude; }
};

// What applies to the file or directory at `absolute_path`. Any .recallignore above the path takes
// precedence over any .gitignore; among files of one kind the innermost takes precedence. It does
// not check whether a directory above the path is ignored: callers do not enter such directories.
// Once *cancel, if given, is true, it returns soon, and kIgnore: the caller must end without a
// result.
IgnoreDecision DecideIgnored(const IgnoreScope* scope, std::string_view absolute_path,
                             bool is_directory, const std::atomic<bool>* cancel = nullptr);

}  // namespace recall
