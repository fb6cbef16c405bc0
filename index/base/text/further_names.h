#pragma once

// Names that version 3 of the tokenizer has beside those of names.h: versions and numbers, words
// with an apostrophe, and symbols. Each is one more token, in the column `compound`.

#include <cstddef>
#include <string>
#include <string_view>

namespace recall {

// Finds numbers and words with an apostrophe from the segments of a text, which are passed in
// order.
//
//   numbers  1.2.3  192.168.10.42  v3.11.0rc2  4,200  1,234,567.89 and the 1,234,567 of it
//            2024-03-15  1234-5678  15/03/2024
//   words    don't  O’Reilly: one letter before the apostrophe, or the end of a contraction after
class FurtherNameFinder final {
 public:
  explicit FurtherNameFinder(std::string_view text) : text_(text) {}

  // Takes the next segment, [begin, end) of the text. Returns the name that ends with it, a part of
  // the text; empty if there is none.
  std::string_view Add(size_t begin, size_t end) {
    if (last_ > begin) {
      if (end == whole_end_) return text_.substr(first_, end - first_);
      return last_ <= end ? Take() : std::string_view();
    }
    if (end < text_.size() && MayJoin(text_[end])) Begin(begin, end);
    return {};
  }
  // Whether the next segment belongs to a name that has begun.
  bool open() const { return open_; }

 private:
  static bool MayJoin(char c) {
    return c == '.' || c == ',' || c == '\'' || c == '-' || c == '/' || c == '\xE2';
  }
  void Begin(size_t begin, size_t end);
  std::string_view Take() {
    open_ = false;
    return text_.substr(first_, last_ - first_);
  }

  std::string_view text_;
  size_t first_ = 0;
  size_t last_ = 0;       // end of the name that began at first_
  size_t whole_end_ = 0;  // of the whole number before a fraction: the 4,200 of 4,200.50
  bool open_ = false;
};

// Whether a name is a number or a version.
bool IsNumberName(std::string_view name);

// Finds the first symbol in text[*at, end), which has no words, and moves *at past it. Returns:
// its bytes; empty if there is none. A symbol is one character, or a sequence that is one emoji.
std::string_view NextSymbol(std::string_view text, size_t end, size_t* at);

// Appends the token of a name or symbol of this header: numbers without "v" and commas, U+E008 for
// each dot, dash or slash; words without the apostrophe, stemmed; symbols without variation
// selectors and skin tones. Returns: false, appending nothing, if the text is none of these.
bool AppendFurtherToken(std::string_view name, std::string* out);

}  // namespace recall
