#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "storage/base/result.h"

namespace recall {

// An empty file beside the file that it will become ("recall.db.new-1a2b3c4d"), for a database that
// is made under this name and then renamed (new_file.h). At the end of its scope it is removed,
// with the files that SQLite keeps beside it, unless it was renamed meanwhile. If the process is
// killed, the file stays, and the next Create for the same target removes it (file_claim.h).
//
// Requires: the object lives from before the first SQLite connection to the file until after the
// last one is closed, because closing its descriptor drops all locks that SQLite has on the file in
// this process.
class UnfinishedFile final {
 public:
  // `mode`: the permissions, less the umask. Removes abandoned files of `target` first. Errors:
  // IoError.
  static Result<std::unique_ptr<UnfinishedFile>> Create(const std::string& target, mode_t mode);
  ~UnfinishedFile();
  UnfinishedFile(const UnfinishedFile&) = delete;
  UnfinishedFile& operator=(const UnfinishedFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  explicit UnfinishedFile(std::string path);

  std::string path_;
  int descriptor_ = -1;  // -1: the file was not created
};

enum class UnfinishedContent {
  kDatabase,  // empty, or the beginning of a database
  kAny,
};

// Removes the files beside `target` that killed processes left: those with the name of an
// unfinished file of `target` that belong to this user, have such content, and are locked by
// nobody. Files that cannot be examined stay.
void RemoveAbandonedFiles(const std::string& target,
                          UnfinishedContent content = UnfinishedContent::kDatabase);

}  // namespace recall
