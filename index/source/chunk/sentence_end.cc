#include "index/source/chunk/sentence_end.h"

#include <cstddef>
#include <cstdint>

namespace recall {
namespace {

// Windows should end at the end of a sentence. The language of a text is unknown, and a statistical
// sentence detector would cost more than the rest of the chunker, so three cheap tests on the last
// characters of a token decide:
//
//   EndsSentence    a token before white space     "end."  "end.)"  "终。"  "終。」"
//   EndsStatement   inside a token without spaces  "a=1;"  "。" inside Chinese or Japanese text
//   EndsPhrase      the same, weaker               "a,"  "{...}"  "、"
//
// Inside a token, '.', '!' and '?' do not end a sentence: they are parts of numbers, names and
// operators ("3.14", "a.b", "x!=y"). The wide marks of CJK do, because those scripts have no
// spaces.
//
// An abbreviation such as "Dr." is taken as the end of a sentence. The result is a slightly worse
// cut and no lost text. All wide marks have three bytes in UTF-8, so a test compares the last three
// bytes.

// Whether the last character of `text` is one of `marks`, each of which has three bytes.
bool EndsWithWideMark(std::string_view text, std::string_view marks) {
  constexpr size_t kBytes = 3;
  if (text.size() < kBytes || static_cast<uint8_t>(text[text.size() - kBytes]) < 0xE0) return false;
  for (size_t i = 0; i < marks.size(); i += kBytes) {
    if (text.ends_with(marks.substr(i, kBytes))) return true;
  }
  return false;
}

bool IsAsciiChar(char c) { return static_cast<uint8_t>(c) < 0x80; }

constexpr std::string_view kWideSentenceMarks = "。！？；…";

bool EndsWithSentenceMark(std::string_view text) {
  if (text.empty()) return false;
  const char last = text.back();
  if (IsAsciiChar(last)) return last == '.' || last == '!' || last == '?' || last == ';';
  return EndsWithWideMark(text, kWideSentenceMarks);
}

}  // namespace

bool EndsStatement(std::string_view piece) {
  return IsAsciiChar(piece.back()) ? piece.back() == ';'
                                   : EndsWithWideMark(piece, kWideSentenceMarks);
}

bool EndsPhrase(std::string_view piece) {
  const char last = piece.back();
  if (IsAsciiChar(last))
    return last == ',' || last == ':' || last == '}' || last == ')' || last == '>';
  return EndsWithWideMark(piece, "，、：）」』");
}

bool EndsSentence(std::string_view token) {
  if (EndsWithSentenceMark(token)) return true;
  const char last = token.back();
  size_t closer = 0;
  if (last == ')' || last == ']' || last == '"' || last == '\'') closer = 1;
  if (EndsWithWideMark(token, "”’）」』")) closer = 3;
  return closer > 0 && EndsWithSentenceMark(token.substr(0, token.size() - closer));
}

}  // namespace recall
