#pragma once

// File helpers for tests of stores.

#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "storage/base/result.h"
#include "tests/test_util.h"

namespace recall {

inline std::set<std::string> FilesIn(const std::string& directory) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

}  // namespace recall
