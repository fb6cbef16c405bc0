#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace recall {

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};

// An array of zero bytes whose pages the system provides when they are first used. So a large table
// of which a query uses a few entries costs a few pages.
template <typename T>
using ZeroedArray = std::unique_ptr<T[], FreeMemory>;

template <typename T>
ZeroedArray<T> MakeZeroedArray(size_t items) {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);
  ZeroedArray<T> made(static_cast<T*>(std::calloc(items, sizeof(T))));
  if (!made && items > 0) throw std::bad_alloc();
  return made;
}

}  // namespace recall
