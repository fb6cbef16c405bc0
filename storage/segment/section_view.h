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

// The contents of a section of a segment. Written to disk: never renumber. Sign codes have one item
// for every 32 vectors, the last one possibly partial; ends of lists have one for each list, the
// others one for each vector. Readers may rely on these numbers and on the size of an item, which
// are checked when a segment is opened.
enum class SectionKind : uint16_t {
  kSignatures = 1,   // sign codes, blocks of 32 slots, bytes transposed
  kChunkIds = 2,     // u32 chunk rowid minus the segment's smallest
  kVectors = 3,      // int8 components in the rotated basis
  kScales = 4,       // f32: vector = scale * int8 components
  kTokenCounts = 5,  // u16 lexical tokens, u16 whitespace tokens (both saturate at 65535)
  // Both or neither. Without them slot i is vector i; with them sign codes are stored list by list.
  kCellEnds = 6,  // u32: the slot after the last one of each list
  kSlots = 7,     // u16: the vector whose sign code is in the slot
  // In segments that were written since format 10 of the store.
  kVectorChecksums = 8,  // u32 CRC-32C of chunk rowid, scale and components
};
inline constexpr size_t kSectionKinds = 8;

// A fixed-size array laid over pages. Item i is on page i / items_per_page; no item straddles two
// pages; the first item of each page is 64-byte aligned. The bytes are those of the store, in place
// if the segment is mapped. Valid as long as the transaction it came from. Thread-safe.
//
// Pages of vectors that are read in place, and of sign codes that are stored list by list, are
// found on demand: before an item is accessed, Need or NeedRange must have returned Ok for it.
class SectionView final {
 public:
  // Finds pages of the section, by ascending number, and returns where their items begin.
  // Thread-safe.
  using PageFinder = std::function<Status(std::span<const uint32_t> pages, const uint8_t** items)>;

  SectionView() = default;
  // A view of which all pages are known.
  SectionView(const std::vector<const uint8_t*>& pages, uint32_t item_bytes,
              uint32_t items_per_page, uint32_t items);
  // A view of which no page is known yet.
  SectionView(uint32_t pages, uint32_t item_bytes, uint32_t items_per_page, uint32_t items,
              PageFinder find);
  // States that the process has not accessed the pages, which are of this file.
  void SetUnseen(const FilePages& file) { unseen_.reset(new Unseen{file}); }

  // Finds the pages of these items, which should mostly ascend, or of items first .. last - 1.
  // Errors: Corruption if a page is not where it should be.
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
  // The items of one page, contiguous.
  const uint8_t* page(uint32_t page) const { return pages_[page].load(std::memory_order_relaxed); }
  const uint8_t* item(uint32_t index) const {
    const uint32_t number = page_of(index);
    return page(number) + size_t{index - number * items_per_page_} * item_bytes_;
  }
  // Multiplies by the reciprocal: this is called for many scattered items, and a division would
  // cost as much as the dot product of a vector. Exact because index and items_per_page are below
  // 2^16.
  uint32_t page_of(uint32_t index) const {
    return static_cast<uint32_t>(index * reciprocal_ >> 32);
  }
  // True while the process has accessed few of the pages: then reading scattered items, few a page,
  // is faster than accessing them in the mapping, which costs a page fault each. Every access makes
  // later ones cheaper, so this becomes false after some reads.
  bool reads_faster() const {
    return unseen_ && unseen_->reads.load(std::memory_order_relaxed) < kReadsPerPage * pages();
  }
  // Copies the item at `item(index)`. Requires: reads_faster() was true. False if the file cannot
  // be read.
  bool Read(uint32_t index, uint8_t* to) const {
    unseen_->reads.fetch_add(1, std::memory_order_relaxed);
    return unseen_->file.Read(item(index), {to, item_bytes_});
  }
  // The same, unless the read would wait for the disk: then starts reading the item, for the next
  // Read to return.
  bool ReadOrAsk(uint32_t index, uint8_t* to) const {
    if (unseen_->file.ReadIfCached(item(index), {to, item_bytes_})) {
      unseen_->reads.fetch_add(1, std::memory_order_relaxed);
      return true;
    }
    unseen_->file.WillNeed(item(index), item_bytes_);
    return false;
  }
  // Starts reading items first .. last - 1, which are on one page, from disk, unless the process
  // has accessed the pages or the last item is in memory. Requires: their page was found.
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
  // The same for items of any pages, all of which are read sequentially, without testing what is in
  // memory.
  void AskRange(uint32_t first, uint32_t last) const {
    for (uint32_t item_index = first; unseen_ && item_index < last;) {
      const uint32_t end = std::min(last, (page_of(item_index) + 1) * items_per_page_);
      unseen_->file.WillNeed(item(item_index), size_t{end - item_index} * item_bytes_);
      item_index = end;
    }
  }
  // False if Ask would do nothing, because the last items tested were all in memory.
  bool may_ask() const {
    return unseen_ && unseen_->found.load(std::memory_order_relaxed) < kFoundInMemory;
  }
  // This number of reads takes as long as the first access to a page and its unmapping (measured: 1
  // us a read, 7 us a page).
  static constexpr uint32_t kReadsPerPage = 4;
  // Ask stops testing after this many consecutive items that were in memory. A few are not enough:
  // items beside the start of a page were read together with it.
  static constexpr uint32_t kFoundInMemory = 16;

 private:
  Status Find(std::span<const uint32_t> missing) const;

  // Null: not found yet.
  std::unique_ptr<std::atomic<const uint8_t*>[]> pages_;
  PageFinder find_;  // none: all pages are known
  uint32_t page_count_ = 0;
  uint32_t item_bytes_ = 1;
  uint32_t items_per_page_ = 1;
  uint32_t items_ = 0;
  uint64_t reciprocal_ = 0;  // of items_per_page, times 2^32, rounded up
  struct Unseen {
    FilePages file;
    std::atomic<uint32_t> reads = 0;
    std::atomic<uint32_t> found = 0;  // consecutive items in memory, seen by Ask
  };
  std::unique_ptr<Unseen> unseen_;  // null: the pages have been accessed, or are copies
};

}  // namespace recall
