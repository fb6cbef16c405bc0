#include "query/ask/cues/asked_names.h"

#include <algorithm>
#include <cstdint>

#include "index/base/text/stop_words.h"

namespace recall {
namespace {

constexpr size_t kMostNames = 8;
constexpr size_t kLeastBytes = 2;

// Words that only say that a definition is wanted.
constexpr std::string_view kDefinitionWords[] = {
    "class",     "struct", "function", "func",     "fn",      "def",        "enum",
    "interface", "type",   "const",    "constant", "macro",   "trait",      "method",
    "variable",  "define", "#define",  "defined",  "defines", "definition", "declaration",
    "declared",  "symbol", "union",    "typedef"};

bool IsLetterOfCase(char c, char first) { return c >= first && c < first + 26; }
bool IsSmall(char c) { return IsLetterOfCase(c, 'a'); }
bool IsCapital(char c) { return IsLetterOfCase(c, 'A'); }
bool IsWordChar(char c) {
  return IsSmall(c) || IsCapital(c) || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<uint8_t>(c) >= 0x80;
}

std::string InLowerCase(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = IsCapital(c) ? static_cast<char>(c - 'A' + 'a') : c;
  return lowered;
}

// A word of the question: what stands between white space.
struct Spelled {
  std::string_view name;   // the last part of it that is one word; may be empty
  bool is_marked = false;  // `name`, name(), A::name, a->name
};

Spelled ReadSpelled(std::string_view word) {
  Spelled read;
  const auto strip = [&](std::string_view marks) {
    while (!word.empty() && marks.find(word.front()) != word.npos) word.remove_prefix(1);
    while (!word.empty() && marks.find(word.back()) != word.npos) word.remove_suffix(1);
  };
  strip("\"',.?!;:[]{}");
  if (word.size() > 2 && word.front() == '`' && word.back() == '`') read.is_marked = true;
  strip("`\"',.?!;:[]{}");
  if (word.ends_with("()")) {
    read.is_marked = true;
    word.remove_suffix(2);
  }
  strip("()<>*&");
  size_t begin = word.size();
  while (begin > 0 && IsWordChar(word[begin - 1])) --begin;
  read.name = word.substr(begin);
  const std::string_view before = word.substr(0, begin);
  if (before.ends_with("::") || before.ends_with("->")) read.is_marked = true;
  // Of a path, an option or a number with a unit there is no name.
  const bool joined = before.empty() || before.ends_with("::") || before.ends_with("->") ||
                      before.ends_with(".") || before.ends_with("#") || before == "@";
  if (!joined || before.find('/') != before.npos) read.name = {};
  if (!read.name.empty() && read.name.front() >= '0' && read.name.front() <= '9') read.name = {};
  return read;
}

bool LooksLikeName(std::string_view name, bool capitals_say_little) {
  if (name.find('_') != name.npos) return true;
  if (std::ranges::none_of(name, IsSmall)) {
    const bool is_ascii =
        std::ranges::none_of(name, [](char c) { return static_cast<uint8_t>(c) >= 0x80; });
    return !capitals_say_little && is_ascii && name.size() >= 3;
  }
  for (size_t i = 1; i < name.size(); ++i) {
    if (IsCapital(name[i]) && IsSmall(name[i - 1])) return true;
  }
  return false;
}

}  // namespace

std::vector<AskedName> FindAskedNames(std::string_view question) {
  const bool capitals_say_little = std::ranges::none_of(question, IsSmall);
  std::vector<Spelled> words;
  size_t others = 0;
  for (size_t at = 0; at < question.size();) {
    const size_t begin = question.find_first_not_of(" \t\r\n", at);
    if (begin == question.npos) break;
    at = std::min(question.find_first_of(" \t\r\n", begin), question.size());
    const std::string_view text = question.substr(begin, at - begin);
    const Spelled spelled = ReadSpelled(text);
    const std::string lowered = InLowerCase(spelled.name.empty() ? text : spelled.name);
    const bool says_little = IsStopWord(lowered) || std::ranges::find(kDefinitionWords, lowered) !=
                                                        std::end(kDefinitionWords);
    if (says_little && !spelled.is_marked) continue;
    ++others;
    if (!spelled.name.empty()) words.push_back(spelled);
  }
  std::vector<AskedName> names;
  for (const Spelled& word : words) {
    const bool alone = others == 1;
    if (word.name.size() < kLeastBytes || names.size() == kMostNames) continue;
    if (!alone && !word.is_marked && !LooksLikeName(word.name, capitals_say_little)) continue;
    AskedName asked{std::string(word.name), alone};
    if (std::ranges::find(names, asked) == names.end()) names.push_back(std::move(asked));
  }
  return names;
}

}  // namespace recall
