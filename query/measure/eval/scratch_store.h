#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "query/database/database.h"
#include "query/measure/eval/eval_types.h"
#include "storage/base/result.h"

namespace recall {

// A store in its own temporary directory ($TMPDIR, else /tmp), which the destructor removes. It is
// filled once: files are written, then indexed as by `recall add`. Not thread-safe.
class ScratchStore final {
 public:
  static Result<std::unique_ptr<ScratchStore>> Create(const CreateOptions& settings);
  ~ScratchStore();
  ScratchStore(const ScratchStore&) = delete;
  ScratchStore& operator=(const ScratchStore&) = delete;

  // Writes a file. `path` is relative; directories are created. StoredPath returns the path of the
  // document made from it.
  Status Write(const std::string& path, std::string_view text);
  // Indexes all written files and removes them. Cancelled once *cancel is true.
  Result<AddReport> Index(const EvalProgressFn& progress, const std::atomic<bool>& cancel);

  // Indexes the files below a directory, which stay where they are. Documents have their paths
  // below it. Cancelled once *cancel is true.
  Result<AddReport> IndexDirectory(const std::string& directory, const ExtractSettings& extract,
                                   const EvalProgressFn& progress, const std::atomic<bool>& cancel);

  static std::string StoredPath(const std::string& path);
  Database& database() { return *database_; }

 private:
  explicit ScratchStore(std::string directory) : directory_(std::move(directory)) {}

  Result<AddReport> Add(AddRequest request, const EvalProgressFn& progress,
                        const std::atomic<bool>& cancel);

  std::string directory_;
  std::unique_ptr<Database> database_;
};

}  // namespace recall
