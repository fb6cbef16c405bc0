// The stemmers of libstemmer, chosen by script or by the language of the document.
//
// Problem. In Russian, Greek, Arabic and Hindi a word has dozens of forms, and a question has
// another form than the text.
//
// Idea. Most texts in each of these scripts are of one language whose stemmer libstemmer has. So
// the script decides, and neither texts nor questions need a language. Words of other languages in
// the same script, as of Ukrainian, get stems that conflate fewer forms; letters that the language
// lacks leave a word as it is.
//
// Cost: about 0.3 microseconds a word. A stemmer has scratch memory: one for each thread.

#include "index/base/text/snowball.h"

#include <libstemmer.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>

#include "index/base/text/fold.h"
#include "index/base/text/latin_letters.h"
#include "index/base/text/token_limits.h"
#include "index/base/text/utf8.h"
#include "storage/base/check.h"

namespace recall {
namespace {

struct FreeStemmer {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

// A language, and the letters that its words are of, after case folding.
struct Script {
  const char* name;
  char32_t first;
  char32_t last;
};
constexpr auto kScripts = std::to_array<Script>({
    {"russian", 0x430, 0x451},
    {"greek", 0x386, 0x3CE},
    {"arabic", 0x621, 0x655},
    {"hindi", 0x901, 0x97D},
});

// A language with Latin letters. Croatian and Serbian have one stemmer.
struct LatinLanguage {
  std::string_view code;
  const char* name;
};
constexpr auto kLatinLanguages = std::to_array<LatinLanguage>({
    {"ca", "catalan"},    {"da", "danish"},    {"de", "german"},     {"es", "spanish"},
    {"eu", "basque"},     {"fi", "finnish"},   {"fr", "french"},     {"ga", "irish"},
    {"hr", "serbian"},    {"hu", "hungarian"}, {"id", "indonesian"}, {"it", "italian"},
    {"lt", "lithuanian"}, {"nl", "dutch"},     {"no", "norwegian"},  {"pt", "portuguese"},
    {"ro", "romanian"},   {"sr", "serbian"},   {"sv", "swedish"},    {"tr", "turkish"},
});
static_assert(std::ranges::is_sorted(kLatinLanguages, {}, &LatinLanguage::code));

constexpr size_t kStemmers = kScripts.size() + kLatinLanguages.size();

// `number`: of a script, or, after these, of a language.
sb_stemmer* StemmerOf(size_t number, const char* name) {
  thread_local std::array<std::unique_ptr<sb_stemmer, FreeStemmer>, kStemmers> stemmers;
  if (!stemmers[number]) {
    stemmers[number].reset(sb_stemmer_new(name, "UTF_8"));
    RECALL_CHECK(stemmers[number] != nullptr);
  }
  return stemmers[number].get();
}

std::string StemWith(sb_stemmer* stemmer, const std::string& word) {
  const sb_symbol* const stem = sb_stemmer_stem(
      stemmer, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  RECALL_CHECK(stem != nullptr);
  return {reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(stemmer))};
}

const LatinLanguage* FindLatin(std::string_view code) {
  const auto found = std::ranges::find(kLatinLanguages, code, &LatinLanguage::code);
  return found == kLatinLanguages.end() ? nullptr : &*found;
}

bool IsLatin(char32_t c) { return c < 0x250 || (c >= 0x1E00 && c <= 0x1EFF); }

// A word in lower case, as the stemmer of its language has the letters.
std::u32string LowerWord(std::string_view language, std::u32string_view raw) {
  std::u32string word;
  if (language == "tr") {
    // The capital of dotless i is I, that of i has a dot.
    std::u32string dotted;
    for (const char32_t c : raw) dotted += c == U'I' ? U'ı' : c == U'İ' ? U'i' : c;
    LowerAppend(dotted, &word);
    return word;
  }
  LowerAppend(raw, &word);
  // The stemmer of Romanian has the letters with cedilla, which older charsets have for both.
  if (language == "ro") {
    for (char32_t& c : word) c = c == U'ș' ? U'ş' : c == U'ț' ? U'ţ' : c;
  }
  return word;
}

}  // namespace

std::string SnowballStem(std::u32string_view folded) {
  if (folded.empty()) return {};
  const auto script = std::ranges::find_if(kScripts, [&](const Script& each) {
    return std::ranges::all_of(folded,
                               [&](char32_t c) { return c >= each.first && c <= each.last; });
  });
  if (script == kScripts.end()) return {};
  std::string word;
  for (const char32_t c : folded) AppendUtf8(c, &word);
  if (word.size() > kMaxTokenBytes) return {};  // its token is cut, and has no forms
  const auto number = static_cast<size_t>(script - kScripts.begin());
  word = StemWith(StemmerOf(number, script->name), word);
  // Folded words have и for й.
  for (size_t at; (at = word.find("й")) != word.npos;) word.replace(at, 2, "и");
  return word;
}

bool HasLanguageStems(std::string_view language) { return FindLatin(language) != nullptr; }

std::string LanguageStem(std::string_view language, std::u32string_view raw) {
  if (raw.empty() || !std::ranges::all_of(raw, IsLatin)) return {};
  const LatinLanguage* const latin = FindLatin(language);
  RECALL_CHECK(latin != nullptr);
  std::string word;
  for (const char32_t c : LowerWord(language, raw)) AppendUtf8(c, &word);
  if (word.size() > kMaxTokenBytes) return {};
  const auto number = kScripts.size() + static_cast<size_t>(latin - kLatinLanguages.data());
  const std::string stem = StemWith(StemmerOf(number, latin->name), word);
  std::u32string letters;
  for (size_t at = 0; at < stem.size();) letters.push_back(DecodeUtf8(stem, &at));
  std::u32string folded;
  FoldAppend(letters, &folded);
  std::string token;
  for (const char32_t c : folded) {
    const std::string_view spelled = SpelledInAscii(c);
    if (spelled.empty()) {
      AppendUtf8(c, &token);
    } else {
      token += spelled;
    }
  }
  return token;
}

}  // namespace recall
