#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The words of a file, by the hashes of their comparable forms. Two words may share a hash: the
// answer is a hint. At most 2^22 words (32 MiB); others are forgotten.
class PdfWordSet final {
 public:
  // Requires: the word is in comparable form and not empty.
  void Add(std::string_view word);
  bool Has(std::string_view word) const;

 private:
  static uint64_t HashOf(std::string_view word);
  size_t SlotOf(uint64_t hash) const;

  std::vector<uint64_t> slots_ = std::vector<uint64_t>(1024);  // 0: free
  size_t count_ = 0;
};

// The word without ASCII punctuation around it, ASCII letters in lower case; may be empty. A hyphen
// inside stays.
std::string ComparableWord(std::string_view word);

}  // namespace recall
