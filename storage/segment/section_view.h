#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "storage/base/result.h"
#include "storage/overflow/file_pages.h"

namespace recall {

// What a section of a segment holds. Written to disk: never renumber. Sign codes have one item for
// each 32 vectors begun, ends of lists one for each list, the others one for each vector; readers
// may rely on it, and on the size of an item, which is checked when a segment is opened.
enum class SectionKind : uint16_t {
  kSignatures = 1,   // LSH sign bits, blocks of 32 slots, bytes transposed
  kChunkIds = 2,     // u32 chunk rowid minus the segment's smallest
  kVectors = 3,      // int8 components in the rotated basis
  kScales = 4,       // f32: vector = scale * int8 components
  kTokenCounts = 5,  // u16 lexical tokens, u16 whitespace tokens (both saturate at 65535)
  // Both or neither. Without them slot i is vector i; with them sign codes lie by list.
  kCellEnds = 6,  // u32: the slot behind the last of each list
  kSlots = 7,     // u16: which vector's sign code lies there
};
inline constexpr size_t kSectionKinds = 7;

// A fixed-size array laid over pages: item i lies on page i / items_per_page; no item straddles
// two pages; the first item of each page is 64-byte aligned. The bytes are those of the store,
// in place when the segment is mapped.
// Valid as long as the transaction it came from. Thread-safe.
//
// Of vectors read in place, and of sign codes that lie by list, pages are found when they are
// needed: before an item is looked at, Need or NeedRange must have returned Ok for it.
class SectionView final {
 public:
  // Finds pages of the section, by ascending number, and says where their items begin. Thread-safe.
  using PageFinder = std::function<Status(std::span<const uint32_t> pages, const uint8_t** items)>;

  SectionView() = default;
  // All pages are there.
  SectionView(const std::vector<const uint8_t*>& pages, uint32_t item_bytes,
              uint32_t items_per_page, uint32_t items);
  // None is yet.
  SectionView(uint32_t pages, uint32_t item_bytes, uint32_t items_per_page, uint32_t items,
              PageFinder find);
  // The process has not looked at the pages, which are of this file.
  void SetUnseen(const FilePages& file) { unseen_.reset(new Unseen{file}); }

  // Finds the pages of these items, which mostly ascend, or of items first .. last - 1.
  // Errors: Corruption when one is not where it should be.
  Status Need(std::span<const uint32_t> items) const;
  Status NeedRange(uint32_t first, uint32_t last) const;

  uint32_t items() const { return items_; }
  uint32_t item_bytes() const { return item_bytes_; }
  uint32_t items_per_page() const { return items_per_page_; }
  uint32_t pages() const { return page_count_; }
  uint32_t items_on_page(uint32_t page) const {
    const uint32_t first = page * items_per_page_;
    return items_ - first < items_per_page_ ? items_ - first : items_per_page_;
  }
  // Items of one page, contiguous.
  const uint8_t* page(uint32_t page) const { return pages_[page].load(std::memory_order_relaxed); }
  const uint8_t* item(uint32_t index) const {
    const uint32_t number = page_of(index);
    return page(number) + size_t{index - number * items_per_page_} * item_bytes_;
  }
  // Without dividing: scattered items are many, and a division would cost as much as a vector's
  // product. Exact because index and items_per_page are below 2^16.
  uint32_t page_of(uint32_t index) const {
    return static_cast<uint32_t>(index * reciprocal_ >> 32);
  }
  // True where the process has looked at few of the pages yet: then scattered items, few a page,
  // are read faster than they are looked at. Not for long, for every look makes the next ones
  // cheaper.
  bool reads_faster() const {
    return unseen_ && unseen_->reads.load(std::memory_order_relaxed) < kReadsPerPage * pages();
  }
  // Copies an item, as it is at `item(index)`. Requires: reads_faster() was true. False when the
  // file cannot be read.
  bool Read(uint32_t index, uint8_t* to) const {
    unseen_->reads.fetch_add(1, std::memory_order_relaxed);
    return unseen_->file.Read(item(index), {to, item_bytes_});
  }
  // The same, unless the disk would have to be waited for: then it is asked for the item, which the
  // next Read gets.
  bool ReadOrAsk(uint32_t index, uint8_t* to) const {
    if (unseen_->file.ReadIfCached(item(index), {to, item_bytes_})) {
      unseen_->reads.fetch_add(1, std::memory_order_relaxed);
      return true;
    }
    unseen_->file.WillNeed(item(index), item_bytes_);
    return false;
  }
  // Has the disk fetch items first .. last - 1, which lie on one page, unless the process has
  // looked at the pages or the last item is in memory. Requires: their page was found.
  void Ask(uint32_t first, uint32_t last) const {
    if (!may_ask()) return;
    uint8_t probe[1];
    if (unseen_->file.ReadIfCached(item(last - 1) + item_bytes_ - 1, probe)) {
      unseen_->found.fetch_add(1, std::memory_order_relaxed);
      return;
    }
    unseen_->found.store(0, std::memory_order_relaxed);
    unseen_->file.WillNeed(item(first), size_t{last - first} * item_bytes_);
  }
  // The same for items of any pages, all of which are read in a row, whatever is in memory.
  void AskRange(uint32_t first, uint32_t last) const {
    for (uint32_t item_index = first; unseen_ && item_index < last;) {
      const uint32_t end = std::min(last, (page_of(item_index) + 1) * items_per_page_);
      unseen_->file.WillNeed(item(item_index), size_t{end - item_index} * item_bytes_);
      item_index = end;
    }
  }
  // False when that would do nothing: all is in memory, as far as was tried.
  bool may_ask() const {
    return unseen_ && unseen_->found.load(std::memory_order_relaxed) < kFoundInMemory;
  }
  // As many reads take as long as the first look at a page and its unmapping (measured: 1 and 7
  // us).
  static constexpr uint32_t kReadsPerPage = 4;
  // Items found in memory one after the other: what lies beside the start of a page, which is read
  // to find it, says little of the others.
  static constexpr uint32_t kFoundInMemory = 16;

 private:
  Status Find(std::span<const uint32_t> missing) const;

  // Null: not found yet.
  std::unique_ptr<std::atomic<const uint8_t*>[]> pages_;
  PageFinder find_;  // none: all pages are there
  uint32_t page_count_ = 0;
  uint32_t item_bytes_ = 1;
  uint32_t items_per_page_ = 1;
  uint32_t items_ = 0;
  uint64_t reciprocal_ = 0;  // of items_per_page, times 2^32, rounded up
  struct Unseen {
    FilePages file;
    std::atomic<uint32_t> reads = 0;
    std::atomic<uint32_t> found = 0;  // by Ask, in a row
  };
  std::unique_ptr<Unseen> unseen_;  // null: nothing to be won
};

}  // namespace recall
