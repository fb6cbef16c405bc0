#include "index/subword/subword_vocabulary.h"

#include <algorithm>
#include <bit>

#include "storage/base/check.h"

namespace recall {

void SubwordVocabulary::Reserve(size_t count, size_t bytes) {
  entries_.reserve(count);
  bytes_.reserve(bytes);
  Grow(std::max<size_t>(16, std::bit_ceil(2 * count + 2)));
}

void SubwordVocabulary::Grow(size_t slots) {
  if (slots <= slots_.size()) return;
  slots_.assign(slots, Slot());
  // There are at most half as many tokens as slots, of about eight characters, so about one bit in
  // four is set.
  if (has_prefixes_) hints_.assign(slots / 4, 0);
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const uint64_t hash = HashForAdding(token(i));
    size_t at = Mix(hash) & (slots - 1);
    while (slots_[at].entry != 0) at = (at + 1) & (slots - 1);
    slots_[at] = {static_cast<uint32_t>(hash >> 32), i + 1};
  }
}

uint64_t SubwordVocabulary::HashForAdding(std::string_view token) {
  uint64_t hash = kEmptyHash;
  if (!has_prefixes_) {
    for (const char byte : token) hash = Extend(hash, byte);
    return hash;
  }
  for (const char byte : token) {
    hash = Extend(hash, byte);
    Hint(hash, kBeginning);
  }
  Hint(hash, kBeginning | kWhole);
  return hash;
}

// Takes one pass over the token and one over the slots. Speed matters: a large vocabulary may be
// read for a single query.
void SubwordVocabulary::Add(std::string_view token, uint32_t id) {
  max_id_ = std::max(max_id_, id);
  if (2 * (entries_.size() + 1) > slots_.size()) {
    Grow(std::max<size_t>(16, std::bit_ceil(4 * (entries_.size() + 1))));
  }
  const uint64_t hash = HashForAdding(token);
  const auto tag = static_cast<uint32_t>(hash >> 32);
  size_t at = Mix(hash) & (slots_.size() - 1);
  for (; slots_[at].entry != 0; at = (at + 1) & (slots_.size() - 1)) {
    const size_t index = slots_[at].entry - 1;
    if (slots_[at].tag != tag || this->token(index) != token) continue;
    entries_[index].id = id;
    return;
  }
  RECALL_CHECK(bytes_.size() + token.size() <= UINT32_MAX);
  entries_.push_back(
      {static_cast<uint32_t>(bytes_.size()), static_cast<uint32_t>(token.size()), id});
  bytes_.append(token);
  max_bytes_ = std::max(max_bytes_, token.size());
  slots_[at] = {tag, static_cast<uint32_t>(entries_.size())};
}

const SubwordVocabulary::Entry* SubwordVocabulary::FindHashed(uint64_t hash,
                                                              std::string_view token) const {
  if (slots_.empty()) return nullptr;
  const auto tag = static_cast<uint32_t>(hash >> 32);
  for (size_t at = Mix(hash) & (slots_.size() - 1); slots_[at].entry != 0;
       at = (at + 1) & (slots_.size() - 1)) {
    const size_t index = slots_[at].entry - 1;
    if (slots_[at].tag == tag && this->token(index) == token) return &entries_[index];
  }
  return nullptr;
}

std::optional<uint32_t> SubwordVocabulary::Find(std::string_view token) const {
  if (token.size() > max_bytes_) return std::nullopt;
  uint64_t hash = kEmptyHash;
  for (const char byte : token) hash = Extend(hash, byte);
  const Entry* entry = FindHashed(hash, token);
  if (entry == nullptr) return std::nullopt;
  return entry->id;
}

// Tries the longest candidate first: most words are tokens, so the first look-up succeeds.
std::optional<uint32_t> SubwordVocabulary::FindLongest(std::string_view text, size_t* size) const {
  const size_t most = std::min({text.size(), max_bytes_, kMostPrefixBytes});
  uint64_t hashes[kMostPrefixBytes];
  uint16_t sizes[kMostPrefixBytes];
  size_t count = 0;
  uint64_t hash = kEmptyHash;
  for (size_t length = 1; length <= most; ++length) {
    hash = Extend(hash, text[length - 1]);
    const uint64_t may_be = MayBe(hash);
    if (may_be == 0) break;
    if ((may_be & kWhole) == 0) continue;
    hashes[count] = hash;
    sizes[count++] = static_cast<uint16_t>(length);
  }
  while (count > 0) {
    --count;
    *size = sizes[count];
    if (const Entry* entry = FindHashed(hashes[count], text.substr(0, *size))) return entry->id;
  }
  return std::nullopt;
}

}  // namespace recall
