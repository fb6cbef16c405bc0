#include "index/source/extract/worker/resource_limits.h"

#include <sys/resource.h>

#include <cerrno>

namespace recall {
namespace {

// Sanitizers reserve terabytes of address space, so it cannot be limited.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kLimitsAddressSpace = false;
#else
constexpr bool kLimitsAddressSpace = true;
#endif

// `Resource` is the type of the constants RLIMIT_*, which systems give different ones.
template <typename Resource>
Status Limit(Resource resource, uint64_t most) {
  rlimit limit{};
  limit.rlim_cur = static_cast<rlim_t>(most);
  limit.rlim_max = static_cast<rlim_t>(most);
  if (::setrlimit(resource, &limit) == 0) return Status::Ok();
  return Status::IoError("cannot set a resource limit: " + SystemErrorText(errno));
}

}  // namespace

Status SetResourceLimits(uint64_t memory_bytes, uint64_t cpu_seconds, uint64_t descriptors) {
  if (kLimitsAddressSpace) RECALL_TRY(Limit(RLIMIT_AS, memory_bytes));
  RECALL_TRY(Limit(RLIMIT_CPU, cpu_seconds));
  RECALL_TRY(Limit(RLIMIT_FSIZE, 0));
  RECALL_TRY(Limit(RLIMIT_CORE, 0));
  return Limit(RLIMIT_NOFILE, descriptors);
}

}  // namespace recall
