#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "storage/base/result.h"
#include "tests/test_util.h"

namespace recall {

// The value of a Result that the test takes for granted; fails the test when there is none.
template <typename T>
T Must(Result<T> result) {
  if (!result) ADD_FAILURE() << result.error().ToString();
  return std::move(result).value();
}

inline std::set<std::string> FilesIn(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace recall
