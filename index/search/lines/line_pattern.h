#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/lines/gram_filter.h"
#include "storage/base/result.h"

namespace re2 {
class RE2;
}

namespace recall {

struct LinePatternOptions {
  bool is_literal = false;   // the pattern is a text, not a regular expression
  bool ignore_case = false;  // by simple case folding of Unicode
  bool whole_words = false;  // a match begins and ends at a border of ASCII words
};

// The bytes begin .. end-1 of a text.
struct TextRange {
  size_t begin = 0;
  size_t end = 0;

  bool operator==(const TextRange&) const = default;
};

// A line with a match. A line ends before its newline, or at the end of the text.
struct MatchedLine {
  uint32_t number = 0;             // from 1
  TextRange line;                  // in the text
  std::vector<TextRange> matches;  // in the text, ascending; they do not overlap
};

// A pattern that is matched with each line of a text, as grep does. Immutable; thread-safe.
class LinePattern final {
 public:
  // `pattern`: a literal, or a regular expression of RE2
  // (https://github.com/google/re2/wiki/Syntax) in which nothing matches a newline, and ^ and $
  // match at the ends of a line. Errors: InvalidArgument for an empty or invalid pattern, and for a
  // literal with a newline.
  static Result<LinePattern> Compile(std::string_view pattern, const LinePatternOptions& options);

  // Which texts can have a line that matches.
  const GramFilter& grams() const { return *grams_; }

  // Visits the lines that match, in order, until `visit` returns false.
  void ForEachLine(std::string_view text, const std::function<bool(MatchedLine&&)>& visit) const;

 private:
  LinePattern() = default;
  size_t FindCandidate(std::string_view text, size_t from) const;
  std::vector<TextRange> MatchesIn(std::string_view text, TextRange line) const;

  std::string literal_;  // is in each match; "" if none is known
  std::shared_ptr<const GramFilter> grams_;
  std::shared_ptr<const re2::RE2> regexp_;  // null: a match is the literal
};

}  // namespace recall
