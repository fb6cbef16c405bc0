// Divides a text into sentences, list items, table rows and blocks of code, in one pass.
//
// The text is read token by token (a token is a maximal run without white space). The tokens of the
// current unit are buffered in `tokens_`. Before a token is appended, the gap and the token itself
// decide whether the buffered unit ends:
//
//   prose   a blank line; a newline before a list item, table row or fence;
//           a last token that ends a sentence                -> ends, if it has 8 tokens or more
//   code    a blank line                                     -> ends, if it has 8 tokens or more
//   both    the buffer has 64 tokens                         -> ends before its last line,
//                                                               else between tokens
//
// A unit that consists of heading lines only never ends at a newline, so a heading stays with the
// text that it introduces.
//
// Invariants: units are in order and disjoint; every token belongs to exactly one unit; a unit
// starts at the indentation of its line, so that code and lists print with their layout.
// Cost: linear in the text; the buffer has at most 64 tokens.

#include "query/ask/passages/text_units.h"

#include <algorithm>
#include <cstddef>

#include "index/source/chunk/sentence_end.h"
#include "index/source/chunk/token_scan.h"

namespace recall {
namespace {

constexpr size_t kShortestUnit = 8;

bool IsOnly(std::string_view token, std::string_view characters) {
  return token.find_first_not_of(characters) == token.npos;
}

// True if `token`, the first of its line, starts a list item ("-", "3.", "2)"), a heading ("##"), a
// quotation (">") or a table row ("|").
bool StartsItem(std::string_view token) {
  if (token.front() == '|' || token.front() == '>' || IsOnly(token, "#")) return true;
  if (token.size() == 1 && IsOnly(token, "-*+")) return true;
  const bool closed = token.back() == '.' || token.back() == ')';
  return closed && token.size() > 1 && IsOnly(token.substr(0, token.size() - 1), "0123456789");
}

bool IsFence(std::string_view token) {
  return token.starts_with("```") || token.starts_with("~~~");
}

class UnitCutter final {
 public:
  UnitCutter(std::string_view text, bool is_code) : text_(text), code_(is_code) {}

  std::vector<TextUnit> Cut() {
    while (true) {
      const size_t begin = SkipWhiteSpace(text_, position_);
      if (begin == text_.size()) break;
      const std::string_view gap = text_.substr(position_, begin - position_);
      const auto newlines = std::count(gap.begin(), gap.end(), '\n');
      const size_t end = FindTokenEnd(text_, begin);
      Take(begin, end, newlines);
      position_ = end;
    }
    Close(tokens_.size());
    return std::move(units_);
  }

 private:
  struct Token {
    size_t start = 0;  // includes the indentation if the token starts a line
    size_t end = 0;
    bool starts_line = false;
  };

  void Take(size_t begin, size_t end, int64_t newlines) {
    const std::string_view token = text_.substr(begin, end - begin);
    const bool starts_line = newlines > 0 || position_ == 0;
    if (!tokens_.empty() && IsBoundary(token, newlines)) Close(tokens_.size());
    if (tokens_.size() == static_cast<size_t>(kLongestUnit)) Close(LastLine());
    if (starts_line) StartLine(token);
    if (token.front() == '|') row_ = true;
    tokens_.push_back({starts_line ? Indented(begin) : begin, end, starts_line});
  }

  void StartLine(std::string_view token) {
    row_ = false;
    if (IsFence(token)) fenced_ = !fenced_;
    const bool heading = !code_ && !fenced_ && IsOnly(token, "#");
    heading_ = heading && (tokens_.empty() || heading_);
  }

  bool IsBoundary(std::string_view token, int64_t newlines) const {
    if (heading_ && newlines > 0) return false;
    if (code_ || fenced_) return newlines > 1 && tokens_.size() >= kShortestUnit;
    if (tokens_.size() < kShortestUnit) return false;
    if (newlines > 1) return true;
    if (newlines == 1 && (row_ || StartsItem(token) || IsFence(token))) return true;
    const Token& last = tokens_.back();
    return EndsSentence(text_.substr(last.start, last.end - last.start));
  }

  // The number of tokens before the last line, or of all tokens if there is only one line.
  size_t LastLine() const {
    for (size_t i = tokens_.size(); i-- > 1;) {
      if (tokens_[i].starts_line) return i;
    }
    return tokens_.size();
  }

  void Close(size_t count) {
    if (count == 0) return;
    units_.push_back({tokens_.front().start, tokens_[count - 1].end, static_cast<int64_t>(count)});
    tokens_.erase(tokens_.begin(), tokens_.begin() + static_cast<ptrdiff_t>(count));
    if (tokens_.empty()) heading_ = false;
  }

  size_t Indented(size_t begin) const {
    while (begin > position_ && (text_[begin - 1] == ' ' || text_[begin - 1] == '\t')) --begin;
    return begin;
  }

  std::string_view text_;
  bool code_;
  bool fenced_ = false;        // between fences
  bool row_ = false;           // the line contains a token that starts with '|'
  bool heading_ = false;       // the unit consists of heading lines only
  size_t position_ = 0;        // the end of the last token
  std::vector<Token> tokens_;  // of the current unit
  std::vector<TextUnit> units_;
};

}  // namespace

std::vector<TextUnit> CutUnits(std::string_view text, bool is_code) {
  return UnitCutter(text, is_code).Cut();
}

uint32_t EndLine(uint32_t start_line, std::string_view text) {
  // A newline at the end of the text belongs to the line that it ends.
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return start_line + static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace recall
