#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>

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

// Lines of /proc/locks (proc(5)): "2: POSIX  ADVISORY  WRITE 4711 08:01:1234 120 120", or "EOF" in
// place of the last byte. The device is not compared: some file systems show another one than stat.
pid_t ProcessWithLock(const char* path, off_t byte) {
  struct stat file = {};
  if (::stat(path, &file) != 0) return 0;
  std::ifstream locks("/proc/locks");
  for (std::string line; std::getline(locks, line);) {
    int process = 0;
    unsigned long long inode = 0;
    long long first = 0;
    long long last = 0;
    const int fields = std::sscanf(line.c_str(), "%*d: POSIX %*s WRITE %d %*x:%*x:%llu %lld %lld",
                                   &process, &inode, &first, &last);
    if (fields < 3 || inode != file.st_ino || byte < first) continue;
    if (fields == 3 || byte <= last) return process;
  }
  return 0;
}

}  // namespace recall::linux_form
