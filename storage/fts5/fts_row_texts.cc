#include "storage/fts5/fts_row_texts.h"

#include <algorithm>

#include "storage/base/check.h"
#include "storage/base/varint.h"

namespace recall {
FtsRowTexts::FtsRowTexts(uint32_t rows) : texts_(rows * FtsPostings::kColumns) {}

void FtsRowTexts::Add(std::string_view token, uint32_t first_row, ByteSpan list) {
  const uint8_t* at = list.data();
  const uint8_t* const end = at + list.size();
  const auto next = [&] {
    uint64_t number = 0;
    at = ReadVarint(at, end, &number);
    RECALL_CHECK(at != nullptr);
    return number;
  };
  size_t row = first_row;
  while (at < end) {
    const uint64_t bytes = next() / 2;
    const uint8_t* const stop = at + bytes;
    size_t column = 0;
    size_t position = 0;
    while (at < stop) {
      const uint64_t number = next();
      if (number == FtsPostings::kColumnFollows) {
        column = next();
        position = 0;
        continue;
      }
      position += number - FtsPostings::kPositionBase;
      Tokens& tokens = texts_.at(row * FtsPostings::kColumns + column);
      tokens.resize(std::max(tokens.size(), position + 1));
      tokens[position] = token;
    }
    if (at < end) row += next();
  }
}

std::string FtsRowTexts::Text(uint32_t row, size_t column) const {
  std::string text;
  for (const std::string_view token : texts_[row * FtsPostings::kColumns + column]) {
    if (!text.empty()) text += ' ';
    text += token;
  }
  return text;
}

}  // namespace recall
