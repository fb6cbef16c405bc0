#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace recall {

// The byte ranges of the tokens of a text: maximal runs without white space.
class DocumentTokens final {
 public:
  explicit DocumentTokens(std::string_view text);

  struct Range {
    uint64_t begin = 0;
    uint64_t end = 0;  // exclusive
  };
  // Returns: the indices of the tokens that overlap the byte range `bytes`.
  Range Touched(Range bytes) const;
  // Returns: the bytes from the start of the first to the end of the last of these tokens.
  // Requires: begin < end <= size().
  Range Bytes(Range tokens) const;

  uint64_t size() const { return tokens_.size(); }

 private:
  std::vector<Range> tokens_;
};

}  // namespace recall
