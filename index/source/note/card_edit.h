#pragma once

#include <string>
#include <string_view>

namespace recall {

// The text of a note with another value of a key of its card, which must be a single line of YAML;
// the rest of the text stays byte for byte. A key that the card lacks is added at its end; a note
// without a card gets one.
std::string WithCardValue(std::string_view note, std::string_view key, std::string_view value);

}  // namespace recall
