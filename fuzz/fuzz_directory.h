#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "storage/base/check.h"

namespace recall {

// A temporary directory, in memory if possible, that is removed with its owner.
class FuzzDirectory final {
 public:
  FuzzDirectory() {
    const bool in_memory = std::filesystem::is_directory("/dev/shm");
    path_ = std::string(in_memory ? "/dev/shm" : "/tmp") + "/recall-fuzz-XXXXXX";
    RECALL_CHECK(::mkdtemp(path_.data()) != nullptr);
  }
  ~FuzzDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  FuzzDirectory(const FuzzDirectory&) = delete;
  FuzzDirectory& operator=(const FuzzDirectory&) = delete;

  std::string StorePath() const { return path_ + "/recall.db"; }

 private:
  std::string path_;
};

}  // namespace recall
