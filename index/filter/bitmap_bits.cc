// Members of a range as plain bits. Goes through CRoaring's containers, whose layout its headers
// publish, because its iterators hand out one member at a time.

#include <roaring/roaring.h>

#include <algorithm>

#include "index/filter/bitmap.h"
#include "storage/base/check.h"

namespace recall {
namespace {

constexpr uint32_t kWordBits = 32;

// The bits of one range of values, which containers are poured into.
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

  // Bit i of `bits` stands for the value base + i.
  void AddWord(uint32_t base, uint32_t bits) {
    if (base > last_ || base + (kWordBits - 1) < first_) return;
    if (last_ - base < kWordBits - 1) bits &= ~uint32_t{0} >> (kWordBits - 1 - (last_ - base));
    if (base < first_) {
      words_[0] |= bits >> (first_ - base);
      return;
    }
    const uint32_t at = base - first_;
    const uint64_t shifted = uint64_t{bits} << at % kWordBits;
    words_[at / kWordBits] |= static_cast<uint32_t>(shifted);
    const auto carry = static_cast<uint32_t>(shifted >> kWordBits);
    if (carry != 0) words_[at / kWordBits + 1] |= carry;
  }

 private:
  uint32_t first_;
  uint32_t last_;
  std::span<uint32_t> words_;
};

void AddContainer(const void* container, uint8_t type, uint32_t base, BitRange* range) {
  container = container_unwrap_shared(container, &type);
  if (type == BITSET_CONTAINER_TYPE_CODE) {
    const uint64_t* words = static_cast<const bitset_container_t*>(container)->array;
    for (uint32_t i = 0; i < BITSET_CONTAINER_SIZE_IN_WORDS; ++i) {
      range->AddWord(base + i * 64, static_cast<uint32_t>(words[i]));
      range->AddWord(base + i * 64 + kWordBits, static_cast<uint32_t>(words[i] >> kWordBits));
    }
  } else if (type == ARRAY_CONTAINER_TYPE_CODE) {
    const auto* array = static_cast<const array_container_t*>(container);
    for (int32_t i = 0; i < array->cardinality; ++i) {
      range->Add(base + array->array[i], base + array->array[i]);
    }
  } else {
    const auto* runs = static_cast<const run_container_t*>(container);
    for (int32_t i = 0; i < runs->n_runs; ++i) {
      const uint32_t first = base + runs->runs[i].value;
      range->Add(first, first + runs->runs[i].length);
    }
  }
}

}  // namespace

void Bitmap::CopyBits(uint32_t first, uint32_t last, std::span<uint32_t> words) const {
  RECALL_CHECK(first <= last && words.size() > (last - first) / kWordBits);
  std::fill(words.begin(), words.end(), 0);
  BitRange range(first, last, words);
  const roaring_array_t& containers = handle_->high_low_container;
  const uint16_t* keys_end = containers.keys + containers.size;
  const uint16_t* key = std::lower_bound<const uint16_t*>(containers.keys, keys_end, first >> 16);
  for (; key != keys_end && *key <= last >> 16; ++key) {
    const ptrdiff_t i = key - containers.keys;
    AddContainer(containers.containers[i], containers.typecodes[i], uint32_t{*key} << 16, &range);
  }
}

}  // namespace recall
