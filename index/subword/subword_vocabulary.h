#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A hash table of tokens and their numbers. Thread-safe once built.
class SubwordVocabulary final {
 public:
  // Leaves out the tables of FindLongest and ForEachPrefix, which take most of the time of Add.
  // Requires: nothing was added or reserved yet; these two are never called.
  void LeaveOutPrefixes() { has_prefixes_ = false; }
  // Reserves room for `count` tokens.
  void Reserve(size_t count, size_t bytes);
  // Adds a token; an existing token gets the new number. Requires: at most 2^31 tokens, 4 GiB.
  void Add(std::string_view token, uint32_t id);

  std::optional<uint32_t> Find(std::string_view token) const;
  // The longest token of up to 1024 bytes that is a prefix of `text`; its size in *size. Requires:
  // both are UTF-8.
  std::optional<uint32_t> FindLongest(std::string_view text, size_t* size) const;
  // Calls fn(size, id) for each token of up to 1024 bytes that is a prefix of `text`, in order of
  // size. Requires: `text` and all tokens are UTF-8.
  template <typename Fn>
  void ForEachPrefix(std::string_view text, Fn fn) const;

  size_t size() const { return entries_.size(); }
  uint32_t max_id() const { return max_id_; }  // 0 when there is no token
  // Token `index` < size(), in the order in which they were added.
  std::string_view token(size_t index) const {
    return std::string_view(bytes_).substr(entries_[index].offset, entries_[index].size);
  }
  uint32_t id(size_t index) const { return entries_[index].id; }

 private:
  struct Entry {
    uint32_t offset;
    uint32_t size;
    uint32_t id;
  };
  struct Slot {
    uint32_t tag = 0;    // high bits of the hash; bytes are compared only if it is equal
    uint32_t entry = 0;  // its number + 1; 0 marks a free slot
  };

  // The limit keeps a hostile file from making tokenising quadratic.
  static constexpr size_t kMostPrefixBytes = 1024;

  // FNV-1a, one byte at a time, so that the hashes of all prefixes cost one pass.
  static constexpr uint64_t kEmptyHash = 0xcbf29ce484222325;
  static uint64_t Extend(uint64_t hash, char byte) {
    return (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  static uint64_t Mix(uint64_t hash) { return hash ^ hash >> 29; }

  // The bits of a hash in the filter. If a bit is not set, the answer is certain.
  static constexpr uint64_t kBeginning = 1;  // the prefix of a token
  static constexpr uint64_t kWhole = 2;
  uint64_t MayBe(uint64_t hash) const {
    const uint64_t pair = Mix(hash) & (32 * hints_.size() - 1);
    return hints_[pair / 32] >> (2 * (pair % 32)) & 3;
  }
  void Hint(uint64_t hash, uint64_t bits) {
    const uint64_t pair = Mix(hash) & (32 * hints_.size() - 1);
    hints_[pair / 32] |= bits << (2 * (pair % 32));
  }
  // The token's hash; sets the bits of the token and its prefixes in the filter.
  uint64_t HashForAdding(std::string_view token);

  // The token's entry, or null.
  const Entry* FindHashed(uint64_t hash, std::string_view token) const;
  void Grow(size_t slots);

  std::string bytes_;
  std::vector<Entry> entries_;
  std::vector<Slot> slots_;  // open addressing, at most half full; a power of two
  // A filter with two bits for the hash of each prefix of a token, so that a search stops where no
  // token continues, and only probes slots that are probably occupied.
  std::vector<uint64_t> hints_;
  bool has_prefixes_ = true;
  size_t max_bytes_ = 0;  // size of the longest token
  uint32_t max_id_ = 0;
};

template <typename Fn>
void SubwordVocabulary::ForEachPrefix(std::string_view text, Fn fn) const {
  const size_t most = std::min({text.size(), max_bytes_, kMostPrefixBytes});
  uint64_t hash = kEmptyHash;
  for (size_t size = 1; size <= most; ++size) {
    hash = Extend(hash, text[size - 1]);
    const uint64_t may_be = MayBe(hash);
    if (may_be == 0) return;
    const bool inside = size < text.size() && (text[size] & 0xC0) == 0x80;
    if (inside || (may_be & kWhole) == 0) continue;
    if (const Entry* entry = FindHashed(hash, text.substr(0, size))) fn(size, entry->id);
  }
}

}  // namespace recall
