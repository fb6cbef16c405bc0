#include "index/chunk/sentence_end.h"

#include <cstddef>
#include <cstdint>

namespace recall {
namespace {

// True when the character that `text` ends with is one of `marks`, all of three bytes.
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
