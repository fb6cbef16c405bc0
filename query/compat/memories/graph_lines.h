#pragma once

// Notes as a graph of entities and relations, in JSON Lines. Each line ends with a newline. The
// reader of these lines is ReadMemoryGraph.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace recall {

// The entity of a note. Its type is the `type` of the card, or "note"; its observations are the
// summary and the list or the paragraphs of the text. `text`: the whole document. `card`: an
// object.
std::string EntityLine(std::string_view name, std::string_view text, const nlohmann::json& card);

std::string RelationLine(std::string_view from, std::string_view to, std::string_view relation);

// Whether an entity has what a card has under this key.
bool IsPartOfEntity(std::string_view key);

}  // namespace recall
