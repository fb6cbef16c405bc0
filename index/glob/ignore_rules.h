#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/glob/glob.h"

namespace recall {

enum class IgnoreVerdict : uint8_t { kUndecided, kIgnore, kInclude };

// The rules of one .gitignore or .recallignore file (gitignore(5)); the last that matches wins.
// Lines that are no pattern are ignored, as git does.
class IgnoreRules final {
 public:
  explicit IgnoreRules(std::string_view file_text);

  // `path` is relative to the directory of the file.
  IgnoreVerdict Check(std::string_view path, bool is_directory) const;
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
// around it. Shared by all directories below that have none of their own. Immutable.
struct IgnoreScope {
  std::shared_ptr<const IgnoreScope> parent;
  size_t path_prefix = 0;  // bytes of an absolute path that name the directory, with its '/'
  IgnoreRules gitignore;
  IgnoreRules recallignore;
};

// True when the file or directory at `absolute_path` is ignored. A .recallignore anywhere above
// it decides before any .gitignore does; of files of one kind the innermost decides first.
// That a directory above the path is ignored is for the caller to know: it does not go there.
bool IsIgnored(const IgnoreScope* scope, std::string_view absolute_path, bool is_directory);

}  // namespace recall
