#pragma once

#include <cstdint>
#include <string_view>

#include "storage/base/row_hash.h"

namespace recall {

// A hash of a term.
inline uint64_t FtsTermHash(std::string_view term) {
  RowHash hash;
  hash.Add(term);
  return hash.value();
}

// A hash of one token: of its term, its column and its position in the column. The sum of these
// hashes over the tokens of a row does not depend on their order. Two different sets of tokens have
// the same sum with a probability of about 2^-64.
inline uint64_t FtsInstanceHash(uint64_t term_hash, bool compound, uint64_t offset) {
  RowHash hash(term_hash);
  hash.Add(offset << 1 | (compound ? 1 : 0));
  return hash.value();
}

// The tokens of one row that have one term.
struct FtsRowTokens {
  uint32_t row = 0;
  uint32_t tokens = 0;
  uint64_t sum = 0;  // of their FtsInstanceHash
};

}  // namespace recall
