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

}  // namespace recall
