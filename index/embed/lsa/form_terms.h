#pragma once

#include <string>
#include <string_view>

namespace recall {

// The terms of a text of these stems; spaces separate both. All forms of a word have terms in
// common: those of a word with Hangul are its pieces (index/base/text/word_variants.h), because a
// Korean noun has a form for each particle, and that of a word that SnowballStem stems is its stem.
// Any other word is a term. `buffer` holds the result if it is not `body`. Sets *any, if it is
// given, if a word was replaced.
std::string_view ReplaceForms(std::string_view body, std::string* buffer, bool* any = nullptr);

}  // namespace recall
