#pragma once

#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// The directory in which relative paths are meant: that of a WorkingDirectoryScope of this thread,
// else that of the process. Errors: IoError if it does not exist any more.
Result<std::string> WorkingDirectory();

// While it exists, relative paths that name documents are meant in `directory`, on this thread:
// for a program that answers the processes of others. Scopes do not nest.
class WorkingDirectoryScope final {
 public:
  explicit WorkingDirectoryScope(std::string directory);
  ~WorkingDirectoryScope();
  WorkingDirectoryScope(const WorkingDirectoryScope&) = delete;
  WorkingDirectoryScope& operator=(const WorkingDirectoryScope&) = delete;
};

// Checks that `path` denotes a place: it is absolute, or there is a working directory. A process
// may outlive its working directory, and a relative path then has no meaning. Errors: IoError.
Status CheckHasPlace(std::string_view path);

}  // namespace recall
