#include "index/base/text/further_names.h"

#include <utf8proc.h>

#include <algorithm>

#include "index/base/text/fold.h"
#include "index/base/text/segment_analyzer.h"
#include "index/base/text/token_limits.h"
#include "index/base/text/utf8.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

// Problem: dots, commas and apostrophes end segments, so 1.2.3 is three numbers and don't is two
// words, and symbols are no part of any segment.
//
// Idea: when a segment ends, the byte after it tells whether a number or a word with an apostrophe
// may go on; after most segments it is a blank. If so, the bytes are read ahead to the end of the
// name, which is returned with the segment in which it ends. Symbols are searched for in what
// NextSegment skips.
//
// Invariant: the names of a text depend on its bytes alone, so a query and the index find the same.
//
// Cost: one comparison for most segments; each byte is read ahead a bounded number of times.

constexpr std::string_view kDot = "\uE008";
constexpr size_t kMostNumberBytes = 32;
constexpr size_t kMostWordBytes = 32;
constexpr std::string_view kCurly = "’";

char At(std::string_view text, size_t at) { return at < text.size() ? text[at] : ' '; }

size_t EndOf(std::string_view text, size_t at, bool (*is_member)(char)) {
  while (at < text.size() && is_member(text[at])) ++at;
  return at;
}

// The end of groups of digits with the same sign between them: 2024-03-15, 1234-5678, 15/03/2024.
size_t EndOfDigitGroups(std::string_view text, size_t begin, size_t end) {
  const char sign = At(text, end);
  if ((sign != '-' && sign != '/') || EndOf(text, begin, IsAsciiDigit<char>) != end) return end;
  if (begin > 1 && text[begin - 1] == sign && IsAsciiAlnum(text[begin - 2])) return end;
  size_t last = end;
  size_t groups = 1;
  while (At(text, last) == sign && IsAsciiDigit(At(text, last + 1))) {
    last = EndOf(text, last + 1, IsAsciiDigit<char>);
    ++groups;
  }
  constexpr size_t kLeastGroupsOfDate = 3;  // 1/2 is a fraction or a page
  const bool enough = sign == '-' || groups >= kLeastGroupsOfDate;
  return enough && last - begin <= kMostNumberBytes ? last : end;
}

// The ends of the number whose first segment is text[begin, end), and of its whole part with commas
// before a fraction; `end` if that is all.
struct NumberEnds {
  size_t number;
  size_t whole;
};
NumberEnds EndsOfNumber(std::string_view text, size_t begin, size_t end) {
  const bool has_v = (text[begin] | 0x20) == 'v';
  if (!IsAsciiDigit(At(text, begin + (has_v ? 1 : 0)))) return {end, end};
  // Not the middle of a longer one: the finder has given that up.
  if (begin > 1 && (text[begin - 1] == '.' || text[begin - 1] == ',') &&
      IsAsciiAlnum(text[begin - 2])) {
    return {end, end};
  }
  size_t last = end;
  constexpr size_t kGroup = 3;
  if (EndOf(text, begin, IsAsciiDigit<char>) == end && end - begin <= kGroup) {
    while (At(text, last) == ',' &&
           EndOf(text, last + 1, IsAsciiAlnum<char>) == last + 1 + kGroup &&
           EndOf(text, last + 1, IsAsciiDigit<char>) == last + 1 + kGroup) {
      last += 1 + kGroup;
    }
  }
  const size_t whole = last;
  if (last == end) {
    const size_t joined = EndOfDigitGroups(text, begin, end);
    if (joined != end) return {joined, end};
  }
  while (At(text, last) == '.' && IsAsciiDigit(At(text, last + 1))) {
    last = EndOf(text, last + 1, IsAsciiAlnum<char>);
  }
  if (last - begin > kMostNumberBytes) return {end, end};
  return {last, whole != last ? whole : end};
}

size_t EndOfApostrophized(std::string_view text, size_t begin, size_t end) {
  const bool curly = text.substr(end).starts_with(kCurly);
  if (!curly && text[end] != '\'') return end;
  const size_t next = end + (curly ? kCurly.size() : 1);
  const size_t last = EndOf(text, next, IsAsciiLetter<char>);
  if (last == next || last - begin > kMostWordBytes ||
      EndOf(text, begin, IsAsciiLetter<char>) != end) {
    return end;
  }
  if (begin > 0 && (text[begin - 1] == '\'' || text.substr(0, begin).ends_with(kCurly))) return end;
  const std::string_view after = text.substr(next, last - next);
  constexpr std::string_view kEnds[] = {"t", "re", "ve", "ll", "d", "m"};
  const bool contraction = std::ranges::find(kEnds, after) != std::end(kEnds);
  return contraction || (end == begin + 1 && after.size() > 2) ? last : end;
}

utf8proc_propval_t CategoryOf(uint32_t c) {
  return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->category;
}

bool IsSymbol(uint32_t c) {
  if (c < 0xA2) return false;
  // Box drawing, blocks and Braille draw lines and progress; the last is of ill-formed text.
  if ((c >= 0x2500 && c <= 0x259F) || (c >= 0x2800 && c <= 0x28FF) || c == 0xFFFC || c == 0xFFFD) {
    return false;
  }
  // Some symbols are letters in another form: U+2100 is a/c.
  if (KindBeforeFolding(c) != CharacterKind::kSeparator) return false;
  const utf8proc_propval_t category = CategoryOf(c);
  return category == UTF8PROC_CATEGORY_SO || category == UTF8PROC_CATEGORY_SM ||
         category == UTF8PROC_CATEGORY_SC;
}

constexpr uint32_t kJoiner = 0x200D;
bool IsFlagLetter(uint32_t c) { return c >= 0x1F1E6 && c <= 0x1F1FF; }
bool IsFlagTag(uint32_t c) { return c >= 0xE0020 && c <= 0xE007F; }
bool IsSelectorOrTone(uint32_t c) {
  return c == 0xFE0E || c == 0xFE0F || c == 0x20E3 || (c >= 0x1F3FB && c <= 0x1F3FF);
}

// The character at `at`, and the end of it; 0 at the end.
uint32_t CharacterAt(std::string_view text, size_t at, size_t end, size_t* next) {
  *next = at;
  return at < end ? DecodeUtf8(text, next) : 0;
}

}  // namespace

void FurtherNameFinder::Begin(size_t begin, size_t end) {
  const auto [number, whole] = EndsOfNumber(text_, begin, end);
  const size_t last = number != end ? number : EndOfApostrophized(text_, begin, end);
  if (last == end) return;
  first_ = begin;
  last_ = last;
  whole_end_ = whole;
  open_ = true;
}

bool IsNumberName(std::string_view name) {
  const bool has_v = (name[0] | 0x20) == 'v';
  if (!IsAsciiDigit(At(name, has_v ? 1 : 0))) return false;
  size_t joints = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool joint = name[i] == '.' || name[i] == ',' || name[i] == '-' || name[i] == '/';
    if (joint && !IsAsciiDigit(At(name, i + 1))) return false;
    if (!joint && !IsAsciiAlnum(name[i])) return false;
    joints += joint;
  }
  return joints > 0;
}

std::string_view NextSymbol(std::string_view text, size_t end, size_t* at) {
  while (*at < end) {
    if (static_cast<uint8_t>(text[*at]) < 0x80) {
      ++*at;
      continue;
    }
    const size_t begin = *at;
    const uint32_t first = DecodeUtf8(text, at);
    if (!IsSymbol(first)) continue;
    size_t next = 0;
    if (IsFlagLetter(first) && IsFlagLetter(CharacterAt(text, *at, end, &next))) {
      *at = next;
      return text.substr(begin, *at - begin);
    }
    for (;;) {
      uint32_t c = CharacterAt(text, *at, end, &next);
      while (IsSelectorOrTone(c) || IsFlagTag(c)) {
        *at = next;
        c = CharacterAt(text, *at, end, &next);
      }
      if (c != kJoiner) break;
      size_t joined = 0;
      if (!IsSymbol(CharacterAt(text, next, end, &joined))) break;
      if (joined - begin > kMaxTokenBytes) break;
      *at = joined;
    }
    return text.substr(begin, *at - begin);
  }
  return {};
}

bool AppendFurtherToken(std::string_view name, std::string* out) {
  size_t at = 0;
  const bool symbol = static_cast<uint8_t>(name[0]) >= 0x80 && IsSymbol(DecodeUtf8(name, &at));
  const size_t start = out->size();
  if (symbol) {
    for (at = 0; at < name.size();) {
      const uint32_t c = DecodeUtf8(name, &at);
      if (!IsSelectorOrTone(c)) AppendUtf8(c, out);
    }
    out->resize(start + FloorToCharacter(std::string_view(*out).substr(start), kMaxTokenBytes));
    return true;
  }
  const bool number = IsNumberName(name);
  const bool apostrophe = name.find('\'') != name.npos || name.find(kCurly) != name.npos;
  if (!number && !apostrophe) return false;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '.' || c == '-' || c == '/') {
      out->append(kDot);
    } else if (IsAsciiAlnum(c) && !(number && i == 0 && !IsAsciiDigit(c))) {
      out->push_back(IsAsciiDigit(c) ? c : static_cast<char>(c | 0x20));
    }
  }
  StemFrom(start, out);
  return true;
}

}  // namespace recall
