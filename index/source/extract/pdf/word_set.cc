#include "index/source/extract/pdf/word_set.h"

#include <algorithm>

namespace recall {
namespace {

constexpr size_t kMaxWords = size_t{1} << 22;

bool IsWordByte(char c) {
  return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

uint64_t PdfWordSet::HashOf(std::string_view word) {
  // FNV-1a, and the finalizer of SplitMix64 to spread it.
  uint64_t hash = 0xCBF29CE484222325u;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  hash = (hash ^ (hash >> 30)) * 0xBF58476D1CE4E5B9u;
  hash = (hash ^ (hash >> 27)) * 0x94D049BB133111EBu;
  hash ^= hash >> 31;
  return hash == 0 ? 1 : hash;
}

size_t PdfWordSet::SlotOf(uint64_t hash) const {
  size_t slot = hash & (slots_.size() - 1);
  while (slots_[slot] != 0 && slots_[slot] != hash) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

void PdfWordSet::Add(std::string_view word) {
  const uint64_t hash = HashOf(word);
  const size_t slot = SlotOf(hash);
  if (slots_[slot] == hash || count_ == kMaxWords) return;
  slots_[slot] = hash;
  if (++count_ * 2 <= slots_.size() || count_ == kMaxWords) return;
  std::vector<uint64_t> old(slots_.size() * 2);
  old.swap(slots_);
  for (const uint64_t other : old) {
    if (other != 0) slots_[SlotOf(other)] = other;
  }
}

bool PdfWordSet::Has(std::string_view word) const { return slots_[SlotOf(HashOf(word))] != 0; }

std::string ComparableWord(std::string_view word) {
  while (!word.empty() && !IsWordByte(word.front())) word.remove_prefix(1);
  while (!word.empty() && !IsWordByte(word.back())) word.remove_suffix(1);
  std::string comparable(word);
  for (char& c : comparable) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return comparable;
}

}  // namespace recall
