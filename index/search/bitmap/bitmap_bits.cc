// Members of a range of a roaring bitmap, as plain bits (CopyBits) or counted (CountRange).
//
// Problem: a vector scan needs the filter of up to 65,536 chunk rowids as a bit mask, and lexical
// search needs it for blocks of 64 rowids. CRoaring's iterators return one member at a time, and
// its range counts begin at the start of a container.
//
// Idea: access CRoaring's containers directly; its headers publish their layout. A container covers
// the 65,536 values with the same upper 16 bits and is one of three kinds:
//
//   bitset  1024 x u64            CopyBits: shift and copy words;      CountRange: popcount
//   array   sorted u16            set bit by bit                       two binary searches
//   run     (first, length - 1)   set words; many runs: prefix xor     clipped lengths
//
// Many runs (FillRuns): set a bit at the start of each run and one after its end; the prefix xor of
// these bits is the set. A prefix xor of a word takes 6 shifts, and the last bit is carried to the
// next word. No branch depends on the data.
//
// Invariants: bits outside of [first, last] are 0; containers are only read, and copy-on-write
// wrappers are removed with container_unwrap_shared.
//
// Cost: O(range / 64 + members or runs in the range), without allocation.

#include <roaring/roaring.h>

#include <algorithm>
#include <array>
#include <bit>

#include "index/search/bitmap/bitmap.h"
#include "storage/base/check.h"

namespace recall {
namespace {

constexpr uint32_t kWordBits = 32;
constexpr uint32_t kContainerValues = 65'536;
// From this number of runs on, FillRuns is faster than one Add for each run.
constexpr size_t kManyRuns = 1024;

// words[w] = bits first + 32 * w .. first + 32 * w + 31. Copies whole words: a filter is copied for
// each search, and copying bit by bit took as long as the search.
void CopyWords(const uint64_t* bits, uint64_t first, std::span<uint32_t> words) {
  const uint64_t shift = first % 64;
  const uint64_t* from = bits + first / 64;
  size_t w = 0;
  if (shift == 0) {
    for (; w + 2 <= words.size(); w += 2, ++from) {
      words[w] = static_cast<uint32_t>(*from);
      words[w + 1] = static_cast<uint32_t>(*from >> kWordBits);
    }
  } else {
    for (; w + 2 <= words.size(); w += 2, ++from) {
      const uint64_t both = from[0] >> shift | from[1] << (64 - shift);
      words[w] = static_cast<uint32_t>(both);
      words[w + 1] = static_cast<uint32_t>(both >> kWordBits);
    }
  }
  if (w == words.size()) return;
  uint64_t last = *from >> shift;
  if (shift > kWordBits) last |= from[1] << (64 - shift);
  words[w] = static_cast<uint32_t>(last);
}

constexpr uint32_t kLongWordBits = 64;
using ContainerBits = std::array<uint64_t, kContainerValues / kLongWordBits + 1>;

// Sets the bits of many short runs, such as the chunks of documents. First sets a bit at the start
// of each run and one after its end; then each bit becomes the parity of itself and all bits below
// it. No branch depends on the position of a run, so there are no mispredictions: twice as fast as
// filling run by run. Requires: runs not empty.
void FillRuns(std::span<const rle16_t> runs, ContainerBits* bits) {
  bits->fill(0);
  uint64_t word = 0;
  uint32_t at = 0;
  const auto flip = [&](uint32_t value) {
    const uint32_t next = value / kLongWordBits;
    const uint64_t bit = uint64_t{1} << value % kLongWordBits;
    word = next == at ? word ^ bit : bit;
    at = next;
    (*bits)[at] = word;
  };
  for (const rle16_t& run : runs) {
    flip(run.value);
    flip(uint32_t{run.value} + run.length + 1);
  }
  uint64_t inside = 0;  // all ones inside a run
  for (uint64_t& flips : *bits) {
    for (uint32_t shift = 1; shift < kLongWordBits; shift *= 2) flips ^= flips << shift;
    flips ^= inside;
    inside = 0 - (flips >> (kLongWordBits - 1));
  }
}

// The bits of one range of values, to which containers are added.
class BitRange final {
 public:
  BitRange(uint32_t first, uint32_t last, std::span<uint32_t> words)
      : first_(first), last_(last), words_(words) {}

  void Add(uint32_t first, uint32_t last) {
    if (last < first_ || first > last_) return;
    const uint32_t begin = std::max(first, first_) - first_;
    const uint32_t end = std::min(last, last_) - first_;
    const uint32_t begin_mask = ~uint32_t{0} << begin % kWordBits;
    const uint32_t end_mask = ~uint32_t{0} >> (kWordBits - 1 - end % kWordBits);
    if (begin / kWordBits == end / kWordBits) {
      words_[begin / kWordBits] |= begin_mask & end_mask;
      return;
    }
    words_[begin / kWordBits] |= begin_mask;
    for (uint32_t i = begin / kWordBits + 1; i < end / kWordBits; ++i) words_[i] = ~uint32_t{0};
    words_[end / kWordBits] |= end_mask;
  }

  // Adds ascending runs, stored relative to `base`.
  void AddRuns(uint32_t base, std::span<const rle16_t> runs) {
    const auto begin = std::partition_point(runs.begin(), runs.end(), [&](const rle16_t& run) {
      return base + run.value + run.length < first_;
    });
    const auto end = std::partition_point(
        begin, runs.end(), [&](const rle16_t& run) { return base + run.value <= last_; });
    runs = {begin, end};
    if (runs.size() < kManyRuns) {
      for (const rle16_t& run : runs) Add(base + run.value, base + run.value + run.length);
      return;
    }
    ContainerBits bits;
    FillRuns(runs, &bits);
    AddBits(base, bits.data());
  }

  // Adds ascending values, stored relative to `base`.
  void AddValues(uint32_t base, std::span<const uint16_t> values) {
    auto value = values.begin();
    if (first_ > base) {
      value = std::lower_bound(value, values.end(), first_ - base,
                               [](uint16_t a, uint32_t b) { return a < b; });
    }
    for (; value != values.end() && base + *value <= last_; ++value) AddOne(base + *value);
  }

  // Adds a container's bits: bit i of `bits` stands for the value base + i.
  void AddBits(uint32_t base, const uint64_t* bits) {
    const uint64_t end = std::min(uint64_t{last_}, uint64_t{base} + kContainerValues - 1) + 1;
    uint64_t value = std::max(first_, base);
    const auto add = [&] {
      const uint64_t i = value - base;
      if (bits[i / 64] >> i % 64 & 1) AddOne(static_cast<uint32_t>(value));
    };
    for (; value < end && (value - first_) % kWordBits != 0; ++value) add();
    if (value < end) {
      const size_t count = (end - value) / kWordBits;
      CopyWords(bits, value - base, words_.subspan((value - first_) / kWordBits, count));
      value += count * kWordBits;
    }
    for (; value < end; ++value) add();
  }

 private:
  void AddOne(uint32_t value) {
    const uint32_t at = value - first_;
    words_[at / kWordBits] |= uint32_t{1} << at % kWordBits;
  }

  uint32_t first_;
  uint32_t last_;
  std::span<uint32_t> words_;
};

void AddContainer(const void* container, uint8_t type, uint32_t base, BitRange* range) {
  container = container_unwrap_shared(container, &type);
  if (type == BITSET_CONTAINER_TYPE_CODE) {
    range->AddBits(base, static_cast<const bitset_container_t*>(container)->array);
  } else if (type == ARRAY_CONTAINER_TYPE_CODE) {
    const auto* array = static_cast<const array_container_t*>(container);
    range->AddValues(base, std::span(array->array, static_cast<size_t>(array->cardinality)));
  } else {
    const auto* runs = static_cast<const run_container_t*>(container);
    range->AddRuns(base, std::span(runs->runs, static_cast<size_t>(runs->n_runs)));
  }
}

uint64_t CountBitsIn(const uint64_t* bits, uint32_t first, uint32_t last) {
  const uint64_t from_first = ~uint64_t{0} << first % kLongWordBits;
  const uint64_t to_last = ~uint64_t{0} >> (kLongWordBits - 1 - last % kLongWordBits);
  const uint32_t begin = first / kLongWordBits;
  const uint32_t end = last / kLongWordBits;
  const auto count = [](uint64_t word) { return static_cast<uint64_t>(std::popcount(word)); };
  if (begin == end) return count(bits[begin] & from_first & to_last);
  uint64_t sum = count(bits[begin] & from_first) + count(bits[end] & to_last);
  for (uint32_t i = begin + 1; i < end; ++i) sum += count(bits[i]);
  return sum;
}

uint64_t CountRunsIn(std::span<const rle16_t> runs, uint32_t first, uint32_t last) {
  uint64_t sum = 0;
  auto run = std::partition_point(runs.begin(), runs.end(), [&](const rle16_t& of) {
    return uint32_t{of.value} + of.length < first;
  });
  for (; run != runs.end() && run->value <= last; ++run) {
    const uint32_t end = uint32_t{run->value} + run->length;
    sum += std::min(end, last) - std::max<uint32_t>(run->value, first) + 1;
  }
  return sum;
}

// The number of members of a container in first .. last, which are less than 2^16.
uint64_t CountInContainer(const void* container, uint8_t type, uint32_t first, uint32_t last) {
  container = container_unwrap_shared(container, &type);
  if (type == BITSET_CONTAINER_TYPE_CODE) {
    return CountBitsIn(static_cast<const bitset_container_t*>(container)->array, first, last);
  }
  if (type == RUN_CONTAINER_TYPE_CODE) {
    const auto* runs = static_cast<const run_container_t*>(container);
    return CountRunsIn({runs->runs, static_cast<size_t>(runs->n_runs)}, first, last);
  }
  const auto* array = static_cast<const array_container_t*>(container);
  const std::span values(array->array, static_cast<size_t>(array->cardinality));
  const auto begin = std::ranges::lower_bound(values, first);
  return static_cast<uint64_t>(std::upper_bound(begin, values.end(), last) - begin);
}

// Calls visit(i, key) for the containers that may have members in first .. last.
template <typename Visit>
void ForEachContainer(const roaring_array_t& containers, uint32_t first, uint32_t last,
                      Visit visit) {
  const uint16_t* const end = containers.keys + containers.size;
  const uint16_t* key = std::lower_bound<const uint16_t*>(containers.keys, end, first >> 16);
  for (; key != end && *key <= last >> 16; ++key) visit(key - containers.keys, uint32_t{*key});
}

}  // namespace

uint64_t Bitmap::CountRange(uint32_t first, uint32_t last) const {
  if (first > last) return 0;
  constexpr uint32_t kLow = kContainerValues - 1;
  const roaring_array_t& containers = handle_->high_low_container;
  uint64_t count = 0;
  ForEachContainer(containers, first, last, [&](ptrdiff_t i, uint32_t key) {
    const uint32_t begin = key == first >> 16 ? first & kLow : 0;
    const uint32_t end = key == last >> 16 ? last & kLow : kLow;
    count += CountInContainer(containers.containers[i], containers.typecodes[i], begin, end);
  });
  return count;
}

void Bitmap::CopyBits(uint32_t first, uint32_t last, std::span<uint32_t> words) const {
  RECALL_CHECK(first <= last && words.size() > (last - first) / kWordBits);
  std::fill(words.begin(), words.end(), 0);
  BitRange range(first, last, words);
  const roaring_array_t& containers = handle_->high_low_container;
  ForEachContainer(containers, first, last, [&](ptrdiff_t i, uint32_t key) {
    AddContainer(containers.containers[i], containers.typecodes[i], key << 16, &range);
  });
}

}  // namespace recall
