#include "storage/file_io/file_claim.h"

#include <cerrno>
#include <cstdint>

#include "storage/base/file_locks.h"

namespace recall {
namespace {

// SQLite locks bytes around 2^30, and the writer queue from 2^60 on.
constexpr off_t kClaimByte = off_t{1} << 59;

}  // namespace

ClaimOutcome ClaimFile(int descriptor) {
  const int error = LockMark(descriptor, kClaimByte);
  if (error == 0) return ClaimOutcome::kClaimed;
  return error == EAGAIN || error == EACCES ? ClaimOutcome::kTaken : ClaimOutcome::kUnsupported;
}

bool IsUnused(int descriptor) { return LockWholeFile(descriptor) == 0; }

}  // namespace recall
