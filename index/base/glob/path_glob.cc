#include "index/base/glob/path_glob.h"

#include <string>

namespace recall {

Result<PathGlob> PathGlob::Compile(std::string_view pattern) {
  std::string whole(pattern);
  const bool names_directory = pattern.ends_with('/');
  if (names_directory) {
    const bool anywhere = pattern.find('/') == pattern.size() - 1;
    whole = (anywhere ? "**/" : "") + whole + "**";
  }
  PathGlob result;
  RECALL_ASSIGN(result.glob_, Glob::Compile(whole, GlobDialect::kRecall));
  result.last_component_ = whole.find('/') == std::string::npos;
  result.ends_with_double_star_ = whole.ends_with("/**") && whole.find('{') == std::string::npos;
  return result;
}

bool PathGlob::Matches(std::string_view path) const {
  return glob_.Matches(last_component_ ? path.substr(path.rfind('/') + 1) : path);
}

bool PathGlob::MatchesAllBelow(std::string_view directory) const {
  return ends_with_double_star_ && glob_.Matches(std::string(directory) + "/");
}

Status CheckGlob(std::string_view pattern) {
  Result<PathGlob> glob = PathGlob::Compile(pattern);
  return glob ? Status::Ok() : glob.error();
}

}  // namespace recall
