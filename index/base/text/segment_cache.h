#pragma once

// The tokens of segments that the tokenizer has seen (tokenizer.cc).

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "index/base/text/zeroed_array.h"
#include "storage/base/coding.h"

namespace recall {
namespace segment_cache {

// Eight bytes, and four.
inline uint64_t LoadEight(const char* at) {
  return LoadLittle<uint64_t>(reinterpret_cast<const uint8_t*>(at));
}
inline uint64_t LoadFour(const char* at) {
  return LoadLittle<uint32_t>(reinterpret_cast<const uint8_t*>(at));
}

// Up to eight bytes, each at least once. Texts of the same size that differ give different numbers.
inline uint64_t LoadShort(std::string_view text) {
  const size_t size = text.size();
  const char* const at = text.data();
  if (size >= 4) return LoadFour(at) | LoadFour(at + size - 4) << 32;
  if (size == 0) return 0;
  const auto byte = [at](size_t i) { return uint64_t{static_cast<uint8_t>(at[i])}; };
  return byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
}

// The cache selects entries by the highest bits.
inline uint64_t HashText(std::string_view text) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  constexpr size_t kStep = sizeof(uint64_t);
  uint64_t hash = text.size();
  size_t at = 0;
  for (; at + kStep < text.size(); at += kStep) {
    hash = (hash ^ LoadEight(text.data() + at)) * kMultiplier;
    hash ^= hash >> 32;
  }
  hash = (hash ^ LoadShort(text.substr(at))) * kMultiplier;
  hash = (hash ^ hash >> 32) * kMultiplier;
  return hash;
}

// operator== of std::string_view calls memcmp, which takes longer for a few bytes.
inline bool IsSame(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  constexpr size_t kStep = sizeof(uint64_t);
  size_t at = 0;
  for (; at + kStep < a.size(); at += kStep) {
    if (LoadEight(a.data() + at) != LoadEight(b.data() + at)) return false;
  }
  return LoadShort(a.substr(at)) == LoadShort(b.substr(at));
}

}  // namespace segment_cache

// The tokens of recent segments by their raw bytes: text repeats its words, so most need neither
// folding nor stemming. Direct-mapped: a new entry replaces the old one of its slot.
class SegmentCache final {
 public:
  struct Entry {
    uint8_t raw_size;  // 0: the entry is free
    uint8_t body_size;
    uint8_t compound_size;
    uint8_t tokens;
    char bytes[60];  // raw, body, compound

    std::string_view raw() const { return {bytes, raw_size}; }
    // Both begin with a space unless they are empty, so that they are appended to others as they
    // are.
    std::string_view body() const { return {bytes + raw_size, body_size}; }
    std::string_view compound() const { return {bytes + raw_size + body_size, compound_size}; }
  };

  // Requests the memory that Find will read.
  void Prefetch(uint64_t hash) const { __builtin_prefetch(&entries_[hash >> (64 - kBits)]); }

  // Returns null if the segment is not in the cache.
  const Entry* Find(std::string_view raw, uint64_t hash) const {
    const Entry& entry = entries_[hash >> (64 - kBits)];
    return segment_cache::IsSame(entry.raw(), raw) ? &entry : nullptr;
  }

  void Insert(std::string_view raw, uint64_t hash, std::string_view body, std::string_view compound,
              uint32_t tokens) {
    const size_t body_size = SpacedSize(body);
    const size_t compound_size = SpacedSize(compound);
    if (raw.size() + body_size + compound_size > sizeof(Entry::bytes)) return;
    Entry& entry = entries_[hash >> (64 - kBits)];
    entry.raw_size = static_cast<uint8_t>(raw.size());
    entry.body_size = static_cast<uint8_t>(body_size);
    entry.compound_size = static_cast<uint8_t>(compound_size);
    entry.tokens = static_cast<uint8_t>(tokens);
    char* to = entry.bytes + raw.copy(entry.bytes, raw.size());
    for (const std::string_view part : {body, compound}) {
      if (part.empty()) continue;
      *to++ = ' ';
      to += part.copy(to, part.size());
    }
  }

 private:
  static size_t SpacedSize(std::string_view part) { return part.empty() ? 0 : part.size() + 1; }

  static constexpr int kBits = 15;  // of 64 bytes: 2 MB

  ZeroedArray<Entry> entries_ = MakeZeroedArray<Entry>(size_t{1} << kBits);
};

}  // namespace recall
