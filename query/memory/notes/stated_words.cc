// Divides a text into sentences, and sentences into words and values.
//
// Problem. "It listens on port 8080." and "it listens on port `9090`" differ in one value, which
// tokens of the index would divide: 8.0.1 is three of them, /etc/hosts two.
//
// Idea. A word ends at white space, `=`, quotes and backticks, without the punctuation around it.
// What is quoted is one word. Then each word gets a kind by its characters alone:
//
//   8080  30s  $5  v1.2  10:30          kNumber   begins with a digit, but for a sign or a "v"
//   2026-05-01  1.5.2026  May           kDate
//   /etc/hosts  user_id  a.cc  "x y"    kName     and Postgres, unless it begins the sentence
//   #12                                 kNone     a label: it tells which, not how much
//
// Cost: linear in the text.

#include "query/memory/notes/stated_words.h"

#include <algorithm>
#include <span>

#include "index/base/text/fold.h"
#include "index/base/text/folded_words.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/utf8.h"
#include "query/ask/passages/passage_units.h"
#include "query/memory/notes/word_stem.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr size_t kMostQuotedBytes = 80;
constexpr std::string_view kBlanksOfText = " \t\r\n";

// Sorted.
constexpr std::string_view kArticles[] = {"a", "an", "the"};
constexpr std::string_view kMonths[] = {
    "apr", "april",   "aug",      "august", "dec",     "december", "feb",  "february",
    "jan", "january", "jul",      "july",   "jun",     "june",     "mar",  "march",
    "may", "nov",     "november", "oct",    "october", "sep",      "sept", "september"};
constexpr std::string_view kNumberUnits[] = {
    "b",       "bytes", "cents", "cm",    "day",    "days",    "degrees", "em",      "euro",
    "euros",   "g",     "gb",    "gib",   "h",      "hour",    "hours",   "kb",      "kg",
    "kib",     "km",    "l",     "m",     "mb",     "mib",     "min",     "mins",    "minute",
    "minutes", "ml",    "mm",    "month", "months", "ms",      "ns",      "percent", "pt",
    "px",      "rem",   "s",     "sec",   "second", "seconds", "secs",    "tb",      "tib",
    "times",   "us",    "usd",   "week",  "weeks",  "year",    "years"};
static_assert(std::ranges::is_sorted(kArticles) && std::ranges::is_sorted(kMonths) &&
              std::ranges::is_sorted(kNumberUnits));

bool IsIn(std::span<const std::string_view> sorted, std::string_view word) {
  return std::ranges::binary_search(sorted, word);
}

bool IsLetterOfWord(char c) {
  return IsAsciiLetter(c) || (static_cast<unsigned char>(c) & 0x80) != 0;
}

// The words of a text, folded and joined by `joint`.
std::string FoldedAs(std::string_view text, char joint) {
  FoldedWordReader reader;
  reader.Read(text);
  std::string folded;
  while (reader.Next()) {
    if (!folded.empty()) folded += joint;
    folded += reader.word();
  }
  return folded;
}

std::string InAsciiLowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = ToAsciiLower(c);
  return lower;
}

// 2026-05-01, 2026-05, 1.5.2026, 5/1/2026, with or without a time behind a T.
bool IsDate(std::string_view word) {
  size_t numbers = 0, digits = 0, longest = 0;
  for (size_t i = 0; i <= word.size(); ++i) {
    if (i < word.size() && IsAsciiDigit(word[i])) {
      ++digits;
      continue;
    }
    if (digits == 0) return false;
    longest = std::max(longest, digits);
    ++numbers;
    digits = 0;
    if (i == word.size() || word[i] == 'T') break;
    if (word[i] != '-' && word[i] != '.' && word[i] != '/') return false;
  }
  const bool with_day = numbers == 3;
  const bool month = numbers == 2 && word.size() == 7 && word[4] == '-';
  return longest == 4 && (with_day || month);
}

// Whether a word has the form of a path or an identifier, as no word of prose has.
bool HasFormOfIdentifier(std::string_view word) {
  if (word.find("::") != word.npos || word.find("()") != word.npos) return true;
  if (word.starts_with("--") || word.starts_with("./") || word.starts_with("~/")) return true;
  if (word.front() == '/' || word.front() == '@') return true;
  if (std::ranges::count(word, '/') > 1) return true;
  for (size_t i = 1; i + 1 < word.size(); ++i) {
    const char before = word[i - 1], c = word[i], after = word[i + 1];
    if (!IsAsciiAlnum(before) || !IsAsciiAlnum(after)) continue;
    if (c == '_' || c == '@') return true;
    if (c == '.' && (i > 1 || i + 2 < word.size())) return true;
    if (IsAsciiUpper(c) && !IsAsciiUpper(before) && IsAsciiLetter(before)) return true;
  }
  return false;
}

ValueKind KindOfValue(std::string_view word) {
  if (IsDate(word)) return ValueKind::kDate;
  size_t first = 0;
  while (first < word.size() && !IsAsciiAlnum(word[first])) ++first;
  if (first == word.size() || word[0] == '#') return ValueKind::kNone;
  const bool version = (word[first] | 0x20) == 'v' && first + 1 < word.size();
  if (IsAsciiDigit(word[first]) || (version && IsAsciiDigit(word[first + 1]))) {
    return ValueKind::kNumber;
  }
  const bool has_digit = std::ranges::any_of(word, [](char c) { return IsAsciiDigit(c); });
  return has_digit || HasFormOfIdentifier(word) ? ValueKind::kName : ValueKind::kNone;
}

// A value without what is only its spelling: thousands, the v of a version, case.
std::string ComparedValue(std::string_view word, ValueKind kind) {
  std::string value = InAsciiLowerCase(word);
  if (kind != ValueKind::kNumber) return value;
  std::erase(value, '~');
  if (value.starts_with('v')) value.erase(0, 1);
  for (size_t i = 1; i + 3 < value.size(); ++i) {
    const bool thousands = (value[i] == ',' || value[i] == '_') && IsAsciiDigit(value[i - 1]) &&
                           IsAsciiDigit(value[i + 1]) && IsAsciiDigit(value[i + 2]) &&
                           IsAsciiDigit(value[i + 3]);
    if (thousands) value.erase(i, 1);
  }
  return value;
}

// Whether a word begins with a capital letter, of any script that has them.
bool IsCapitalised(std::string_view word) {
  size_t at = 0;
  return CaseOf(DecodeUtf8(word, &at)) == LetterCase::kUpper;
}

class WordReader final {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  std::vector<StatedWord> Read() {
    while (words_.size() < kMostStatedWords) {
      at_ = std::min(text_.find_first_not_of(kBlanksOfText, at_), text_.size());
      if (at_ == text_.size()) break;
      if (!TakeQuoted()) TakeRun();
    }
    // What follows a colon begins a sentence, or is the whole of what is said: "Owner: Anna".
    for (const size_t word : behind_colons_) {
      if (word + 1 < words_.size() && words_[word].is_capitalised) words_[word].drop = true;
    }
    std::vector<StatedWord> read;
    for (Found& found : words_) {
      if (found.is_capitalised && !found.drop) found.word.value = ValueKind::kName;
      if (!IsIn(kArticles, found.word.folded)) read.push_back(std::move(found.word));
    }
    return read;
  }

 private:
  struct Found {
    StatedWord word;
    bool is_capitalised = false;
    bool drop = false;  // it is capitalised because of its place
  };

  // Takes what is between quotes or backticks, if that begins here.
  bool TakeQuoted() {
    static constexpr struct {
      std::string_view open, close;
    } kQuotes[] = {{"`", "`"}, {"\"", "\""}, {"\u201c", "\u201d"}, {"\u201e", "\u201c"}};
    for (const auto& [open, close] : kQuotes) {
      if (!text_.substr(at_).starts_with(open)) continue;
      const size_t begin = at_ + open.size();
      const size_t end = text_.find(close, begin);
      if (end == text_.npos || end == begin || end - begin > kMostQuotedBytes) continue;
      const std::string_view inner = text_.substr(begin, end - begin);
      StatedWord word;
      word.folded = FoldedAs(inner, ' ');
      word.value = KindOfValue(inner);
      const bool is_number = word.value == ValueKind::kNumber || word.value == ValueKind::kDate;
      if (!is_number) word.value = ValueKind::kName;
      word.compared = ComparedValue(inner, word.value);
      Add(std::move(word), at_, end + close.size());
      at_ = end + close.size();
      return true;
    }
    return false;
  }

  void TakeRun() {
    size_t end = at_ + 1;
    while (end < text_.size() && kBlanksOfText.find(text_[end]) == kBlanksOfText.npos &&
           text_[end] != '=' && text_[end] != '`' && text_[end] != '"') {
      ++end;
    }
    const size_t from = at_;
    at_ = end;
    if (end < text_.size() && text_[end] == '=') ++at_;
    constexpr std::string_view kBefore = "([{<*_,;:!?'\"`=>|";
    constexpr std::string_view kBehind = ")]}>*_,;:!?.'\"`=|";
    const std::string_view run = text_.substr(from, end - from);
    const bool colon = run.back() == ':' || run.back() == '=' || at_ > end;
    const size_t skip = std::min(run.find_first_not_of(kBefore), run.size());
    const size_t last = run.find_last_not_of(kBehind);
    if (skip < run.size() && last != run.npos && last >= skip) {
      // "f()" keeps its brackets.
      const bool call = run.substr(last + 1).starts_with("()");
      AddRun(from + skip, from + last + 1 + (call ? 2 : 0));
    }
    after_colon_ = colon;
  }

  void AddRun(size_t begin, size_t end) {
    const std::string_view run = text_.substr(begin, end - begin);
    const auto is_of_word = [](char c) { return IsAsciiDigit(c) || IsLetterOfWord(c); };
    if (std::ranges::none_of(run, is_of_word)) return;
    for (const std::string_view negated : {"n't", "n\u2019t"}) {
      if (!InAsciiLowerCase(run).ends_with(negated) || run.size() == negated.size()) continue;
      std::string verb = InAsciiLowerCase(run.substr(0, run.size() - negated.size()));
      if (verb == "ca") verb = "can";
      if (verb == "wo") verb = "will";
      AddPlain(verb, begin, end);
      AddPlain("not", begin, end);
      return;
    }
    if (InAsciiLowerCase(run) == "cannot") {
      AddPlain("can", begin, end);
      AddPlain("not", begin, end);
      return;
    }
    StatedWord word;
    word.value = KindOfValue(run);
    const bool is_plain = word.value == ValueKind::kNone;
    word.folded = FoldedAs(run, is_plain ? '-' : ' ');
    if (word.folded.empty()) return;
    word.compared = is_plain ? StemOfWord(word.folded) : ComparedValue(run, word.value);
    word.is_unit = is_plain && IsIn(kNumberUnits, word.folded);
    const bool month = is_plain && IsCapitalised(run) && IsIn(kMonths, word.folded);
    if (month) word.value = ValueKind::kDate;
    const bool capital = is_plain && !month && IsCapitalised(run) && !IsStopWord(word.folded);
    Add(std::move(word), begin, end, capital && !words_.empty());
  }

  void AddPlain(const std::string& folded, size_t begin, size_t end) {
    StatedWord word;
    word.folded = folded;
    word.compared = StemOfWord(folded);
    Add(std::move(word), begin, end);
  }

  void Add(StatedWord word, size_t begin, size_t end, bool is_capitalised = false) {
    word.begin = begin;
    word.end = end;
    if (after_colon_) behind_colons_.push_back(words_.size());
    after_colon_ = false;
    words_.push_back({std::move(word), is_capitalised, false});
  }

  std::string_view text_;
  size_t at_ = 0;
  bool after_colon_ = false;
  std::vector<Found> words_;
  std::vector<size_t> behind_colons_;
};

// Without the mark of a heading, of an item or of a quotation.
std::string_view WithoutMark(std::string_view text) {
  for (;;) {
    const size_t begin = std::min(text.find_first_not_of(kBlanksOfText), text.size());
    text.remove_prefix(begin);
    size_t mark = 0;
    while (mark < text.size() && IsAsciiDigit(text[mark])) ++mark;
    const bool numbered = mark > 0 && mark < 4 && mark + 1 < text.size() &&
                          (text[mark] == '.' || text[mark] == ')') && text[mark + 1] == ' ';
    if (numbered) {
      text.remove_prefix(mark + 1);
      continue;
    }
    const size_t marks = std::min(text.find_first_not_of("#>-*+"), text.size());
    const bool marked = marks > 0 && (marks == text.size() || text[marks] == ' ');
    if (!marked) return text;
    text.remove_prefix(marks);
  }
}

// Where a sentence ends that begins at `begin`: behind a full stop and white space.
size_t EndOfSentence(std::string_view text, size_t begin) {
  for (size_t i = begin; i + 1 < text.size(); ++i) {
    const bool stops = text[i] == '.' || text[i] == '!' || text[i] == '?' || text[i] == ';';
    if (stops && kBlanksOfText.find(text[i + 1]) != kBlanksOfText.npos) return i + 1;
  }
  return text.size();
}

// Whether a text begins with the fence of a block of code.
bool IsFence(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanksOfText), text.size()));
  return text.starts_with("```") || text.starts_with("~~~");
}

}  // namespace

bool StatedWord::IsContent() const {
  return value == ValueKind::kNone && !is_unit && !IsStopWord(folded);
}

NoteSentence ReadSentence(std::string_view text) {
  NoteSentence sentence;
  sentence.text = WithoutMark(text);
  const size_t last = sentence.text.find_last_not_of(kBlanksOfText);
  sentence.text.resize(last == std::string::npos ? 0 : last + 1);
  std::ranges::replace(sentence.text, '\n', ' ');
  sentence.words = WordReader(sentence.text).Read();
  return sentence;
}

std::vector<NoteSentence> ReadSentences(std::string_view markdown) {
  std::vector<NoteSentence> sentences;
  for (const PassageUnit& unit : CutPassageUnits(markdown, false, false)) {
    const std::string_view text = markdown.substr(unit.start, unit.end - unit.start);
    const bool is_code = IsFence(text);
    for (size_t begin = 0; begin < text.size();) {
      const size_t end = is_code ? std::min(text.find('\n', begin), text.size() - 1) + 1
                                 : EndOfSentence(text, begin);
      const std::string_view part = text.substr(begin, end - begin);
      begin = end;
      if (is_code && IsFence(part)) continue;
      NoteSentence sentence = ReadSentence(part);
      if (sentence.words.empty()) continue;
      sentences.push_back(std::move(sentence));
      if (sentences.size() == kMostSentences) return sentences;
    }
  }
  return sentences;
}

}  // namespace recall
