#include "tests/cli/server/http/failing_memory.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace recall {
namespace {

thread_local bool may_fail = false;
std::atomic<int64_t> until_failure = -1;  // allocations until one fails; negative: none does

bool Fails() { return may_fail && until_failure.load() >= 0 && until_failure.fetch_sub(1) == 0; }

}  // namespace

FailingMemory::FailingMemory(int64_t before) { until_failure = before; }
FailingMemory::~FailingMemory() { until_failure = -1; }
bool FailingMemory::has_failed() const { return until_failure.load() < 0; }
void LetMemoryFailHere() { may_fail = true; }

}  // namespace recall

// Those of arrays call these. GCC must not see that they use malloc.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (recall::Fails()) throw std::bad_alloc();
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  throw std::bad_alloc();
}
// By itself it would call the one above, but AddressSanitizer has one of its own.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return recall::Fails() ? nullptr : std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
