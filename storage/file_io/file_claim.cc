#include "storage/file_io/file_claim.h"

#include <fcntl.h>

#include <cerrno>
#include <cstdint>

namespace recall {
namespace {

// SQLite locks bytes around 2^30, and the writer queue from 2^60 on.
constexpr off_t kClaimByte = off_t{1} << 59;

// Locks `length` bytes for writing without waiting; 0: all to the end. Returns errno, or 0.
int LockForWriting(int descriptor, off_t start, off_t length) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = start;
  lock.l_len = length;
  return ::fcntl(descriptor, F_OFD_SETLK, &lock) == 0 ? 0 : errno;
}

}  // namespace

ClaimOutcome ClaimFile(int descriptor) {
  const int error = LockForWriting(descriptor, kClaimByte, 1);
  if (error == 0) return ClaimOutcome::kClaimed;
  return error == EAGAIN || error == EACCES ? ClaimOutcome::kTaken : ClaimOutcome::kUnsupported;
}

bool IsUnused(int descriptor) { return LockForWriting(descriptor, 0, 0) == 0; }

}  // namespace recall
