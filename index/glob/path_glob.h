#pragma once

#include <string_view>

#include "index/glob/glob.h"
#include "storage/base/result.h"

namespace recall {

// A --glob or --ignore pattern: one without '/' matches the last component of a path, one that
// ends in '/' everything below the directories it names (at any depth if that is its only '/').
class PathGlob final {
 public:
  static Result<PathGlob> Compile(std::string_view pattern);

  bool Matches(std::string_view path) const;
  // True when the pattern matches every path below `directory`.
  bool MatchesAllBelow(std::string_view directory) const;

 private:
  Glob glob_;
  bool last_component_ = false;
  bool ends_with_double_star_ = false;
};

// Matches whole paths: `?` and `*` stop at `/`, `**` crosses it (`**/` also matches nothing),
// [a-z] classes, {a,b} alternatives, `\` escapes. A pattern without `/` matches the last
// component at any depth; one that ends in `/` matches what is below such directories. Linear in
// pattern x path; a pattern that cannot be read matches nothing.
bool GlobMatches(std::string_view pattern, std::string_view path);
// InvalidArgument that says where, for patterns that cannot be read (an open [ or {).
Status CheckGlob(std::string_view pattern);

}  // namespace recall
