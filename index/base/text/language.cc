// Which language a text is in.
//
// Problem. Stemmers need the language of a document, and nothing names it. Detection must not cost
// more than a small part of the ingest, must not change between machines, and should rather say
// nothing than something wrong: code, logs and lists of names have no language.
//
// Idea. A third to a half of the words of a text are function words, and few of them are words of
// several languages. Each occurrence counts for the languages that have the word, more if these are
// few; so does a word with a letter that few languages have. The best language must have a share of
// all words, several different words, and, against each other language, most of the words that only
// one of both has. So a text in two languages has none, and Danish is told from Norwegian by the
// words that differ. Scripts other than Latin are told by their letters.
//
//   text --up to 32 pieces of 128 bytes--> words --hash table--> sets of languages --> Decide
//
// Most texts are decided by the first four pieces. Words that are joined to other characters, as in
// identifiers, paths and addresses, and words in capitals are no function words, but count as
// words.
//
// Cost: about 10 nanoseconds a word; 1 to 2 microseconds for a text in one language.

#include "index/base/text/language.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "index/base/text/case_fold.h"
#include "index/base/text/language_words.h"
#include "index/base/text/utf8.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr size_t kPieceBytes = 128;
constexpr size_t kPieces = 32;
constexpr size_t kFirstPieces = 4;  // are looked at, at least
// Until all pieces were looked at, the words of one language must be clearly more.
constexpr uint32_t kTimesOfSome = 3;
constexpr uint32_t kTimesOfAll = 2;
constexpr size_t kMaxWordBytes = 14;  // of a function word of a-z

using LanguageSet = uint64_t;

template <typename Visit>
void ForEachLanguage(LanguageSet languages, Visit visit) {
  for (; languages != 0; languages &= languages - 1) {
    visit(static_cast<size_t>(std::countr_zero(languages)));
  }
}

uint64_t HashFunctionWord(std::string_view word) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : word) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash ^ hash >> 32;
}

// Differs from the hash of every word.
uint64_t HashLetter(uint32_t letter) { return letter; }

// The function words and letters of all languages: open addressing, half full at most.
class WordTable final {
 public:
  static const WordTable& Get() {
    static const WordTable table;
    return table;
  }

  // The languages that have the word, or the letter; 0 if none has.
  LanguageSet Find(uint64_t hash) const {
    for (size_t slot = hash & (kSlots - 1);; slot = (slot + 1) & (kSlots - 1)) {
      if (slots_[slot].hash == hash || slots_[slot].languages == 0) return slots_[slot].languages;
    }
  }

 private:
  static constexpr size_t kSlots = 4096;
  struct Slot {
    uint64_t hash = 0;
    LanguageSet languages = 0;
  };

  WordTable() : slots_(kSlots) {
    LanguageSet language = 1;
    for (const LanguageWords& each : LatinLanguages()) {
      for (size_t begin = 0, end; begin < each.words.size(); begin = end + 1) {
        end = std::min(each.words.find(' ', begin), each.words.size());
        Add(HashFunctionWord(each.words.substr(begin, end - begin)), language);
      }
      language <<= 1;
    }
    for (const LetterOfLanguages& each : LettersOfLanguages()) {
      for (size_t begin = 0; begin < each.codes.size(); begin += 3) {
        Add(HashLetter(each.letter), LanguageSet{1} << NumberOf(each.codes.substr(begin, 2)));
      }
    }
  }

  static size_t NumberOf(std::string_view code) {
    const auto row = std::ranges::find(LatinLanguages(), code, &LanguageWords::code);
    return static_cast<size_t>(row - LatinLanguages().begin());
  }

  void Add(uint64_t hash, LanguageSet language) {
    size_t slot = hash & (kSlots - 1);
    while (slots_[slot].languages != 0 && slots_[slot].hash != hash)
      slot = (slot + 1) & (kSlots - 1);
    slots_[slot].hash = hash;
    slots_[slot].languages |= language;
  }

  std::vector<Slot> slots_;
};

// How much an occurrence of a word tells: the fewer languages have it, the more.
uint32_t WeightOf(LanguageSet languages, size_t letters) {
  if (letters == 1) return 1;
  switch (std::popcount(languages)) {
    case 1:
      return 4;
    case 2:
      return 3;
    case 3:
    case 4:
      return 2;
    default:
      return 1;
  }
}

enum LanguageScript : size_t {
  kCyrillicScript,
  kGreekScript,
  kArabicScript,
  kHebrewScript,
  kDevanagariScript,
  kThaiScript,
  kHangulScript,
  kKanaScript,
  kHanScript,
  kLanguageScripts
};

std::optional<LanguageScript> LanguageScriptOf(uint32_t c) {
  const auto in = [c](uint32_t first, uint32_t last) { return c >= first && c <= last; };
  if (in(0x370, 0x3FF) || in(0x1F00, 0x1FFF)) return kGreekScript;
  if (in(0x400, 0x52F)) return kCyrillicScript;
  if (in(0x590, 0x5FF)) return kHebrewScript;
  if (in(0x600, 0x6FF) || in(0xFB50, 0xFDFF) || in(0xFE70, 0xFEFE)) return kArabicScript;
  if (in(0x900, 0x97F)) return kDevanagariScript;
  if (in(0xE00, 0xE7F)) return kThaiScript;
  if (in(0x1100, 0x11FF) || in(0xAC00, 0xD7A3)) return kHangulScript;
  if (in(0x3040, 0x30FF)) return kKanaScript;
  if (in(0x3400, 0x9FFF) || in(0x20000, 0x3FFFF)) return kHanScript;
  return std::nullopt;
}

// Classes of bytes.
enum class LanguageByte : uint8_t { kOther, kDigit, kJoining, kDivides, kLower, kUpper, kHigh };
constexpr std::array<LanguageByte, 256> MakeLanguageBytes() {
  std::array<LanguageByte, 256> classes{};
  for (size_t i = 0; i < classes.size(); ++i) {
    const char c = static_cast<char>(i);
    classes[i] = i >= 0x80         ? LanguageByte::kHigh
                 : IsAsciiLower(c) ? LanguageByte::kLower
                 : IsAsciiUpper(c) ? LanguageByte::kUpper
                 : IsAsciiDigit(c) ? LanguageByte::kDigit
                                   : LanguageByte::kOther;
  }
  for (const char c : std::string_view("_/\\@#$=<>{}[]*^~|&%+")) {
    classes[static_cast<uint8_t>(c)] = LanguageByte::kJoining;
  }
  for (const char c : std::string_view(".-:("))
    classes[static_cast<uint8_t>(c)] = LanguageByte::kDivides;
  return classes;
}
constexpr std::array<LanguageByte, 256> kLanguageBytes = MakeLanguageBytes();
LanguageByte LanguageByteOf(char c) { return kLanguageBytes[static_cast<uint8_t>(c)]; }

bool IsNoLetter(uint32_t c) {
  return c < 0xC0 || c == 0xD7 || c == 0xF7 || (c >= 0x2000 && c <= 0x2BFF) ||
         (c >= 0x3000 && c <= 0x303F) || c >= 0xFE00;
}

// Whether the character before a word, or the characters after it, make it a part of something
// that is no prose.
bool IsPartOfCode(std::string_view text, size_t begin, size_t end) {
  const auto class_at = [text](size_t at) {
    return at < text.size() ? LanguageByteOf(text[at]) : LanguageByte::kOther;
  };
  const auto joins = [](LanguageByte next, LanguageByte after) {
    if (next == LanguageByte::kDigit || next == LanguageByte::kJoining) return true;
    return next == LanguageByte::kDivides &&
           (after == LanguageByte::kDigit || after == LanguageByte::kLower ||
            after == LanguageByte::kUpper);
  };
  return joins(class_at(begin - 1), class_at(begin - 2)) || joins(class_at(end), class_at(end + 1));
}

// What was counted in a text.
class LanguageCount final {
 public:
  LanguageCount() { found_.reserve(kPieceBytes); }

  // Adds a piece of text.
  void Add(std::string_view text);
  // The language of all pieces; "" if there is none. `times`: how often its own words must occur
  // for each word of another language.
  std::string_view Decide(uint32_t times) const;
  // By language, in the order of LatinLanguages.
  std::vector<uint32_t> Scores() const;

 private:
  struct Found {
    uint64_t hash;
    LanguageSet languages;
    uint32_t weight;
  };

  size_t EndOfWord(std::string_view text, size_t at);
  void AddWord(std::string_view word, bool joined);
  std::string_view LanguageByScript() const;
  size_t CountOf(std::u32string_view letters) const;
  bool IsConvincing(size_t best, std::span<const uint32_t> scores, uint32_t times) const;

  uint32_t words_ = 0;
  size_t latin_ = 0;                                   // bytes of words
  std::array<size_t, kLanguageScripts> scripts_ = {};  // letters of other scripts
  std::u32string others_;                              // these letters
  std::vector<Found> found_;
};

// Returns: `at` if no word of Latin letters begins there. Counts letters of other scripts.
size_t LanguageCount::EndOfWord(std::string_view text, size_t at) {
  for (; at < text.size();) {
    const LanguageByte of = LanguageByteOf(text[at]);
    if (of == LanguageByte::kLower || of == LanguageByte::kUpper) {
      ++at;
      continue;
    }
    if (of != LanguageByte::kHigh) return at;
    size_t next = at;
    const uint32_t c = DecodeUtf8(text, &next);
    if (IsNoLetter(c) || LanguageScriptOf(c)) return at;
    at = next;
  }
  return at;
}

void LanguageCount::Add(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t end = EndOfWord(text, at);
    if (end > at) {
      AddWord(text.substr(at, end - at), IsPartOfCode(text, at, end));
      at = end;
      continue;
    }
    if (LanguageByteOf(text[at]) != LanguageByte::kHigh) {
      ++at;
      continue;
    }
    const uint32_t c = DecodeUtf8(text, &at);
    if (const auto script = LanguageScriptOf(c)) {
      ++scripts_[*script];
      others_.push_back(c);
    }
  }
}

void LanguageCount::AddWord(std::string_view word, bool joined) {
  ++words_;
  latin_ += word.size();
  if (joined) return;
  bool is_ascii = true;
  for (size_t i = 0; i < word.size(); ++i) {
    const LanguageByte of = LanguageByteOf(word[i]);
    // Capitals after the first letter are those of names and of constants.
    if (of == LanguageByte::kUpper && i > 0) return;
    is_ascii = is_ascii && of != LanguageByte::kHigh;
  }
  if (is_ascii && word.size() > kMaxWordBytes) return;
  const WordTable& table = WordTable::Get();
  std::string lower;
  if (is_ascii) {
    lower = word;
    lower.front() = ToAsciiLower(lower.front());
  } else {
    FoldCaseAppend(word, &lower);
  }
  uint64_t hash = HashFunctionWord(lower);
  if (const LanguageSet languages = table.Find(hash)) {
    size_t first = 0;
    DecodeUtf8(lower, &first);
    found_.push_back({hash, languages, WeightOf(languages, first == lower.size() ? 1 : 2)});
    return;
  }
  if (is_ascii) return;
  for (size_t at = 0; at < lower.size();) {
    const uint32_t c = DecodeUtf8(lower, &at);
    const LanguageSet languages = c < 0x80 ? 0 : table.Find(hash = HashLetter(c));
    if (languages == 0) continue;
    found_.push_back({hash, languages, std::popcount(languages) == 1 ? 2U : 1U});
    return;
  }
}

size_t LanguageCount::CountOf(std::u32string_view letters) const {
  return static_cast<size_t>(std::ranges::count_if(
      others_, [letters](char32_t c) { return letters.find(c) != letters.npos; }));
}

// The language of a text whose letters are mostly not Latin; "" if they are.
std::string_view LanguageCount::LanguageByScript() const {
  // A syllable or a Han character stands for two letters or more.
  constexpr size_t kLeastLetters = 20;
  constexpr size_t kSyllable = 3;
  const size_t east = scripts_[kHangulScript] + scripts_[kKanaScript] + scripts_[kHanScript];
  const size_t alphabets = others_.size() - east;
  if (alphabets + kSyllable * east < std::max(latin_, kLeastLetters)) return {};
  const auto most = static_cast<size_t>(std::ranges::max_element(scripts_) - scripts_.begin());
  if (scripts_[most] * 2 < others_.size()) return {};
  // A letter of a name does not tell.
  const auto has = [&](std::u32string_view letters) {
    return CountOf(letters) * 100 > others_.size();
  };
  switch (most) {
    case kCyrillicScript:
      if (has(U"ђјљњћџѓќ")) return CountOf(U"ѓќѕ") > 0 ? "mk" : "sr";
      if (has(U"ў")) return "be";
      if (has(U"іїєґ")) return "uk";
      return CountOf(U"ыэё") > 0 || CountOf(U"ъ") == 0 ? "ru" : "bg";
    case kGreekScript:
      return "el";
    case kArabicScript:
      if (CountOf(U"ٹڈڑے") > 0) return "ur";
      return CountOf(U"پچژگی") > 0 ? "fa" : "ar";
    case kHebrewScript:
      return "he";
    case kDevanagariScript:
      return "hi";
    case kThaiScript:
      return "th";
    case kHangulScript:
      return "ko";
    default:
      // Japanese has kana between its Han characters.
      return scripts_[kKanaScript] * 20 > scripts_[kHanScript] ? "ja" : "zh";
  }
}

std::vector<uint32_t> LanguageCount::Scores() const {
  std::vector<uint32_t> scores(LatinLanguages().size());
  for (const Found& found : found_) {
    ForEachLanguage(found.languages, [&](size_t language) { scores[language] += found.weight; });
  }
  return scores;
}

// The words of Croatian and Serbian are nearly the same, and are told by a few.
bool AreNearlyOne(size_t a, size_t b) {
  const auto is_one = [](size_t language) {
    const std::string_view code = LatinLanguages()[language].code;
    return code == "hr" || code == "sr";
  };
  return is_one(a) && is_one(b);
}

// Whether the words of a language are enough of all, and more than those of any other language.
bool LanguageCount::IsConvincing(size_t best, std::span<const uint32_t> scores,
                                 uint32_t times) const {
  constexpr size_t kLeastDifferent = 4;
  constexpr size_t kLeastOfWords = 8;  // one of 8 words
  const LanguageSet own = LanguageSet{1} << best;
  std::vector<uint64_t> different;
  std::vector<uint32_t> both(scores.size());  // words that a language shares with the best
  size_t words = 0;
  for (const Found& found : found_) {
    if ((found.languages & own) == 0) continue;
    ++words;
    ForEachLanguage(found.languages, [&](size_t language) { both[language] += found.weight; });
    if (different.size() < kLeastDifferent &&
        std::ranges::find(different, found.hash) == different.end()) {
      different.push_back(found.hash);
    }
  }
  if (different.size() < kLeastDifferent || words * kLeastOfWords < words_) return false;
  for (size_t other = 0; other < scores.size(); ++other) {
    if (other == best || scores[other] == 0 || AreNearlyOne(best, other)) continue;
    const uint32_t only_own = scores[best] - both[other];
    const uint32_t only_other = scores[other] - both[other];
    if (only_own == 0 || only_other * times > only_own) return false;
  }
  return true;
}

std::string_view LanguageCount::Decide(uint32_t times) const {
  const std::string_view by_script = LanguageByScript();
  if (!by_script.empty() || found_.empty()) return by_script;
  const std::vector<uint32_t> scores = Scores();
  const auto best = static_cast<size_t>(std::ranges::max_element(scores) - scores.begin());
  return IsConvincing(best, scores, times) ? LatinLanguages()[best].code : std::string_view();
}

// The piece of a long text that begins at or after `begin`, without words that it has only a part
// of.
std::string_view SampleAt(std::string_view text, size_t begin) {
  constexpr std::string_view kSpaces = " \n\t";
  if (begin > 0) begin = std::min(text.find_first_of(kSpaces, begin), begin + kPieceBytes);
  begin = std::min(begin, text.size());
  std::string_view piece = text.substr(begin, kPieceBytes);
  if (begin + piece.size() == text.size()) return piece;
  const size_t end = piece.find_last_of(kSpaces);
  return end == piece.npos ? piece : piece.substr(0, end);
}

}  // namespace

std::string_view DetectLanguage(std::string_view text) {
  LanguageCount count;
  if (text.size() <= kPieceBytes * kFirstPieces) {
    count.Add(text);
    return count.Decide(kTimesOfAll);
  }
  // The bits of the number of a piece in reverse, so that the first few are from all of the text.
  const size_t pieces = std::min(kPieces, std::bit_floor(text.size() / kPieceBytes));
  const int bits = std::countr_zero(pieces);
  const size_t stride = text.size() / pieces;
  for (size_t i = 0; i < pieces; ++i) {
    size_t place = 0;
    for (int bit = 0; bit < bits; ++bit) place |= (i >> bit & 1) << (bits - 1 - bit);
    count.Add(SampleAt(text, place * stride));
    if (i + 1 < kFirstPieces || !std::has_single_bit(i + 1)) continue;
    const std::string_view language = count.Decide(i + 1 < pieces ? kTimesOfSome : kTimesOfAll);
    if (!language.empty()) return language;
  }
  return {};
}

std::vector<std::string> LanguagesOfQuestion(std::string_view question,
                                             std::span<const std::string> languages) {
  LanguageCount count;
  count.Add(question);
  const std::vector<uint32_t> scores = count.Scores();
  const auto score_of = [&](std::string_view code) {
    const auto row = std::ranges::find(LatinLanguages(), code, &LanguageWords::code);
    return row == LatinLanguages().end()
               ? 0
               : scores[static_cast<size_t>(row - LatinLanguages().begin())];
  };
  uint32_t best = score_of("en");
  for (const std::string& language : languages) best = std::max(best, score_of(language));
  constexpr uint32_t kLeastToTell = 3;
  if (best < kLeastToTell) return {languages.begin(), languages.end()};
  std::vector<std::string> asked;
  for (const std::string& language : languages) {
    if (score_of(language) * 4 >= best * 3) asked.push_back(language);
  }
  return asked;
}

}  // namespace recall
