#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A set of the words of a file, by the hashes of their comparable forms. Two words may share a
// hash, so Has may be wrong. At most 2^22 words (32 MiB) are kept; later ones are ignored.
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

// Returns the word without ASCII punctuation around it, with ASCII letters in lower case. May be
// empty. A hyphen inside stays.
std::string ComparableWord(std::string_view word);

}  // namespace recall
