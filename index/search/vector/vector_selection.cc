#include "index/search/vector/vector_selection.h"

#include <algorithm>

#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"

namespace recall {
namespace {

// Converts a filter, given as two sets of chunk rowids, to one bit for each vector of a segment.
//
//   filter  = allowed AND NOT removed            roaring bitmaps over chunk rowids
//   masks_  = bit v of word b: vector 32 b + v   one word for each sign-code block
//
// Problem: a scan tests the filter for up to 65,536 vectors of a segment, and a look-up in a
// roaring bitmap takes longer than the score of a sign code.
//
// Dense segment (no rowid of its range is missing): ordinal = rowid - min_chunk, so CopyBits copies
// the range directly.
//
// Segment with holes: rowids are processed in windows of 65,536. A window is copied as bits once
// (ChunkWindow). A block of 32 vectors with no hole, or with one, is then assembled from one or two
// unaligned 32-bit loads: ids[i] - i is constant between holes, so a binary search over i finds the
// hole.
//
//   ids        7  8  9 12 13 14          one hole, after 9
//   ids[i]-i   7  7  7  9  9  9          low side from bit 7, high side from bit 9
//
// Invariants: bits after the last vector are 0. Empty masks_ mean all vectors, or none if count_ is
// 0. Damaged ids may select a wrong vector but never access memory outside of the window.
//
// Cost: O(vectors / 32) for dense segments; otherwise constant time for a block with at most one
// hole, and one test for each vector of other blocks.

constexpr uint32_t kSelectionWordBits = 32;
// If a window contains fewer vectors than this, they are tested one by one.
constexpr uint32_t kFewVectors = 32;

uint64_t CountWords(std::span<const uint32_t> words) {
  return CountBits(reinterpret_cast<const uint8_t*>(words.data()), words.size_bytes());
}

// Bit i is set if chunk first + i passes; bits after `last` are 0.
void CopyPassing(const ChunkFilter& filter, uint32_t first, uint32_t last,
                 std::span<uint32_t> words) {
  if (filter.allowed) {
    filter.allowed->CopyBits(first, last, words);
  } else {
    std::fill(words.begin(), words.end(), ~uint32_t{0});
    words.back() >>= kSelectionWordBits - 1 - (last - first) % kSelectionWordBits;
  }
  if (filter.removed) {
    std::vector<uint32_t> removed(words.size());
    filter.removed->CopyBits(first, last, removed);
    for (size_t i = 0; i < words.size(); ++i) words[i] &= ~removed[i];
  }
}

// Makes the masks of a segment in whose range chunk rowids are missing.
class HolesMapper final {
 public:
  HolesMapper(const ColumnSegment& segment, const ChunkFilter& filter, std::vector<uint32_t>* masks)
      : segment_(segment), filter_(filter), masks_(*masks) {}

  void Run() {
    const uint32_t range = segment_.max_chunk - segment_.min_chunk;
    for (uint32_t ordinal = 0; ordinal < segment_.vectors;) {
      const uint32_t first = IdAt(ordinal);
      const uint32_t last = std::max(first, std::min(range, first | (ChunkWindow::kChunks - 1)));
      const uint32_t next = segment_.LowerBound(ordinal, segment_.min_chunk + last + 1);
      const uint32_t end = last == range ? segment_.vectors : std::max(ordinal + 1, next);
      if (end - ordinal < kFewVectors) {
        for (; ordinal < end; ++ordinal) Add(ordinal, filter_.Passes(segment_.ChunkAt(ordinal)));
      } else {
        MapWindow(ChunkWindow(filter_, segment_.min_chunk, first, last), ordinal, end);
        ordinal = end;
      }
    }
  }

 private:
  uint32_t IdAt(uint32_t ordinal) const {
    return LoadLittle<uint32_t>(segment_.ids->item(ordinal));
  }

  void Add(uint32_t ordinal, uint32_t bit) {
    masks_[ordinal / kSelectionWordBits] |= bit << ordinal % kSelectionWordBits;
  }

  void AddAll(uint32_t ordinal, uint32_t end) {
    for (; ordinal < end && ordinal % kSelectionWordBits != 0; ++ordinal) Add(ordinal, 1);
    for (; ordinal + kSelectionWordBits <= end; ordinal += kSelectionWordBits) {
      masks_[ordinal / kSelectionWordBits] = ~uint32_t{0};
    }
    for (; ordinal < end; ++ordinal) Add(ordinal, 1);
  }

  // Requires: vectors ordinal .. end - 1 are in the window.
  void MapWindow(const ChunkWindow& window, uint32_t ordinal, uint32_t end) {
    if (window.none()) return;
    if (window.all()) return AddAll(ordinal, end);
    const uint32_t per_page = segment_.ids->items_per_page();
    while (ordinal < end) {
      const uint32_t stop = std::min(end, (ordinal / per_page + 1) * per_page);
      MapPage(window, ordinal, stop);
      ordinal = stop;
    }
  }

  // Does this for vectors whose ids are on one page.
  void MapPage(const ChunkWindow& window, uint32_t ordinal, uint32_t end) {
    const uint8_t* id = segment_.ids->item(ordinal);
    const auto add = [&] {
      Add(ordinal++, window.Has(LoadLittle<uint32_t>(id)));
      id += sizeof(uint32_t);
    };
    while (ordinal < end && ordinal % kSelectionWordBits != 0) add();
    for (; ordinal + kSelectionWordBits <= end;
         ordinal += kSelectionWordBits, id += kSelectionWordBits * sizeof(uint32_t)) {
      masks_[ordinal / kSelectionWordBits] = window.Block(id);
    }
    while (ordinal < end) add();
  }

  const ColumnSegment& segment_;
  const ChunkFilter& filter_;
  std::vector<uint32_t>& masks_;
};

}  // namespace

ChunkWindow::ChunkWindow(const ChunkFilter& filter, uint32_t base, uint32_t first, uint32_t last)
    : first_(first), size_(last - first + 1) {
  const auto words = std::span(words_).first(DivideRoundUp(size_, kSelectionWordBits));
  CopyPassing(filter, base + first, base + last, words);
  words_[words.size()] = 0;
  count_ = CountWords(words);
}

// Most blocks have no hole, or one; then both sides of it are assembled at once.
uint32_t ChunkWindow::Block(const uint8_t* ids) const {
  const auto at = [&](uint32_t i) { return LoadLittle<uint32_t>(ids + i * sizeof(uint32_t)) - i; };
  const uint32_t low = at(0);
  const uint32_t high = at(kSelectionWordBits - 1);
  if (low - first_ >= size_ || high - first_ >= size_) return BitByBit(ids);
  if (low == high) return From(low);
  // ids[i] - i never decreases, and increases at each hole.
  uint32_t same = 0;  // at(same) == low
  for (uint32_t step = kSelectionWordBits / 2; step > 0; step /= 2) {
    same += at(same + step) == low ? step : 0;
  }
  if (at(same + 1) != high) return BitByBit(ids);
  const uint32_t low_side = (uint32_t{2} << same) - 1;
  return (From(low) & low_side) | (From(high) & ~low_side);
}

// The bits of 32 consecutive ids: bit i stands for id + i. Requires: id in the window.
uint32_t ChunkWindow::From(uint32_t id) const {
  const uint32_t at = id - first_;
  const uint64_t two = words_[at / kSelectionWordBits] |
                       uint64_t{words_[at / kSelectionWordBits + 1]} << kSelectionWordBits;
  return static_cast<uint32_t>(two >> at % kSelectionWordBits);
}

uint32_t ChunkWindow::BitByBit(const uint8_t* ids) const {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < kSelectionWordBits; ++i) {
    mask |= uint32_t{Has(LoadLittle<uint32_t>(ids + i * sizeof(uint32_t)))} << i;
  }
  return mask;
}

VectorSelection::VectorSelection(const ColumnSegment& segment, const ChunkFilter& filter)
    : vectors_(segment.vectors), count_(segment.vectors) {
  if (filter.PassesAll()) return;
  masks_.resize(DivideRoundUp(vectors_, kSelectionWordBits));
  if (segment.dense()) {
    CopyPassing(filter, segment.min_chunk, segment.max_chunk, masks_);
  } else {
    HolesMapper(segment, filter, &masks_).Run();
  }
  count_ = static_cast<uint32_t>(CountWords(masks_));
  if (count_ == 0 || count_ == vectors_) masks_.clear();
}

OrdinalRun VectorSelection::NextRun(uint32_t from, uint32_t limit) const {
  if (count_ == 0 || from >= limit) return {limit, 0};
  if (masks_.empty()) return {from, limit - from};
  uint32_t first = from;
  while (first < limit) {
    const uint32_t bits = masks_[first / 32] >> (first % 32);
    if (bits != 0) {
      first += static_cast<uint32_t>(std::countr_zero(bits));
      break;
    }
    first = (first / 32 + 1) * 32;
  }
  if (first >= limit) return {limit, 0};
  uint32_t end = first;
  while (end < limit) {
    const uint32_t ones = static_cast<uint32_t>(std::countr_one(masks_[end / 32] >> (end % 32)));
    end += ones;
    if (ones == 0 || end % 32 != 0) break;
  }
  return {first, std::min(end, limit) - first};
}

}  // namespace recall
