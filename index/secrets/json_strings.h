#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

// Maps a string of a JSON text. `name`: that of the member whose value the string is; of the
// elements of a list, that of the list; of a member "value" beside a member "name" or "key", the
// value of that; "" for others and for names of members.
using MapJsonString = std::function<std::string(std::string_view name, std::string_view text)>;

// Returns: the JSON text with each of its strings, and the names of members, mapped. Whatever is
// the same keeps its bytes. nullopt: it is no JSON object or list.
std::optional<std::string> MapJsonStrings(std::string_view json, const MapJsonString& map);

}  // namespace recall
