#pragma once

// Access to members of JSON that another program may have written.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/show/comparison/comparison.h"

namespace recall {

using RunJson = nlohmann::ordered_json;
struct RunDocument {
  RunJson json;
};

// The member of an object; null if it is absent or `json` is no object.
const RunJson& MemberOf(const RunJson& json, std::string_view name);
std::string TextOf(const RunJson& json, std::string_view name);  // "" if it is no text
std::optional<double> NumberOf(const RunJson& json, std::string_view name);
// The numbers of an array; empty if it is none, or contains anything else.
std::vector<double> NumbersOf(const RunJson& json, std::string_view name);
std::vector<std::string> TextsOf(const RunJson& json, std::string_view name);

// The members that are in one of two objects only, or differ. Objects and arrays in them are left
// out.
void FindSettingChanges(const RunJson& before, const RunJson& after,
                        std::vector<SettingChange>* changes);

}  // namespace recall
