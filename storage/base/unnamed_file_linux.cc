#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "storage/base/unnamed_file.h"
#include "storage/base/write_whole.h"

namespace recall::linux_form {

int OpenUnnamedFile(const std::string& directory, int access, unsigned mode) {
  return ::open(directory.c_str(), O_TMPFILE | access | O_CLOEXEC, mode);
}

int NameFile(int descriptor, const std::string& path) {
  const std::string self = "/proc/self/fd/" + std::to_string(descriptor);
  return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW);
}

int MoveToFreeName(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  // Some file systems do not support RENAME_NOREPLACE.
  return errno == EINVAL ? posix_form::MoveToFreeName(from, to) : -1;
}

int SealedMemory(std::string_view bytes) {
  const int memory = ::memfd_create("document", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  constexpr int kSeals = F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
  if (memory >= 0 && WriteWhole(memory, bytes) && ::fcntl(memory, F_ADD_SEALS, kSeals) == 0 &&
      ::lseek(memory, 0, SEEK_SET) == 0) {
    return memory;
  }
  return CloseAfterError(memory);
}

int MemoryFile() { return ::memfd_create("recall", MFD_CLOEXEC); }

}  // namespace recall::linux_form
