#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace recall {

struct JsonStringPlace {
  // That of the member whose value the string is; of the elements of a list, that of the list; of a
  // member "value" beside a member "name" or "key", the value of that; "" for others and for names
  // of members.
  std::string_view name;
  bool follows_string;  // it is an element of a list, directly behind another string
};

// Maps a string of a JSON text.
using MapJsonString =
    std::function<std::string(const JsonStringPlace& place, std::string_view text)>;

// Returns: the JSON text with each of its strings, and the names of members, mapped. Whatever is
// the same keeps its bytes. nullopt: it is no JSON object or list.
std::optional<std::string> MapJsonStrings(std::string_view json, const MapJsonString& map);

}  // namespace recall
