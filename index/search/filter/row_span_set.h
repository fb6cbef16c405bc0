#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "storage/documents/live_scan.h"

namespace recall {

// Collects spans in any order and builds a set of them.
class SpanSet final {
 public:
  void Add(RowSpan span) {
    if (span.count == 0) return;
    const bool follows =
        !spans_.empty() && uint64_t{spans_.back().first} + spans_.back().count == span.first;
    if (follows) {
      spans_.back().count += span.count;
    } else {
      spans_.push_back(span);
    }
  }

  void Add(const SpanSet& other) {
    for (const RowSpan& span : other.spans_) Add(span);
  }

  Bitmap Build() {
    // Marking rows in memory costs less than sorting, unless most of them would be left unmarked.
    constexpr uint64_t kRowsPerSpan = 256;
    uint64_t rows = 0;
    for (const RowSpan& span : spans_) rows = std::max(rows, uint64_t{span.first} + span.count);
    return rows <= kRowsPerSpan * spans_.size() ? BuildByMarking(rows) : BuildBySorting();
  }

 private:
  static constexpr uint64_t kWord = 64;

  Bitmap BuildBySorting() {
    std::ranges::sort(spans_, {}, &RowSpan::first);
    Bitmap set;
    for (const RowSpan& span : spans_) set.AddRange(span.first, span.first + (span.count - 1));
    return set;
  }

  Bitmap BuildByMarking(uint64_t rows) const {
    std::vector<uint64_t> marks(rows / kWord + 1);
    for (const RowSpan& span : spans_) Mark(span.first, uint64_t{span.first} + span.count, &marks);
    Bitmap set;
    for (uint64_t at = Next(marks, 0, false); at < rows;) {
      const uint64_t end = Next(marks, at, true);
      set.AddRange(static_cast<uint32_t>(at), static_cast<uint32_t>(end - 1));
      at = Next(marks, end, false);
    }
    return set;
  }

  static void Mark(uint64_t begin, uint64_t end, std::vector<uint64_t>* marks) {
    for (uint64_t at = begin; at < end;) {
      const uint64_t count = std::min(end - at, kWord - at % kWord);
      (*marks)[at / kWord] |= (~uint64_t{0} >> (kWord - count)) << at % kWord;
      at += count;
    }
  }

  // The first row from `at` on whose mark is not `mark`; beyond all marks if there is none.
  static uint64_t Next(const std::vector<uint64_t>& marks, uint64_t at, bool mark) {
    const uint64_t flip = mark ? ~uint64_t{0} : 0;
    for (uint64_t word = at / kWord; word < marks.size(); ++word) {
      uint64_t differs = marks[word] ^ flip;
      if (word == at / kWord) differs &= ~uint64_t{0} << at % kWord;
      if (differs != 0) return word * kWord + static_cast<uint64_t>(std::countr_zero(differs));
    }
    return marks.size() * kWord;
  }

  std::vector<RowSpan> spans_;
};

}  // namespace recall
