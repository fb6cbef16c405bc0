#pragma once

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "query/database.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"

namespace recall {

// One store for all inputs, of small vectors so that inputs are small.
class FuzzStore final {
 public:
  FuzzStore() {
    const bool in_memory = std::filesystem::is_directory("/dev/shm");
    std::string pattern = std::string(in_memory ? "/dev/shm" : "/tmp") + "/recall-fuzz-XXXXXX";
    RECALL_CHECK(::mkdtemp(pattern.data()) != nullptr);
    directory_ = pattern;
    CreateOptions options;
    options.dim = 8;
    auto database = Database::Create(directory_ + "/recall.db", options);
    RECALL_CHECK(database.has_value());
    database_ = std::move(*database);
  }
  ~FuzzStore() {
    database_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory_, ignored);
  }

  Database& database() { return *database_; }

 private:
  std::string directory_;
  std::unique_ptr<Database> database_;
};

// The input as a file.
class InputAsFile final {
 public:
  explicit InputAsFile(ByteSpan input) : file_(::memfd_create("input", MFD_CLOEXEC)) {
    RECALL_CHECK(file_ >= 0);
    RECALL_CHECK(::write(file_, input.data(), input.size()) == static_cast<ssize_t>(input.size()));
  }
  ~InputAsFile() { ::close(file_); }
  InputAsFile(const InputAsFile&) = delete;
  InputAsFile& operator=(const InputAsFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

 private:
  int file_;
};

}  // namespace recall
