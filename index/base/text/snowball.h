#pragma once

#include <string>
#include <string_view>

namespace recall {

// The stem of a folded word (fold.h) of Cyrillic, Greek, Arabic or Devanagari letters, by the
// Snowball stemmer of Russian, Greek, Arabic or Hindi (M. F. Porter, "Snowball: a language for
// stemming algorithms", 2001):
//   столицы -> столиц   ποταμών -> ποταμ
// Endings of Russian have й, which folding makes и: it may be kept in the word, and is и in the
// stem. Empty for other words. Safe to use from several threads.
std::string SnowballStem(std::u32string_view folded);

// Whether words of a language with Latin letters (ISO 639-1) have stems. English has none here: the
// tokens of `body` are its stems.
bool HasLanguageStems(std::string_view language);

// The token of the stem of a word as it is written, in such a language, without diacritics:
//   Häuser, "de" -> haus   evlerimizden, "tr" -> ev
// Empty for a word with other letters than Latin ones. Requires: HasLanguageStems(language). Safe
// to use from several threads.
std::string LanguageStem(std::string_view language, std::u32string_view raw);

}  // namespace recall
