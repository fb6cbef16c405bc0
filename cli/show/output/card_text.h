#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace recall {

// Returns: the bytes of the front matter at the start of a document, closing line included; 0 if
// it has none.
size_t CardLength(std::string_view text);

// Whether the card of a lean answer leaves this key out: related_via, source, confidence.
bool IsLeftOutOfLeanCard(std::string_view key);

// Returns: a card without the keys that a lean answer leaves out; all other lines as they are.
std::string LeanCard(std::string_view card);

}  // namespace recall
