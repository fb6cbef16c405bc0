#pragma once

#include <string>
#include <string_view>

namespace recall {

// All paths here are absolute, without ".", ".." and a slash at the end, except "/".

// The prefix of the paths of everything below a directory.
inline std::string WithSlash(std::string_view directory) {
  return directory == "/" ? "/" : std::string(directory) + '/';
}

// Whether a path is that of the directory or below it.
inline bool IsWithin(std::string_view path, std::string_view directory) {
  return path == directory || path.starts_with(WithSlash(directory));
}

inline std::string ParentPath(std::string_view path) {
  const size_t slash = path.rfind('/');
  return std::string(slash == 0 ? "/" : path.substr(0, slash));
}

inline std::string_view BaseName(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace recall
