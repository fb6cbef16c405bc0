#pragma once

#include <atomic>
#include <string>

#include "storage/file_io/file_descriptor.h"

namespace recall {

// Held by a process while it reads sessions from the store and writes new versions of them, so that
// two processes do not overwrite what the other one has added: hooks of git start several at once.
// It is a lock of the directory (flock), which the kernel drops when the process ends; where the
// file system has none, nothing is locked.
class SessionWriterLock final {
 public:
  // Waits for the lock. `directory`: of the store. Without the lock once *cancel is true.
  SessionWriterLock(const std::string& directory, const std::atomic<bool>& cancel);

 private:
  FileDescriptor directory_;
};

}  // namespace recall
