#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// Finds the places of many words in a text at once, in one pass of about 1 GB/s.
//
// Each byte has one of 32 classes: a letter in any case its own, digits one, `_`, `-` and `~` one,
// `.` its own, `:` and `$` one, `/` and bytes that are not ASCII one, all others one. The classes
// of three successive bytes are 15 bits, and a table of 32,768 bits tells which of them are the
// anchor of a word: the three of its bytes that are rarest elsewhere. Only there the words are
// compared.
//
// Immutable, thread-safe.
class KeywordScan final {
 public:
  struct Hit {
    size_t at;         // of its first byte
    uint32_t keyword;  // its index
  };

  // `keywords`: of 3 bytes or more. A word with a capital letter occurs as it is, others in any
  // case.
  explicit KeywordScan(std::vector<std::string> keywords);

  const std::string& keyword(uint32_t index) const { return keywords_[index]; }

  // Calls visit(Hit) for each occurrence: those of one keyword in the order of their places.
  template <typename Visit>
  void Scan(std::string_view text, Visit visit) const {
    uint32_t classes = 0;
    for (size_t end = 0; end < text.size(); ++end) {
      classes = (classes << 5 | classes_[static_cast<uint8_t>(text[end])]) & 0x7FFF;
      if (!is_anchor_.test(classes) || end < 2) continue;
      const size_t at = end - 2;
      const char first = AsciiLowered(text[at]);
      for (uint32_t i = first_[classes]; i < anchors_.size() && anchors_[i].classes == classes;
           ++i) {
        const Anchor& anchor = anchors_[i];
        if (anchor.byte != first || at < anchor.offset) continue;
        const size_t begin = at - anchor.offset;
        if (Occurs(text.substr(begin), anchor.keyword)) visit(Hit{begin, anchor.keyword});
      }
    }
  }

 private:
  // The three bytes of a keyword that are looked for.
  struct Anchor {
    uint32_t classes;
    uint32_t keyword;
    uint32_t offset;  // in the keyword
    char byte;        // the first one, in lower case
  };

  static char AsciiLowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
  bool Occurs(std::string_view text, uint32_t keyword) const;

  std::vector<std::string> keywords_;
  std::vector<bool> exact_;
  uint8_t classes_[256];
  std::bitset<1 << 15> is_anchor_;
  std::vector<uint32_t> first_;  // by three classes: into anchors_
  std::vector<Anchor> anchors_;  // by their classes
};

}  // namespace recall
