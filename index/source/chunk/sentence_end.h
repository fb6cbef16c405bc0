#pragma once

#include <string_view>

namespace recall {

// Requires: no argument is empty. The functions are independent of the language: they test
// for the punctuation of ASCII and of scripts with wide characters.

// Whether a sentence ends after the token: "end.", "end.)" and the like in other scripts. An
// abbreviation looks the same.
bool EndsSentence(std::string_view token);

// Whether the piece of a token ends a sentence inside it. There "." and the like are parts of
// numbers and names, and do not count.
bool EndsStatement(std::string_view piece);

// Whether the piece of a token ends at a comma, a colon or a closing bracket.
bool EndsPhrase(std::string_view piece);

}  // namespace recall
