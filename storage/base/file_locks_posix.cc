#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "storage/base/file_locks.h"

namespace recall::posix_form {
namespace {

int Flock(int descriptor, int operation) {
  if (::flock(descriptor, operation | LOCK_NB) == 0) return 0;
  return errno == EWOULDBLOCK ? EAGAIN : errno;
}

}  // namespace

int LockBytes(int, off_t, off_t) { return EOPNOTSUPP; }

void UnlockBytes(int, off_t, off_t) {}

// Asks for locks of POSIX, as SQLite's are.
bool AreBytesLocked(int descriptor, off_t start, off_t length) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = start;
  lock.l_len = length;
  return ::fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

int LockMark(int descriptor, off_t) { return Flock(descriptor, LOCK_EX); }

int LockWholeFile(int descriptor) {
  return AreBytesLocked(descriptor, 0, 0) ? EAGAIN : Flock(descriptor, LOCK_EX);
}

bool IsWholeFileLocked(int descriptor) {
  const int error = Flock(descriptor, LOCK_SH);
  if (error == 0) Flock(descriptor, LOCK_UN);
  return error == EAGAIN;
}

pid_t ProcessWithLock(const char*, off_t) { return 0; }

}  // namespace recall::posix_form
