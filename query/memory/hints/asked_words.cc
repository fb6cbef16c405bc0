// Which words of a prompt, or of the output of a command, a memory is asked for.

#include "query/memory/hints/asked_words.h"

#include <algorithm>
#include <set>
#include <vector>

#include "index/base/text/folded_words.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/utf8.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr size_t kMostHalfBytes = 1000;
constexpr size_t kMostErrorLines = 6;
constexpr size_t kMostErrorLineBytes = 200;
constexpr size_t kLastLines = 3;

// Sorted.
constexpr std::string_view kConversation[] = {
    "ahead",   "alright",    "amazing",    "anything",  "awesome",   "back",    "better",
    "bye",     "carry",      "come",       "continue",  "cool",      "correct", "done",
    "else",    "everything", "exactly",    "excellent", "fine",      "first",   "get",
    "give",    "go",         "going",      "good",      "great",     "happy",   "hello",
    "help",    "hey",        "hi",         "hmm",       "keep",      "know",    "later",
    "let",     "lets",       "like",       "look",      "looks",     "make",    "maybe",
    "mean",    "much",       "need",       "never",     "next",      "nice",    "nope",
    "nothing", "now",        "ok",         "okay",      "one",       "option",  "perfect",
    "please",  "pls",        "proceed",    "put",       "really",    "retry",   "right",
    "say",     "second",     "see",        "show",      "something", "sorry",   "sound",
    "sounds",  "still",      "stop",       "sure",      "take",      "tell",    "thank",
    "thanks",  "thing",      "things",     "think",     "third",     "thx",     "try",
    "two",     "understand", "understood", "wait",      "want",      "way",     "well",
    "work",    "worked",     "works",      "wow",       "wrong",     "yeah",    "yep",
    "yes",     "yet",        "yup"};
static_assert(std::ranges::is_sorted(kConversation));

// What lines about a failure have, in lower case.
constexpr std::string_view kMarksOfErrors[] = {
    "error",      "fail",      "exception",  "fatal",   "panic",        "cannot",      "can't",
    "could not",  "undefined", "unresolved", "denied",  "not found",    "no such",     "invalid",
    "unexpected", "refused",   "timed out",  "timeout", "segmentation", "abort",       "assert",
    "traceback",  "mismatch",  "conflict",   "missing", "unknown",      "unsupported", "killed"};

bool IsNumber(std::string_view word) {
  return std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

bool SaysSomething(std::string_view word) {
  return word.size() > 1 && !IsNumber(word) && !IsStopWord(word) && !IsContraction(word) &&
         !IsWordOfConversation(word);
}

std::string AsciiInLowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ToAsciiLower(c);
  return lower;
}

// Whether a letter, a digit or a part of a longer character is there. `at` may be beyond an end.
bool HasNameAt(std::string_view text, size_t at) {
  if (at >= text.size()) return false;
  const char c = text[at];
  return IsAsciiAlnum(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
}

// Whether the word text[begin, end) is a part of a name: "go.mod", "look-ahead", "next2".
bool IsPartOfLongerName(std::string_view text, size_t begin, size_t end) {
  constexpr std::string_view kJoints = "-_./'";
  const auto joins = [&](size_t at) {
    return at < text.size() && kJoints.find(text[at]) != kJoints.npos;
  };
  // Before the beginning of the text, positions wrap around, and are beyond its end.
  return HasNameAt(text, begin - 1) || HasNameAt(text, end) ||
         (joins(begin - 1) && HasNameAt(text, begin - 2)) ||
         (joins(end) && HasNameAt(text, end + 1));
}

std::string WithoutConversation(std::string_view text) {
  std::string rest;
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    while (end < text.size() && IsAsciiLetter(text[end])) ++end;
    const std::string_view word = text.substr(at, std::max<size_t>(end - at, 1));
    const bool is_left_out = end > at && IsWordOfConversation(AsciiInLowerCase(word)) &&
                             !IsPartOfLongerName(text, at, end);
    if (!is_left_out) rest += word;
    at += word.size();
  }
  return rest;
}

bool NamesError(std::string_view line) {
  const std::string lower = AsciiInLowerCase(line);
  return std::ranges::any_of(
      kMarksOfErrors, [&](std::string_view mark) { return lower.find(mark) != std::string::npos; });
}

std::vector<std::string_view> FilledLines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin != line.npos) lines.push_back(line.substr(begin));
  }
  return lines;
}

}  // namespace

std::string SearchedPart(std::string_view prompt) {
  if (prompt.size() <= 2 * kMostHalfBytes) return WithoutConversation(prompt);
  const std::string_view head = prompt.substr(0, FloorToCharacter(prompt, kMostHalfBytes));
  const size_t tail = FloorToCharacter(prompt, prompt.size() - kMostHalfBytes);
  return WithoutConversation(head) + "\n" + WithoutConversation(prompt.substr(tail));
}

bool IsWordOfConversation(std::string_view word) {
  return std::ranges::binary_search(kConversation, word);
}

size_t CountSubjectWords(std::string_view text) {
  std::set<std::string> words;
  FoldedWordReader reader;
  reader.Read(text);
  while (reader.Next()) {
    if (SaysSomething(reader.word())) words.emplace(reader.word());
  }
  return words.size();
}

bool IsCommandOfAssistant(std::string_view prompt) {
  const size_t begin = prompt.find_first_not_of(" \t\r\n");
  if (begin == prompt.npos || prompt[begin] != '/') return false;
  const std::string_view name =
      prompt.substr(begin + 1, prompt.find_first_of(" \t\r\n", begin) - begin - 1);
  // "/etc/hosts" is a path.
  return !name.empty() && name.find('/') == name.npos;
}

std::string ErrorLinesOf(std::string_view output) {
  const std::vector<std::string_view> lines = FilledLines(output);
  std::vector<std::string_view> chosen;
  for (const std::string_view line : lines) {
    if (chosen.size() == kMostErrorLines) break;
    const bool again = std::ranges::find(chosen, line) != chosen.end();
    if (!again && NamesError(line)) chosen.push_back(line);
  }
  if (chosen.empty()) {
    const size_t first = lines.size() - std::min(lines.size(), kLastLines);
    chosen.assign(lines.begin() + static_cast<ptrdiff_t>(first), lines.end());
  }
  std::string text;
  for (const std::string_view line : chosen) {
    text += std::string(line.substr(0, FloorToCharacter(line, kMostErrorLineBytes))) + "\n";
  }
  return text;
}

}  // namespace recall
