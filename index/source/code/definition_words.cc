#include "index/source/code/definition_words.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>

namespace recall {
namespace {

struct KnownWord {
  std::string_view word;
  uint8_t classes;
};
// Sorted.
constexpr KnownWord kKnownWords[] = {
    {"__extension__", kModifier},
    {"__inline", kModifier},
    {"abstract", kModifier},
    {"actor", kType},
    {"and", kStatement},
    {"assert", kStatement},
    {"async", kModifier},
    {"await", kStatement},
    {"case", kModifier | kStatement},
    {"catch", kStatement},
    {"class", kType},
    {"co_await", kStatement},
    {"co_return", kStatement},
    {"comptime", kModifier},
    {"const", kValue},
    {"constant", kValue},
    {"consteval", kModifier},
    {"constexpr", kModifier},
    {"constinit", kModifier},
    {"constructor", kStatement},
    {"data", kModifier},
    {"declare", kModifier},
    {"def", kFunction},
    {"default", kModifier | kStatement},
    {"defer", kStatement},
    {"define", kStatement},
    {"defmacro", kFunction},
    {"defmodule", kType},
    {"defp", kFunction},
    {"defprotocol", kType},
    {"delete", kStatement},
    {"do", kStatement},
    {"echo", kStatement},
    {"elif", kStatement},
    {"else", kStatement},
    {"enum", kType},
    {"except", kStatement},
    {"export", kModifier},
    {"extern", kModifier},
    {"final", kModifier},
    {"finally", kStatement},
    {"fn", kFunction},
    {"for", kStatement},
    {"foreach", kStatement},
    {"friend", kModifier},
    {"fun", kFunction},
    {"func", kFunction},
    {"function", kFunction | kStatement},
    {"go", kStatement},
    {"goto", kStatement},
    {"if", kStatement},
    {"implicit", kModifier},
    {"in", kStatement},
    {"indirect", kModifier},
    {"infix", kModifier},
    {"inline", kModifier},
    {"interface", kType},
    {"internal", kModifier},
    {"lazy", kModifier},
    {"let", kValue},
    {"local", kModifier},
    {"lock", kStatement},
    {"macro", kFunction},
    {"macro_rules!", kFunction},
    {"match", kStatement},
    {"message", kType},
    {"mod", kType},
    {"module", kType},
    {"mutating", kModifier},
    {"namespace", kType},
    {"native", kModifier},
    {"new", kStatement},
    {"newtype", kType},
    {"noinline", kModifier},
    {"not", kStatement},
    {"object", kType},
    {"opaque", kModifier},
    {"open", kModifier},
    {"or", kStatement},
    {"override", kModifier},
    {"partial", kModifier},
    {"print", kStatement},
    {"private", kModifier},
    {"proc", kFunction},
    {"protected", kModifier},
    {"protocol", kType},
    {"pub", kModifier},
    {"public", kModifier},
    {"raise", kStatement},
    {"readonly", kModifier},
    {"record", kType},
    {"required", kModifier},
    {"return", kStatement},
    {"rpc", kFunction},
    {"sealed", kModifier},
    {"select", kStatement},
    {"service", kType},
    {"sizeof", kStatement},
    {"static", kModifier},
    {"struct", kType},
    {"sub", kFunction},
    {"super", kStatement},
    {"suspend", kModifier},
    {"switch", kStatement},
    {"synchronized", kModifier},
    {"throw", kStatement},
    {"trait", kType},
    {"transient", kModifier},
    {"try", kStatement},
    {"type", kValue},
    {"typedef", kModifier | kStatement},
    {"typeof", kStatement},
    {"union", kType},
    {"unless", kStatement},
    {"unsafe", kModifier},
    {"until", kStatement},
    {"using", kValue | kStatement},
    {"val", kValue},
    {"var", kValue},
    {"virtual", kModifier},
    {"volatile", kModifier},
    {"while", kStatement},
    {"with", kStatement},
    {"yield", kStatement},
};
static_assert(std::ranges::is_sorted(kKnownWords, {}, &KnownWord::word));

// Where the words begin whose first letter is a, b, ...; others come first.
constexpr std::array<uint8_t, 28> kStartsOfWords = [] {
  std::array<uint8_t, 28> starts{};
  for (size_t letter = 0; letter < 27; ++letter) {
    const char first = static_cast<char>('a' + letter);
    size_t at = 0;
    while (at < std::size(kKnownWords) && kKnownWords[at].word.front() < first) ++at;
    starts[letter] = static_cast<uint8_t>(at);
  }
  return starts;
}();

}  // namespace

unsigned ClassesOfWord(std::string_view word) {
  if (word.empty() || word.front() < '_' || word.front() > 'z') return 0;
  const bool is_letter = word.front() >= 'a';
  const size_t letter = is_letter ? static_cast<size_t>(word.front() - 'a') : 0;
  const size_t begin = is_letter ? kStartsOfWords[letter] : 0;
  const size_t end = is_letter ? kStartsOfWords[letter + 1] : kStartsOfWords[0];
  for (size_t i = begin; i < end; ++i) {
    if (kKnownWords[i].word == word) return kKnownWords[i].classes;
  }
  return 0;
}

}  // namespace recall
