#include "index/base/program/json_line.h"

#include <nlohmann/json.hpp>

namespace recall {

bool IsNestedTooDeep(std::string_view json) {
  constexpr int kMostLevels = 16;
  int level = 0;
  bool in_string = false;
  for (size_t i = 0; i < json.size() && level <= kMostLevels; ++i) {
    const char c = json[i];
    if (in_string) {
      i += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else {
      level += (c == '[' || c == '{' ? 1 : 0) - (c == ']' || c == '}' ? 1 : 0);
    }
  }
  return level > kMostLevels;
}

Result<nlohmann::json> ParseJsonLine(std::string_view line) {
  if (IsNestedTooDeep(line)) return Fail(Status::IoError("it is nested too deep"));
  auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  // This includes NaN and Infinity, which some programs write.
  if (json.is_discarded()) return Fail(Status::IoError("it is not JSON"));
  return json;
}

}  // namespace recall
