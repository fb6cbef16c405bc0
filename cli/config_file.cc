// Reading recall.toml: flat, one key a line.

#define TOML_EXCEPTIONS 0
#define TOML_HEADER_ONLY 1
// Its own assertions abort on files such as "[[["; without them the parser reports an error.
#define TOML_ASSERT(condition) static_assert(true)
#include <toml++/toml.h>

#include <fstream>
#include <sstream>

#include "cli/config.h"

namespace recall {
namespace {

std::optional<ConfigValue> ScalarOf(const toml::node& node) {
  if (const auto* value = node.as_integer()) return ConfigValue(int64_t{**value});
  if (const auto* value = node.as_floating_point()) return ConfigValue(double{**value});
  if (const auto* value = node.as_string()) return ConfigValue(std::string(**value));
  return std::nullopt;
}

Result<std::string> ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Fail(Status::NotFound("there is no configuration file " + path));
  std::ostringstream text;
  text << file.rdbuf();
  // A directory opens but cannot be read.
  if (file.bad() || text.fail()) {
    if (file.peek() != std::ifstream::traits_type::eof() || file.bad()) {
      return Fail(Status::IoError("cannot read the configuration file " + path));
    }
  }
  return std::move(text).str();
}

std::string UnknownKeyWarning(const std::string& origin, const std::string& key) {
  const std::string nearest = Nearest(key, internal::ConfigKeyNames());
  const std::string hint = nearest.empty() ? "" : "; did you mean " + nearest + "?";
  return origin + ": unknown key '" + key + "' is ignored" + hint;
}

}  // namespace

Result<ConfigLayer> ReadConfigFile(const std::string& path, std::vector<std::string>* warnings) {
  RECALL_ASSIGN(const std::string text, ReadWhole(path));
  return internal::ParseConfigText(text, path, warnings);
}

Result<ConfigLayer> internal::ParseConfigText(std::string_view text, const std::string& path,
                                              std::vector<std::string>* warnings) {
  const toml::parse_result parsed = toml::parse(text, path);
  const auto at = [&](const toml::source_region& region) {
    return path + ":" + std::to_string(region.begin.line);
  };
  if (!parsed) {
    return Fail(Status::InvalidArgument(at(parsed.error().source()) + ": " +
                                        std::string(parsed.error().description())));
  }
  ConfigLayer layer;
  for (const auto& [name, node] : parsed.table()) {
    const std::string key(name.str());
    const std::string origin = at(node.source());
    if (!internal::IsConfigKey(key)) {
      warnings->push_back(UnknownKeyWarning(origin, key));
      continue;
    }
    const std::optional<ConfigValue> value = ScalarOf(node);
    // A list or a date suits no key; an empty text is refused with the key's own message.
    RECALL_ASSIGN(ConfigEntry entry, internal::MakeConfigEntry(
                                         key, value.value_or(ConfigValue(std::string())), origin));
    layer.push_back(std::move(entry));
  }
  return layer;
}

}  // namespace recall
