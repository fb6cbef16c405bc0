#include "cli/server/tools/tool_arguments.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "storage/base/from_chars.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

// Reads a whole text as a number.
template <typename Number>
std::optional<Number> ParseNumber(std::string_view text) {
  Number number = 0;
  const auto [end, error] = FromChars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<int64_t> AsInteger(const Json& value) {
  if (value.is_number_integer()) {
    if (value.is_number_unsigned() && value.get<uint64_t>() > INT64_MAX) return std::nullopt;
    return value.get<int64_t>();
  }
  if (value.is_number_float()) {
    const double number = value.get<double>();
    constexpr double kMost = 1e15;  // beyond, not every integer is a double
    if (std::floor(number) != number || std::fabs(number) > kMost) return std::nullopt;
    return static_cast<int64_t>(number);
  }
  if (value.is_string()) return ParseNumber<int64_t>(value.get_ref<const std::string&>());
  return std::nullopt;
}

// The array of a text that is the JSON of one, as some clients send arrays; else the value.
Json ArrayOfText(const Json& value) {
  if (!value.is_string() || !value.get_ref<const std::string&>().starts_with('[')) return value;
  std::optional<Json> parsed = ParseJson(value.get_ref<const std::string&>());
  return parsed && parsed->is_array() ? *std::move(parsed) : value;
}

bool IsArrayOfTexts(const Json& value) {
  return value.is_array() && !value.empty() &&
         std::ranges::all_of(value, [](const Json& item) { return item.is_string(); });
}

Json ConvertTexts(const Json& given) {
  if (const Json value = ArrayOfText(given); IsArrayOfTexts(value)) return value;
  return given.is_string() ? Json::array({given}) : Json();
}

Json ConvertNames(const Json& given) {
  const Json value = ArrayOfText(given);
  if (!IsArrayOfTexts(value)) return given.is_string() ? given : Json();
  std::string names;
  for (const Json& name : value) {
    names += (names.empty() ? "" : ",") + name.get_ref<const std::string&>();
  }
  return names;
}

// Also of a text that is no JSON, whose fault the command explains.
Json ConvertJson(const Json& value) {
  if (value.is_object()) return PrintJson(value);
  return value.is_string() ? value : Json();
}

Json ConvertBool(const Json& value) {
  if (value.is_boolean()) return value;
  if (value == "true" || value == "1" || value == 1) return true;
  if (value == "false" || value == "0" || value == 0) return false;
  return nullptr;
}

// The value in the form of the parameter; null if it has another type.
Json Convert(ParameterType type, const Json& value) {
  switch (type) {
    case ParameterType::kText:
      if (value.is_string()) return value;
      if (value.is_number() || value.is_boolean()) return PrintJson(value);
      return nullptr;
    case ParameterType::kTexts:
      return ConvertTexts(value);
    case ParameterType::kNames:
      return ConvertNames(value);
    case ParameterType::kJson:
      return ConvertJson(value);
    case ParameterType::kInteger:
      if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
      if (const auto integer = AsInteger(value)) return *integer;
      return nullptr;
    case ParameterType::kNumber:
      if (value.is_number()) return value;
      if (value.is_string()) {
        if (const auto number = ParseNumber<double>(value.get_ref<const std::string&>())) {
          return *number;
        }
      }
      return nullptr;
    case ParameterType::kBool:
      return ConvertBool(value);
  }
  return nullptr;
}

// Whether a text, or one of an array, has a character with the code 0, which no command line has.
bool HasZero(const Json& value) {
  if (value.is_array()) return std::ranges::any_of(value, HasZero);
  return value.is_string() && value.get_ref<const std::string&>().find('\0') != std::string::npos;
}

// Some clients send every parameter of a schema, with "" for what is not given.
bool IsEmptyOption(const ToolInfo& tool, std::string_view name, const Json& value) {
  const ToolParameter* const parameter = FindParameter(tool, name);
  return value == "" && (parameter == nullptr || !parameter->required);
}

std::string_view WantedType(ParameterType type) {
  switch (type) {
    case ParameterType::kText:
      return "a text";
    case ParameterType::kTexts:
      return "a text or an array of texts";
    case ParameterType::kNames:
      return "names with commas between them, or an array of names";
    case ParameterType::kJson:
      return "a JSON object, or its text";
    case ParameterType::kInteger:
      return "an integer";
    case ParameterType::kNumber:
      return "a number";
    case ParameterType::kBool:
      return "true or false";
  }
  return "";
}

}  // namespace

ToolFault InvalidToolArgument(std::string message, std::string hint) {
  return {"invalid_argument", std::move(message), std::move(hint)};
}

std::string QuotedForRql(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::optional<ToolFault> ToolArguments::Take(std::string_view given, const Json& value) {
  const ToolParameter* const parameter = FindParameter(*tool_, given);
  if (parameter == nullptr) {
    return InvalidToolArgument(
        "unknown argument '" + std::string(given) + "' of " + std::string(tool_->name),
        tool_->parameters.empty() ? "it has none" : "it has " + ParameterNames(*tool_));
  }
  Json converted = Convert(parameter->type, value);
  if (converted.is_null()) {
    return InvalidToolArgument(
        std::string(given) + " must be " + std::string(WantedType(parameter->type)),
        std::string(parameter->help));
  }
  if (HasZero(converted)) {
    return InvalidToolArgument(std::string(given) + " contains a character with the code 0",
                               "omit it");
  }
  const auto [place, added] = values_.try_emplace(std::string(parameter->name), converted);
  if (!added && place->second != converted) {
    return InvalidToolArgument("'" + std::string(given) + "' contradicts '" +
                                   std::string(parameter->name) + "', which it stands for",
                               "give one of them");
  }
  return std::nullopt;
}

tl::expected<ToolArguments, ToolFault> ToolArguments::Read(const ToolInfo& tool,
                                                           const Json& arguments) {
  ToolArguments read(&tool);
  std::vector<std::string> times;
  if (arguments.is_object()) {
    for (const auto& [name, value] : arguments.items()) {
      if (value.is_null() || IsEmptyOption(tool, name, value)) continue;
      const bool time = name == "since" || name == "before";
      if (time && FindParameter(tool, "filter") != nullptr) {
        if (!value.is_string() || HasZero(value)) {
          return tl::unexpected(InvalidToolArgument(name + " must be a text", "a time, or '-7d'"));
        }
        times.push_back("doc.mtime " + std::string(name == "since" ? ">= " : "< ") +
                        QuotedForRql(value.get_ref<const std::string&>()));
      } else if (auto fault = read.Take(name, value)) {
        return tl::unexpected(*std::move(fault));
      }
    }
  }
  for (const std::string& time : times) {
    const auto filter = read.Text("filter");
    read.values_["filter"] = filter ? "(" + *filter + ") AND " + time : time;
  }
  for (const ToolParameter& parameter : tool.parameters) {
    if (!parameter.required || read.values_.contains(parameter.name)) continue;
    return tl::unexpected(InvalidToolArgument(std::string(parameter.name) + " is missing",
                                              std::string(parameter.help)));
  }
  return read;
}

std::optional<std::string> ToolArguments::Text(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end() || !found->second.is_string()) return std::nullopt;
  return found->second.get<std::string>();
}

std::optional<int64_t> ToolArguments::Integer(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end() || !found->second.is_number_integer()) return std::nullopt;
  return found->second.get<int64_t>();
}

std::vector<std::string> ToolArguments::Texts(std::string_view name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return {};
  if (found->second.is_string()) return {found->second.get<std::string>()};
  return found->second.get<std::vector<std::string>>();
}

bool ToolArguments::IsTrue(std::string_view name) const {
  const auto found = values_.find(name);
  return found != values_.end() && found->second == true;
}

std::vector<std::string> ToolArguments::Flags() const {
  std::vector<std::string> flags;
  for (const ToolParameter& parameter : tool_->parameters) {
    const auto found = values_.find(parameter.name);
    if (parameter.flag.empty() || found == values_.end()) continue;
    const Json& value = found->second;
    const std::string flag(parameter.flag);
    if (value.is_boolean()) {
      if (value.get<bool>()) flags.push_back(flag);
      continue;
    }
    if (value.is_array()) {
      for (const Json& item : value) flags.push_back(flag + "=" + item.get<std::string>());
      continue;
    }
    const std::string text = value.is_string() ? value.get<std::string>() : PrintJson(value);
    if (flag.starts_with("--")) {
      flags.push_back(flag + "=" + text);
    } else {
      flags.push_back(flag);
      flags.push_back(text);
    }
  }
  return flags;
}

uint32_t ToolArguments::Fingerprint() const {
  Json decisive = Json::object();  // sorted, as the map is
  for (const auto& [name, value] : values_) {
    if (name != "cursor" && name != "budget_tokens" && name != "k") decisive[name] = value;
  }
  const Digest digest = Sha256(std::string(tool_->name) + PrintJson(decisive));
  uint32_t first = 0;
  for (size_t i = 0; i < sizeof(first); ++i) {
    first = first << 8 | static_cast<uint8_t>(digest[i]);
  }
  return first;
}

}  // namespace recall
