#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/base/swar.h"

namespace recall {

// Hashes of the tokens of the full-text index. The sum of the hashes of a row's tokens does not
// depend on their order. Two different sets of tokens have the same sum with a probability of about
// 2^-64. Used in memory only.

namespace fts_hash {

// A step as in wyhash (Wang Yi): the two halves of a 128-bit product, XORed.
inline uint64_t Mix(uint64_t a, uint64_t b) {
  const auto product =
      static_cast<unsigned __int128>(a ^ 0xa0761d6478bd642f) * (b ^ 0xe7037ed1a0b428db);
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Eight bytes of a text from `at` on; spaces after its end.
inline uint64_t WordAt(std::string_view text, size_t at) {
  constexpr size_t kBytes = sizeof(uint64_t);
  if (text.size() - at >= kBytes) {
    return LoadLittle<uint64_t>(reinterpret_cast<const uint8_t*>(text.data()) + at);
  }
  uint64_t word = kEachByte * ' ';
  for (size_t i = text.size(); i > at; --i) word = word << 8 | static_cast<uint8_t>(text[i - 1]);
  return word;
}

// The first of eight bytes, fewer than all of them.
inline uint64_t FirstBytes(uint64_t word, size_t bytes) {
  return word & ((uint64_t{1} << 8 * bytes) - 1);
}

// `state`: after all words of a term. The size tells apart terms that end with bytes 0.
inline uint64_t OfTerm(uint64_t state, size_t size) { return state + size * 0x9e3779b97f4a7c15; }

}  // namespace fts_hash

// A hash of a term.
inline uint64_t FtsTermHash(std::string_view term) {
  constexpr size_t kBytes = sizeof(uint64_t);
  uint64_t state = 0;
  size_t at = 0;
  for (; term.size() - at >= kBytes; at += kBytes) {
    state = fts_hash::Mix(state, fts_hash::WordAt(term, at));
  }
  if (at < term.size()) {
    const uint64_t word = fts_hash::WordAt(term, at);
    state = fts_hash::Mix(state, fts_hash::FirstBytes(word, term.size() - at));
  }
  return fts_hash::OfTerm(state, term.size());
}

// A hash of one token: of its term, its column and its position in the column.
inline uint64_t FtsInstanceHash(uint64_t term_hash, bool compound, uint64_t offset) {
  return fts_hash::Mix(term_hash, fts_hash::Mix(offset, compound ? 1 : 0));
}

// The tokens of one row that have one term, or all tokens of a row.
struct FtsRowTokens {
  uint32_t row = 0;
  uint32_t tokens = 0;
  uint64_t sum = 0;  // of their FtsInstanceHash
};

// Adds the tokens of a column, separated by single spaces, to those of the row. A token is hashed
// while its end is looked for.
inline void AddFtsTokens(std::string_view tokens, bool compound, FtsRowTokens* row) {
  constexpr size_t kBytes = sizeof(uint64_t);
  uint64_t offset = 0;
  for (size_t at = 0; at < tokens.size(); ++offset) {
    const size_t begin = at;
    uint64_t state = 0;
    uint64_t word = fts_hash::WordAt(tokens, at);
    uint64_t spaces = ZeroBytes(word ^ kEachByte * ' ');
    for (; spaces == 0; spaces = ZeroBytes(word ^ kEachByte * ' ')) {
      state = fts_hash::Mix(state, word);
      at += kBytes;
      word = at < tokens.size() ? fts_hash::WordAt(tokens, at) : kEachByte * ' ';
    }
    const auto rest = static_cast<size_t>(std::countr_zero(spaces)) / 8;
    if (rest > 0) state = fts_hash::Mix(state, fts_hash::FirstBytes(word, rest));
    at += rest;
    row->sum += FtsInstanceHash(fts_hash::OfTerm(state, at - begin), compound, offset);
    ++at;
  }
  row->tokens += static_cast<uint32_t>(offset);
}

}  // namespace recall
