#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/fts5/fts_postings.h"

namespace recall {

// The texts of a few rows, rebuilt from their encoded postings: the inverse of FtsPostingsBuilder.
// Its tokens have the positions 0, 1, 2, ..., so the tokens of a text in order of their positions,
// separated by spaces, have the same postings as the original text. For an index that only FTS5 may
// write (SqliteFeatures), which takes texts. Memory: 16 bytes a token.
class FtsRowTexts final {
 public:
  explicit FtsRowTexts(uint32_t rows);

  // Adds the list of a token (FtsPostings). `first_row` is counted from 0. Requires: a list that
  // FtsPostingsBuilder has made, of these rows; the token's bytes outlive this object.
  void Add(std::string_view token, uint32_t first_row, ByteSpan list);

  std::string Text(uint32_t row, size_t column) const;

 private:
  using Tokens = std::vector<std::string_view>;  // by position

  std::vector<Tokens> texts_;  // by row * FtsPostings::kColumns + column
};

}  // namespace recall
