#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <vector>

#include "storage/base/file_hints.h"

namespace recall::linux_form {

// RWF_NOWAIT came with Linux 4.14.
ssize_t ReadIfCached(int descriptor, void* to, size_t bytes, off_t offset) {
  const iovec part{to, bytes};
  return ::preadv2(descriptor, &part, 1, offset, RWF_NOWAIT);
}

void StartReading(int descriptor, off_t offset, off_t bytes) {
  ::posix_fadvise(descriptor, offset, bytes, POSIX_FADV_WILLNEED);
}

int DropCached(int descriptor) { return ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED); }

int SyncData(int descriptor) { return ::fdatasync(descriptor); }

void FreeBytes(int descriptor, off_t offset, off_t bytes) {
  [[maybe_unused]] const int freed =
      ::fallocate(descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset, bytes);
}

bool CountCached(void* mapping, size_t bytes, uint64_t* pages, uint64_t* cached) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> states((bytes + page - 1) / page);
  if (::mincore(mapping, bytes, states.data()) != 0) return false;
  *pages += states.size();
  for (const unsigned char state : states) *cached += state & 1;
  return true;
}

}  // namespace recall::linux_form
