#include "index/search/filter/regexp_literal.h"

namespace recall {
namespace {

// RE2 needs 150 nanoseconds to find that a path does not match; a search for bytes needs ten. So a
// literal that every match contains is searched for first.
//
//   sub[0-4][0-9]*/.*9\.md$     "sub" | "/" | "9.md"   -> "9.md"
//   (lib|src)/x+y?z             "/x" | "z"             -> "/x"
//
// The pattern is read from left to right at its outermost level; groups and classes are skipped. A
// run of characters ends at everything that is not a plain character, and without its last one if
// that may be missing. What this reader does not know for certain, such as flags, \Q or an
// alternative at the outermost level, yields no literal. Grammar:
// https://github.com/google/re2/wiki/Syntax.

constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~";
// Escapes that stand for one character or none: \b, \d, \w, ...
constexpr std::string_view kPlainEscapes = "AbBdDsSwWz";

class LiteralReader final {
 public:
  explicit LiteralReader(std::string_view pattern) : pattern_(pattern) {}

  std::string Read() {
    while (position_ < pattern_.size()) {
      if (!ReadNext()) return "";
    }
    EndRun();
    return longest_;
  }

 private:
  // False: nothing is known of the pattern.
  bool ReadNext() {
    const char c = pattern_[position_++];
    switch (c) {
      case '|':
        return false;
      case '(':
        EndRun();
        return SkipGroup();
      case '[':
        EndRun();
        return SkipClass();
      case '.':
      case '^':
      case '$':
        EndRun();
        return true;
      case '+':
        EndRun();
        return true;
      case '*':
      case '?':
        DropLast();
        EndRun();
        return true;
      case '{':
        DropLast();
        EndRun();
        return SkipCount();
      case '\\':
        return ReadEscape();
      default:
        run_ += c;
        return true;
    }
  }

  void EndRun() {
    if (run_.size() > longest_.size()) longest_ = run_;
    run_.clear();
  }

  void DropLast() {
    while (!run_.empty() && (static_cast<unsigned char>(run_.back()) & 0xC0) == 0x80) {
      run_.pop_back();
    }
    if (!run_.empty()) run_.pop_back();
  }

  bool ReadEscape() {
    if (position_ == pattern_.size()) return false;
    const char c = pattern_[position_++];
    if (kPunctuation.find(c) != kPunctuation.npos) {
      run_ += c;
      return true;
    }
    EndRun();
    return kPlainEscapes.find(c) != kPlainEscapes.npos;
  }

  // Behind "{". A brace that is no count is a character.
  bool SkipCount() {
    const size_t close = pattern_.find_first_not_of("0123456789,", position_);
    if (close == pattern_.npos || close == position_ || pattern_[close] != '}') return false;
    position_ = close + 1;
    return true;
  }

  // Behind "[".
  bool SkipClass() {
    if (Next() == '^') ++position_;
    if (Next() == ']') ++position_;
    while (position_ < pattern_.size()) {
      const char c = pattern_[position_++];
      if (c == ']') return true;
      if (c == '[' && Next() == ':') {
        const size_t close = pattern_.find(":]", position_ + 1);
        if (close == pattern_.npos) return false;
        position_ = close + 2;
      } else if (c == '\\') {
        if (Next() == 'Q') return false;
        ++position_;
      }
    }
    return false;
  }

  // Behind "(": to the end of the group, which may be missing in a match. Flags that a group sets
  // may hold for what follows it.
  bool SkipGroup() {
    if (Next() == '?' && !SetsNoFlags()) return false;
    for (int depth = 1; position_ < pattern_.size();) {
      const char c = pattern_[position_++];
      if (c == '(') ++depth;
      if (c == ')' && --depth == 0) return true;
      if (c == '[' && !SkipClass()) return false;
      if (c == '\\') {
        if (Next() == 'Q') return false;
        ++position_;
      }
    }
    return false;
  }

  // At "?" behind "(".
  bool SetsNoFlags() const {
    const std::string_view rest = pattern_.substr(position_);
    return rest.starts_with("?:") || rest.starts_with("?P<") || rest.starts_with("?<");
  }

  // The next character; NUL at the end.
  char Next() const { return position_ < pattern_.size() ? pattern_[position_] : '\0'; }

  std::string_view pattern_;
  size_t position_ = 0;
  std::string run_;
  std::string longest_;
};

}  // namespace

std::string RequiredLiteral(std::string_view pattern) { return LiteralReader(pattern).Read(); }

}  // namespace recall
