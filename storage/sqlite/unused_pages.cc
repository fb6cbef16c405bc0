#include "storage/sqlite/unused_pages.h"

#include <vector>

#include "storage/base/coding.h"

namespace recall {
namespace {

constexpr uint64_t kLockByte = uint64_t{1} << 30;
// In the file's header.
constexpr size_t kFirstTrunkAt = 32;
// In a trunk page: the next one, the number of leaf pages, their numbers.
constexpr size_t kCountAt = 4;
constexpr size_t kLeavesAt = 8;

}  // namespace

std::set<uint32_t> UnusedPages(const PageReader& read, size_t page_bytes, uint32_t pages) {
  std::set<uint32_t> unused = {static_cast<uint32_t>(kLockByte / page_bytes) + 1};
  std::vector<uint8_t> page(page_bytes);
  if (!read(1, page)) return unused;
  uint32_t trunk = LoadBig32(page.data() + kFirstTrunkAt);
  for (uint32_t seen = 0; trunk != 0 && seen < pages; ++seen) {  // also ends a cycle
    if (trunk > pages || !read(trunk, page)) break;
    const size_t leaves = LoadBig32(page.data() + kCountAt);
    for (size_t i = 0; i < leaves && kLeavesAt + 4 * (i + 1) <= page.size(); ++i) {
      unused.insert(LoadBig32(page.data() + kLeavesAt + 4 * i));
    }
    trunk = LoadBig32(page.data());
  }
  return unused;
}

}  // namespace recall
