#include "query/memory/notes/context_json.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace recall {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kMembers =
    "members are situation, solution, what_failed, error_messages, files, trigger_keywords";

Status Invalid(std::string message) {
  return Status::InvalidArgument("the context of the note: " + std::move(message),
                                 std::string(kMembers));
}

Result<std::vector<std::string>> Strings(const std::string& name, const Json& value) {
  std::vector<std::string> strings;
  if (value.is_null()) return strings;
  if (value.is_string()) {
    strings.push_back(value.get<std::string>());
    return strings;
  }
  if (!value.is_array()) return Fail(Invalid(name + " is neither a string nor a list of strings"));
  for (const Json& item : value) {
    if (!item.is_string()) return Fail(Invalid(name + " has an item that is not a string"));
    strings.push_back(item.get<std::string>());
  }
  return strings;
}

std::string Lines(const std::vector<std::string>& strings) {
  std::string lines;
  for (const std::string& line : strings) lines.append(lines.empty() ? "" : "\n").append(line);
  return lines;
}

}  // namespace

Result<NoteContext> ParseNoteContext(std::string_view json) {
  const Json object = Json::parse(json, nullptr, /*allow_exceptions=*/false);
  if (!object.is_object()) return Fail(Invalid("it is not a JSON object"));
  NoteContext context;
  for (const auto& [name, value] : object.items()) {
    RECALL_ASSIGN(std::vector<std::string> strings, Strings(name, value));
    if (name == "situation") {
      context.situation = Lines(strings);
    } else if (name == "solution") {
      context.solution = Lines(strings);
    } else if (name == "what_failed") {
      context.what_failed = Lines(strings);
    } else if (name == "error_messages") {
      context.error_messages = std::move(strings);
    } else if (name == "files") {
      context.files = std::move(strings);
    } else if (name == "trigger_keywords") {
      context.trigger_keywords = std::move(strings);
    } else {
      return Fail(Invalid("unknown member '" + name + "'"));
    }
  }
  return context;
}

}  // namespace recall
