// The stemmers of libstemmer, chosen by script.
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

#include "index/base/text/token_limits.h"
#include "index/base/text/utf8.h"
#include "storage/base/check.h"

namespace recall {
namespace {

struct FreeStemmer {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};

// A language, and the letters that its words are of, after case folding.
struct Language {
  const char* name;
  char32_t first;
  char32_t last;
};
constexpr auto kLanguages = std::to_array<Language>({
    {"russian", 0x430, 0x451},
    {"greek", 0x386, 0x3CE},
    {"arabic", 0x621, 0x655},
    {"hindi", 0x901, 0x97D},
});

sb_stemmer* StemmerOf(size_t language) {
  thread_local std::array<std::unique_ptr<sb_stemmer, FreeStemmer>, kLanguages.size()> stemmers;
  if (!stemmers[language]) {
    stemmers[language].reset(sb_stemmer_new(kLanguages[language].name, "UTF_8"));
    RECALL_CHECK(stemmers[language] != nullptr);
  }
  return stemmers[language].get();
}

}  // namespace

std::string SnowballStem(std::u32string_view folded) {
  if (folded.empty()) return {};
  const auto language = std::ranges::find_if(kLanguages, [&](const Language& each) {
    return std::ranges::all_of(folded,
                               [&](char32_t c) { return c >= each.first && c <= each.last; });
  });
  if (language == kLanguages.end()) return {};
  std::string word;
  for (const char32_t c : folded) AppendUtf8(c, &word);
  if (word.size() > kMaxTokenBytes) return {};  // its token is cut, and has no forms
  sb_stemmer* const stemmer = StemmerOf(static_cast<size_t>(language - kLanguages.begin()));
  const sb_symbol* const stem = sb_stemmer_stem(
      stemmer, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  RECALL_CHECK(stem != nullptr);
  word.assign(reinterpret_cast<const char*>(stem), static_cast<size_t>(sb_stemmer_length(stemmer)));
  // Folded words have и for й.
  for (size_t at; (at = word.find("й")) != word.npos;) word.replace(at, 2, "и");
  return word;
}

}  // namespace recall
