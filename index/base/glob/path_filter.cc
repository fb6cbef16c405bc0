#include "index/base/glob/path_filter.h"

#include <algorithm>
#include <string>

namespace recall {
namespace {

std::vector<PathGlob> CompileAll(const std::vector<std::string>& patterns) {
  std::vector<PathGlob> globs;
  for (std::string_view pattern : patterns) {
    if (pattern.starts_with("./")) pattern.remove_prefix(2);
    if (Result<PathGlob> glob = PathGlob::Compile(pattern)) globs.push_back(*std::move(glob));
  }
  return globs;
}

bool AnyMatches(const std::vector<PathGlob>& globs, std::string_view doc_path,
                std::string_view relative_path) {
  return std::any_of(globs.begin(), globs.end(), [=](const PathGlob& glob) {
    return glob.Matches(doc_path) || glob.Matches(relative_path);
  });
}

}  // namespace

PathFilter::PathFilter(const std::vector<std::string>& globs,
                       const std::vector<std::string>& ignores)
    : globs_(CompileAll(globs)), ignores_(CompileAll(ignores)) {}

bool PathFilter::KeepsFile(std::string_view doc_path, std::string_view relative_path) const {
  if (!globs_.empty() && !AnyMatches(globs_, doc_path, relative_path)) return false;
  return !AnyMatches(ignores_, doc_path, relative_path);
}

bool PathFilter::EntersDirectory(std::string_view doc_path, std::string_view relative_path) const {
  return std::none_of(ignores_.begin(), ignores_.end(), [=](const PathGlob& glob) {
    return glob.Matches(doc_path) || glob.Matches(relative_path) ||
           glob.MatchesAllBelow(doc_path) || glob.MatchesAllBelow(relative_path);
  });
}

}  // namespace recall
