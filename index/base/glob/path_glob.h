#pragma once

#include <string_view>

#include "index/base/glob/glob.h"
#include "storage/base/result.h"

namespace recall {

// A --glob or --ignore pattern. It matches whole paths: `?` and `*` stop at `/`, `**` crosses it
// (`**/` also matches nothing), [a-z] classes, {a,b} alternatives, `\` escapes. A pattern
// without '/' matches the last component of a path. One that ends in '/' matches everything below
// the directories it names (at any depth if that is its only '/'). Matching is linear in
// pattern x path.
class PathGlob final {
 public:
  static Result<PathGlob> Compile(std::string_view pattern);

  bool Matches(std::string_view path) const;
  // Whether the pattern matches every path below `directory`.
  bool MatchesAllBelow(std::string_view directory) const;

 private:
  Glob glob_;
  bool last_component_ = false;
  bool ends_with_double_star_ = false;
};

// Checks a pattern. Errors: InvalidArgument, with the offset, for an invalid one (an open [ or {).
Status CheckGlob(std::string_view pattern);

}  // namespace recall
