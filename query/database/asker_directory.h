#pragma once

#include <memory>
#include <string>

namespace recall {

class WorkingDirectoryScope;

// While it exists, operations of this thread on any Database take relative names of documents as
// meant in `directory`, an absolute path, and not in the working directory of this process: for
// programs that answer others. Only one may exist on a thread at a time.
class AskerDirectory final {
 public:
  explicit AskerDirectory(std::string directory);
  ~AskerDirectory();
  AskerDirectory(const AskerDirectory&) = delete;
  AskerDirectory& operator=(const AskerDirectory&) = delete;

 private:
  std::unique_ptr<WorkingDirectoryScope> scope_;
};

}  // namespace recall
