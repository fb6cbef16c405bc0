#pragma once

#include <array>
#include <csetjmp>
#include <cstddef>
#include <memory>
#include <vector>

namespace recall {

// Memory for gumbo, which checks no allocation and frees its trees by recursion. All blocks end
// with the arena; freed blocks are used again for blocks of the same size class. Beyond
// kMaxArenaBytes the arena jumps to `escape`, which is sound because gumbo owns nothing else.
class HtmlArena final {
 public:
  static constexpr size_t kMaxArenaBytes = size_t{512} << 20;

  // These must not throw: gumbo is C.
  static void* Allocate(void* arena, size_t bytes) {
    return static_cast<HtmlArena*>(arena)->Take(bytes);
  }
  static void Free(void* arena, void* block) {
    if (block != nullptr) static_cast<HtmlArena*>(arena)->GiveBack(block);
  }

  HtmlArena() { slabs_.reserve(kMaxArenaBytes / kSlab); }

  std::jmp_buf escape;
  // Whether it jumped because the process has no more memory, before kMaxArenaBytes.
  bool out_of_memory = false;

 private:
  static constexpr size_t kHeader = 16;  // keeps blocks aligned; holds the size class
  static constexpr size_t kSlab = size_t{1} << 20;
  static constexpr size_t kClasses = 40;

  void* Take(size_t bytes);
  void GiveBack(void* block);

  std::array<char*, kClasses> free_ = {};  // lists of free blocks, linked through their bytes
  std::vector<std::unique_ptr<char[]>> slabs_;
  char* next_ = nullptr;
  size_t left_ = 0;
  size_t total_ = 0;
};

}  // namespace recall
