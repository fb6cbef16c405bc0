#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "storage/base/file_locks.h"

namespace recall::linux_form {
namespace {

struct flock LockOfBytes(short type, off_t start, off_t length) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = start;
  lock.l_len = length;
  return lock;
}

}  // namespace

int LockBytes(int descriptor, off_t start, off_t length) {
  struct flock lock = LockOfBytes(F_WRLCK, start, length);
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

void UnlockBytes(int descriptor, off_t start, off_t length) {
  struct flock lock = LockOfBytes(F_UNLCK, start, length);
  ::fcntl(descriptor, F_OFD_SETLK, &lock);
}

// Also reports the locks that SQLite has in this process, because those belong to the process and
// not to the open file.
bool AreBytesLocked(int descriptor, off_t start, off_t length) {
  struct flock lock = LockOfBytes(F_WRLCK, start, length);
  return ::fcntl(descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

int LockMark(int descriptor, off_t byte) { return LockBytes(descriptor, byte, 1); }

int LockWholeFile(int descriptor) { return LockBytes(descriptor, 0, 0); }

bool IsWholeFileLocked(int descriptor) {
  struct flock lock = LockOfBytes(F_WRLCK, 0, 0);
  return ::fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

}  // namespace recall::linux_form
