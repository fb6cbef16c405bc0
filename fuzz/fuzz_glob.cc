// Globs and .gitignore patterns: any pattern is rejected or matches, without a crash and without
// exponential time. Input: a line with the pattern, then a line with the path.

#include <string>

#include "fuzz/fuzz_target.h"
#include "index/base/glob/glob_matcher.h"
#include "index/base/glob/path_glob.h"

namespace recall {
namespace {

std::string Escaped(std::string_view path) {
  std::string pattern;
  for (const char c : path) {
    if (std::string_view("\\*?[]{},!%_").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

void FuzzOne(ByteSpan input) {
  std::string_view text = AsText(input);
  const std::string_view pattern = TakeLine(text);
  const std::string_view path = TakeLine(text);

  const Status readable = CheckGlob(pattern);
  const Result<PathGlob> glob = PathGlob::Compile(pattern);
  const bool matches = glob && glob->Matches(path);
  RECALL_CHECK(readable.ok() || readable.code() == StatusCode::kInvalidArgument);
  RECALL_CHECK(readable.ok() || !matches);
  RECALL_CHECK(readable.ok() == glob.has_value());
  if (glob) {
    // A walk does not enter a directory whose whole content is excluded, so everything below must
    // match.
    if (glob->MatchesAllBelow(path)) {
      RECALL_CHECK(glob->Matches(std::string(path) + "/a"));
      RECALL_CHECK(glob->Matches(std::string(path) + "/.b/c"));
    }
  }
  for (const GlobDialect dialect :
       {GlobDialect::kRecall, GlobDialect::kGitignore, GlobDialect::kLike}) {
    if (const auto compiled = Glob::Compile(pattern, dialect)) {
      GlobMatcher matcher(*compiled);
      RECALL_CHECK(matcher.Matches(path) == compiled->Matches(path));
      RECALL_CHECK(matcher.Matches(pattern) == compiled->Matches(pattern));
      RECALL_CHECK(!compiled->Matches(path) || path.starts_with(compiled->prefix()));
    }
    const auto literal = Glob::Compile(Escaped(path), dialect);
    RECALL_CHECK(literal && literal->Matches(path));
    RECALL_CHECK(!literal->Matches(std::string(path) + "x"));
  }
}

}  // namespace recall
