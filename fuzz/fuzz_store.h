#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "fuzz/fuzz_directory.h"
#include "query/database/database.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"

namespace recall {

// One store for all inputs. Its vectors are small, so that inputs can be small.
class FuzzStore final {
 public:
  explicit FuzzStore(CreateOptions options = {}) {
    options.dim = 8;
    auto database = Database::Create(directory_.StorePath(), options);
    RECALL_CHECK(database.has_value());
    database_ = std::move(*database);
  }

  Database& database() { return *database_; }

 private:
  FuzzDirectory directory_;  // outlives the store
  std::unique_ptr<Database> database_;
};

// A file in memory with the bytes of the input.
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
