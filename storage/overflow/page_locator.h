#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "storage/overflow/file_pages.h"

namespace recall {

// Finds pages of one row's overflow chain on demand.
//
// Chains mostly consist of pages that are adjacent in the file. A page is therefore looked for
// where it must be if the chain continues like that, and accepted if it carries its identity.
// Otherwise the chain is walked. docs/decisions/0022-pages-as-needed.md has measurements.
//
// This is sound if a page that carries the identity of page i of the chain cannot be an old copy of
// it: docs/format/segment.md, section 9.
//
// Thread-safe. Every page number that is returned belongs to a page that passed the check.
class PageLocator final {
 public:
  // Whether the first kChainPageStart bytes of a page identify it as page `ordinal` of the chain.
  // Called by any thread; the bytes are untrusted.
  using Check = std::function<bool(uint32_t ordinal, const uint8_t* start)>;

  // first: page 0 of the chain, from FindFirstPage. may_leap: false to only walk from page to page.
  // segment: its id, by which pages are found that another process has checked
  // (FilePages.verified).
  PageLocator(uint32_t first, uint32_t pages, bool may_leap, int64_t segment, Check check);

  // Whether the page where every search begins is in memory. If not, starts reading it without
  // waiting.
  bool AskForFirst(const FilePages& file) const;

  // Finds these pages. Requires: ascending, below pages(); `file` as for FindChain. False if the
  // chain does not lead to one of them.
  bool Locate(const FilePages& file, std::span<const uint32_t> ordinals);

  uint32_t pages() const { return static_cast<uint32_t>(numbers_.size()); }
  // The page's number in the file; 0 if it is not known yet.
  uint32_t number(uint32_t ordinal) const {
    return numbers_[ordinal].load(std::memory_order_relaxed);
  }

 private:
  class Walk;

  const uint32_t first_;
  const bool may_leap_;
  const int64_t segment_;
  const Check check_;
  std::vector<std::atomic<uint32_t>> numbers_;
};

}  // namespace recall
