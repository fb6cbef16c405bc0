// Memory for destructors that allocate.
//
// Problem. When memory is lacking, operator new throws, and each function of the library returns an
// error. But while the exception unwinds the stack, destructors allocate: that of a JSON tree an
// array for the values in it (nlohmann::basic_json::destroy), that of a transaction a statement. If
// operator new throws there, std::terminate ends the host.
//
// Idea. Blocks of some sizes are allocated before a call begins. Once operator new has thrown on a
// thread, it takes from them what malloc does not give, until the next call of that thread. A JSON
// tree may also be destroyed when nothing was thrown yet, so a request that may be for its array is
// always given a block: the array is a whole number of values, each of 16 bytes. All others fail as
// always, so the call ends soon, with few blocks used. The blocks are of malloc, so whoever frees
// one need not know of them, as a shared library in C++ that has its own operator delete.
//
// Invariants: a call begins with all blocks; the largest one holds the values of the largest tree
// that is read (kMostMessageValues).
//
// Cost: 300 KiB of memory in each process that uses the library. The largest blocks are pages that
// nobody has touched.

#include "cli/library/spare_memory.h"

#include <execinfo.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <new>

#include "cli/server/mcp/json_rpc.h"

namespace recall {
namespace {

constexpr size_t kValueBytes = sizeof(Json);
static_assert(kValueBytes == 16 && sizeof(nlohmann::json) == kValueBytes);

// Blocks of one size. The memory of a block that is not in use is held here.
struct SpareSize {
  size_t bytes;
  size_t count;
};
constexpr std::array<SpareSize, 4> kSizes = {
    {{256, 256}, {size_t{4} << 10, 32}, {size_t{64} << 10, 4}, {size_t{2} << 20, 2}}};
constexpr size_t kMostBlocks = 256;
static_assert(kSizes.back().bytes >= kMostMessageValues * kValueBytes);

class SpareMemory final {
 public:
  bool Fill() noexcept {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < kSizes.size(); ++i) {
      while (held_[i] < kSizes[i].count) {
        void* const block = std::malloc(kSizes[i].bytes);
        if (block == nullptr) return false;
        blocks_[i][held_[i]++] = block;
      }
    }
    return true;
  }

  // Takes a block of at least `bytes`. Returns: null if no such block is left.
  void* Take(size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    for (size_t i = 0; i < kSizes.size(); ++i) {
      if (kSizes[i].bytes >= bytes && held_[i] > 0) return blocks_[i][--held_[i]];
    }
    return nullptr;
  }

 private:
  std::mutex mutex_;
  std::array<size_t, kSizes.size()> held_ = {};
  std::array<std::array<void*, kMostBlocks>, kSizes.size()> blocks_ = {};
};

constinit SpareMemory spare;
// Whether operator new has thrown on this thread in the present call.
constinit thread_local bool is_lacking = false;

// The first exception that passes a function of glibc, as pthread_once below std::call_once, makes
// glibc look for the unwinder. Without memory for that it ends the process. backtrace() makes it
// look when the library is loaded.
[[maybe_unused]] const int unwinder_found = [] {
  void* frame = nullptr;
  return ::backtrace(&frame, 1);
}();

}  // namespace

bool FillSpareMemory() noexcept {
  is_lacking = false;
  return spare.Fill();
}

}  // namespace recall

// These are the ones of the library alone: its map exports neither. GCC must not see that they use
// malloc. Those of arrays call them.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;
  if (recall::is_lacking || size % recall::kValueBytes == 0) {
    if (void* const memory = recall::spare.Take(size)) return memory;
  }
  recall::is_lacking = true;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
