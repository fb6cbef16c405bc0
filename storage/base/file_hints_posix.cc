#include <unistd.h>

#include <cerrno>

#include "storage/base/file_hints.h"

namespace recall::posix_form {

ssize_t ReadIfCached(int descriptor, void* to, size_t bytes, off_t offset) {
  return ::pread(descriptor, to, bytes, offset);
}

void StartReading(int, off_t, off_t) {}

int DropCached(int) { return EOPNOTSUPP; }

int SyncData(int descriptor) { return ::fsync(descriptor); }

void FreeBytes(int, off_t, off_t) {}

bool CountCached(void*, size_t, uint64_t*, uint64_t*) { return false; }

}  // namespace recall::posix_form
