#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/glob/glob.h"

namespace recall {

enum class IgnoreVerdict : uint8_t { kUndecided, kIgnore, kInclude };

// The rules of one .gitignore or .recallignore file (gitignore(5)); the last matching rule wins.
// Invalid patterns are ignored, as in git.
class IgnoreRules final {
 public:
  explicit IgnoreRules(std::string_view file_text);

  // `path` is relative to the directory of the file. `cancel` may be null; see IsIgnored.
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
// around it. Shared by all directories below without ignore files. Immutable.
struct IgnoreScope {
  std::shared_ptr<const IgnoreScope> parent;
  size_t path_prefix = 0;  // bytes of an absolute path that name the directory, with its '/'
  IgnoreRules gitignore;
  IgnoreRules recallignore;
  size_t bytes = 0;  // of the ignore files of this scope and of all around it
};

// Whether the file or directory at `absolute_path` is ignored. Any .recallignore above the path
// takes precedence over any .gitignore; among files of one kind the innermost takes precedence. It
// does not check whether a directory above the path is ignored: callers do not enter such
// directories. Once *cancel, if given, is true, it returns soon, and true: the caller must end
// without a result.
bool IsIgnored(const IgnoreScope* scope, std::string_view absolute_path, bool is_directory,
               const std::atomic<bool>* cancel = nullptr);

}  // namespace recall
