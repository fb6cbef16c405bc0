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
  // Half as many tokens as slots, of some eight characters: one bit in four will be set.
  if (has_prefixes_) beginnings_.assign(slots / 4, 0);
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    uint64_t hash = kEmptyHash;
    for (const char byte : token(i)) hash = Extend(hash, byte);
    if (has_prefixes_) MarkBeginnings(token(i));
    size_t at = Mix(hash) & (slots - 1);
    while (slots_[at].entry != 0) at = (at + 1) & (slots - 1);
    slots_[at] = {static_cast<uint32_t>(hash >> 32), i + 1};
  }
}

void SubwordVocabulary::MarkBeginnings(std::string_view token) {
  uint64_t hash = kEmptyHash;
  for (const char byte : token) {
    hash = Extend(hash, byte);
    const uint64_t bit = Mix(hash) & (64 * beginnings_.size() - 1);
    beginnings_[bit / 64] |= uint64_t{1} << bit % 64;
  }
}

// One pass over the token and one over the slots: large vocabularies are read for a single
// question.
void SubwordVocabulary::Add(std::string_view token, uint32_t id) {
  max_id_ = std::max(max_id_, id);
  if (2 * (entries_.size() + 1) > slots_.size()) {
    Grow(std::max<size_t>(16, std::bit_ceil(4 * (entries_.size() + 1))));
  }
  uint64_t hash = kEmptyHash;
  for (const char byte : token) hash = Extend(hash, byte);
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
  if (has_prefixes_) MarkBeginnings(token);
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

std::optional<uint32_t> SubwordVocabulary::FindLongest(std::string_view text, size_t* size) const {
  std::optional<uint32_t> longest;
  ForEachPrefix(text, [&](size_t found, uint32_t id) {
    *size = found;
    longest = id;
  });
  return longest;
}

}  // namespace recall
