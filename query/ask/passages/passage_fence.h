#pragma once

// Fences around passages, so that a text cannot be taken for a part of the answer that quotes it.
//
// The problem: an answer in plain text has citations, "[guide.md:10-24]", above the passages of
// documents, and may end with a line of JSON. A document can have the same lines, and so claim that
// what follows them is the text of another document, or that the answer ends. Its bytes must not be
// changed, because answers name their places.
//
// The idea is that of CommonMark's fenced code blocks (https://spec.commonmark.org): if a passage
// of an answer has such a line, all its passages are put between lines of backticks, one backtick
// more than the longest run in any of them. So what looks like a citation is one if it stands
// outside of fences. An answer without such a line has no fences, and costs nothing.

#include <cstddef>
#include <string>
#include <string_view>

namespace recall {

// Whether a line of the text could be read as a citation, or as a line of JSON that ends an answer.
// Linear in the text.
bool ResemblesAnAnswer(std::string_view text);

// The length of the longest run of backticks.
size_t LongestRunOfBackticks(std::string_view text);

// The fence of an answer. Cover() all passages, then write each between Opening() and Closing().
class PassageFence final {
 public:
  void Cover(std::string_view text);

  // The line before a passage, with its newline; "" if no fence is needed.
  std::string Opening() const;
  // What follows a passage: the last line of the fence, without a newline.
  std::string Closing(std::string_view passage) const;

 private:
  bool needed_ = false;
  size_t longest_run_ = 0;
};

}  // namespace recall
