#pragma once

#include <string_view>

namespace recall {

// Requires: no argument is empty. No language is asked for: marks of ASCII and of wide scripts.

// True for a token after which a sentence ends: "end.", "end.)" and their like in other scripts.
// An abbreviation looks the same.
bool EndsSentence(std::string_view token);

// True when the piece of a token ends a sentence inside it: there "." and its like are parts of
// numbers and names.
bool EndsStatement(std::string_view piece);

// True when the piece of a token ends at a comma, a colon or a closing bracket.
bool EndsPhrase(std::string_view piece);

}  // namespace recall
