#pragma once

#include <string>
#include <string_view>

namespace recall {

// The terms of a text of these stems; spaces separate both. The terms of a word with Hangul are its
// pieces (index/base/text/word_variants.h), which all forms of a noun share; a Korean noun has a
// form for each of its particles. Any other word is a term. `buffer` holds the result if it is not
// `body`. Sets *any, if it is given, if a word was divided.
std::string_view DivideHangul(std::string_view body, std::string* buffer, bool* any = nullptr);

}  // namespace recall
