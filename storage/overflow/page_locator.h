#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "storage/overflow/file_pages.h"

namespace recall {

// Pages of one row's overflow chain, found as they are asked for.
//
// Chains mostly go up or down page by page. So a page is looked for where it lies if the chain goes
// on like that, and taken when it says that it is the one; only where it does not say so the chain
// is walked. docs/decisions/0022-pages-as-needed.md has what that spares.
//
// That is sound where a page which says that it is page i of the chain cannot be an old copy of
// it: docs/format/segment.md, section 9.
//
// Thread-safe. Every page that is found has passed the check.
class PageLocator final {
 public:
  // Whether the first kChainPageStart bytes of a page say that it is page `ordinal` of the chain.
  // Called by any thread; the bytes are not trusted.
  using Check = std::function<bool(uint32_t ordinal, const uint8_t* start)>;

  // first: page 0 of the chain, by FindFirstPage. may_leap: false, to go from page to page only.
  PageLocator(uint32_t first, uint32_t pages, bool may_leap, Check check);

  // Whether the page where every search begins is in memory. If not, asks the disk for it and does
  // not wait.
  bool AskForFirst(const FilePages& file) const;

  // Finds these pages. Requires: ascending, below pages(); `file` as for FindChain.
  // False when the chain does not lead to one of them.
  bool Locate(const FilePages& file, std::span<const uint32_t> ordinals);

  uint32_t pages() const { return static_cast<uint32_t>(numbers_.size()); }
  // Its number in the file; 0 when it was not looked for yet.
  uint32_t number(uint32_t ordinal) const {
    return numbers_[ordinal].load(std::memory_order_relaxed);
  }

 private:
  class Walk;

  const uint32_t first_;
  const bool may_leap_;
  const Check check_;
  std::vector<std::atomic<uint32_t>> numbers_;
};

}  // namespace recall
