#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "index/base/text/zeroed_array.h"
#include "storage/base/coding.h"
#include "storage/base/swar.h"

namespace recall {

// Remembers a value for each of the last tokens, because texts repeat their words. Direct-mapped: a
// token replaces the one that has its entry. Tokens of more than 24 bytes are not remembered.
//
// A token is read, compared and hashed in words of eight bytes, filled up with zeros. One instance
// per thread; 512 KiB, of which the used pages take memory.
template <typename Value>
class TokenMemo final {
 public:
  // Calls visit(value) for each of the tokens, in order. compute(token) gives the value of a token
  // that is not remembered. Requires: single spaces separate the tokens; no token has a byte 0.
  template <typename Compute, typename Visit>
  void ForEach(std::string_view tokens, const Compute& compute, const Visit& visit) {
    std::array<Pending, kAhead> pending;
    size_t read = 0;
    size_t visited = 0;
    const auto visit_next = [&] {
      const Pending& next = pending[visited++ % kAhead];
      if (next.entry == nullptr) return visit(compute(next.token));
      if (Differ(next.entry->token, next.words)) *next.entry = {next.words, compute(next.token)};
      visit(next.entry->value);
    };
    for (size_t at = 0; at < tokens.size(); ++read) {
      if (read - visited == kAhead) visit_next();
      Pending& next = pending[read % kAhead];
      next.words = {};
      const size_t size = ReadToken(tokens.substr(at), &next.words);
      next.token = tokens.substr(at, size);
      next.entry = size > kRememberedBytes ? nullptr : &entries_[EntryOf(next.words)];
      if (next.entry != nullptr) __builtin_prefetch(next.entry);
      at += size + 1;
    }
    while (visited < read) visit_next();
  }

 private:
  static constexpr size_t kEntryBits = 14;
  static constexpr size_t kWordBytes = sizeof(uint64_t);
  static constexpr size_t kRememberedBytes = 3 * kWordBytes;
  using Words = std::array<uint64_t, kRememberedBytes / kWordBytes>;
  struct Entry {
    Words token;  // all 0: the entry is free
    Value value;
  };
  // A token, and its entry, which is being prefetched; null if the token is too long for an entry.
  struct Pending {
    Words words;
    std::string_view token;
    Entry* entry;
  };
  static constexpr size_t kAhead = 8;

  // Returns the size of the first token, and its bytes if they fit.
  static size_t ReadToken(std::string_view tokens, Words* words) {
    for (size_t word = 0; word < words->size(); ++word) {
      const uint64_t bytes = ReadWord(tokens, word * kWordBytes);
      const uint64_t spaces = ZeroBytes(bytes ^ kEachByte * ' ');
      if (spaces == 0) {
        (*words)[word] = bytes;
        continue;
      }
      const auto token_bytes = static_cast<size_t>(std::countr_zero(spaces)) / 8;
      (*words)[word] = bytes & ((uint64_t{1} << token_bytes * 8) - 1);
      return word * kWordBytes + token_bytes;
    }
    return std::min(tokens.find(' ', kRememberedBytes), tokens.size());
  }

  // The bytes from `at` on; spaces after the end.
  static uint64_t ReadWord(std::string_view text, size_t at) {
    if (at + kWordBytes <= text.size()) {
      return LoadLittle<uint64_t>(reinterpret_cast<const uint8_t*>(text.data()) + at);
    }
    uint64_t bytes = kEachByte * ' ';
    for (size_t i = text.size(); i > at; --i) {
      bytes = bytes << 8 | static_cast<uint8_t>(text[i - 1]);
    }
    return bytes;
  }

  // operator!= of arrays calls memcmp.
  static bool Differ(const Words& a, const Words& b) {
    return ((a[0] ^ b[0]) | (a[1] ^ b[1]) | (a[2] ^ b[2])) != 0;
  }

  static size_t EntryOf(const Words& words) {
    const uint64_t hash = words[0] * 0x9e3779b97f4a7c15 + words[1] * 0xbf58476d1ce4e5b9 +
                          words[2] * 0x94d049bb133111eb;
    return hash >> (64 - kEntryBits);
  }

  ZeroedArray<Entry> entries_ = MakeZeroedArray<Entry>(size_t{1} << kEntryBits);
};

}  // namespace recall
