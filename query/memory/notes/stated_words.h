#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// What a word can stand for, so that another one in its place says something else.
enum class ValueKind : uint8_t {
  kNone,    // any other word
  kNumber,  // a number, with its unit, a version, a time of day
  kDate,    // a date, a month
  kName,    // a path, an identifier, a quoted text, a capitalised word that begins no sentence
};

// A word of a sentence. Articles are none; "don't" is "do" and "not".
struct StatedWord {
  std::string folded;    // lower case without diacritics
  std::string compared;  // a word's stem; values, so that spellings of the same one are equal
  size_t begin = 0;      // bytes of the sentence
  size_t end = 0;
  ValueKind value = ValueKind::kNone;
  bool is_unit = false;  // of a number: "seconds"

  // Whether it says something of the subject: no value, and no function word.
  bool IsContent() const;
};

// A sentence, an item of a list or a line.
struct NoteSentence {
  std::string text;
  std::vector<StatedWord> words;
};

// The words of a sentence, at most kMostStatedWords.
inline constexpr size_t kMostStatedWords = 64;
NoteSentence ReadSentence(std::string_view text);

// The sentences of Markdown, in order, at most kMostSentences.
inline constexpr size_t kMostSentences = 256;
std::vector<NoteSentence> ReadSentences(std::string_view markdown);

}  // namespace recall
