#include "query/passages/text_units.h"

#include <algorithm>
#include <cstddef>

#include "index/chunk/sentence_end.h"
#include "index/chunk/token_scan.h"

namespace recall {
namespace {

constexpr size_t kShortestUnit = 8;

bool IsOnly(std::string_view token, std::string_view characters) {
  return token.find_first_not_of(characters) == token.npos;
}

// "-", "3.", "2)", a heading's "##", a quotation's ">" or a table's "|" in front of a line.
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
    size_t start = 0;  // of the indentation when it starts a line
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

  // The number of tokens before the last line's, or all of them when there is one line only.
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
  bool row_ = false;           // the line has a column's bar
  bool heading_ = false;       // the unit has lines of headings only
  size_t position_ = 0;        // the end of the last token
  std::vector<Token> tokens_;  // of the unit being read
  std::vector<TextUnit> units_;
};

}  // namespace

std::vector<TextUnit> CutUnits(std::string_view text, bool is_code) {
  return UnitCutter(text, is_code).Cut();
}

uint32_t EndLine(uint32_t start_line, std::string_view text) {
  // A newline at the very end belongs to the line it ends.
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return start_line + static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace recall
