#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace recall {

// JSON that keeps its keys in order of insertion, as the published shape has them.
using Json = nlohmann::ordered_json;

// JSON text, the same on every machine: numbers in the shortest form that reads back to the same
// value, bytes that are not UTF-8 as U+FFFD.
std::string DumpPretty(const Json& json);  // two spaces a level, newline at the end
std::string DumpLine(const Json& json);    // one line, newline at the end

}  // namespace recall
