#pragma once

#include <string>
#include <string_view>

namespace recall {

// A text of C or C++ in which macros that a parser without a preprocessor cannot place are spaces:
// `class API_EXPORT Widget : public Base {`, `Q_OBJECT`, `FOO_API Item* make(int);`. Every other
// byte is the same, at the same offset; line breaks stay. Any bytes are allowed. Nothing in
// comments, literals and preprocessor lines, and nothing but classes in the bodies of functions, is
// blanked. Deterministic, thread-safe. Cost: linear in the size of the text; memory up to 17 times
// the text for text that is nothing but punctuation, some five times for source code.
std::string BlankMacros(std::string_view text);

}  // namespace recall
