#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "query/database.h"
#include "query/measure/eval/eval_types.h"
#include "storage/base/result.h"

namespace recall {

// A store in a temporary directory of its own ($TMPDIR, else /tmp), which is removed with it. It is
// filled once: files are written, then indexed as `recall add` does it. Not thread-safe.
class ScratchStore final {
 public:
  static Result<std::unique_ptr<ScratchStore>> Create(const CreateOptions& settings);
  ~ScratchStore();
  ScratchStore(const ScratchStore&) = delete;
  ScratchStore& operator=(const ScratchStore&) = delete;

  // `path` is relative; directories are made. StoredPath says which document becomes of it.
  Status Write(const std::string& path, std::string_view text);
  // Indexes all that was written; the files are removed. Cancelled once *cancel is true.
  Result<AddReport> Index(const EvalProgressFn& progress, const std::atomic<bool>& cancel);

  static std::string StoredPath(const std::string& path);
  Database& database() { return *database_; }

 private:
  explicit ScratchStore(std::string directory) : directory_(std::move(directory)) {}

  std::string directory_;
  std::unique_ptr<Database> database_;
};

}  // namespace recall
