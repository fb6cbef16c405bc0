#include "index/source/extract/html/html_arena.h"

#include <bit>
#include <cstring>
#include <new>

namespace recall {

// Size classes are powers of two from 16 bytes.
void* HtmlArena::Take(size_t bytes) {
  constexpr size_t kLeast = 16;
  if (bytes > kMaxArenaBytes) std::longjmp(escape, 1);
  const size_t size = std::bit_ceil(bytes < kLeast ? kLeast : bytes);
  const auto size_class = static_cast<size_t>(std::countr_zero(size));
  if (char* const block = free_[size_class]) {
    std::memcpy(&free_[size_class], block, sizeof(char*));
    return block;
  }
  const size_t needed = size + kHeader;
  if (needed > left_) {
    const size_t slab = needed > kSlab ? needed : kSlab;
    if (total_ + slab > kMaxArenaBytes) std::longjmp(escape, 1);
    char* const fresh = new (std::nothrow) char[slab];
    if (fresh == nullptr) {
      out_of_memory = true;
      std::longjmp(escape, 1);
    }
    slabs_.emplace_back(fresh);  // within the reserved capacity
    total_ += slab;
    next_ = fresh;
    left_ = slab;
  }
  char* const start = next_;
  next_ += needed;
  left_ -= needed;
  std::memcpy(start, &size_class, sizeof(size_class));
  return start + kHeader;
}

void HtmlArena::GiveBack(void* block) {
  char* const bytes = static_cast<char*>(block);
  size_t size_class;
  std::memcpy(&size_class, bytes - kHeader, sizeof(size_class));
  std::memcpy(bytes, &free_[size_class], sizeof(char*));
  free_[size_class] = bytes;
}

}  // namespace recall
