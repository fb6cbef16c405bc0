#include "query/add/records/symbols_json.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "storage/base/base64.h"

namespace recall {
namespace {

using SymbolJson = nlohmann::json;

// A text, or the bytes in its form in base64, `name` with "_base64".
std::optional<std::string> SymbolTextOf(const SymbolJson& object, const std::string& name) {
  if (const auto text = object.find(name); text != object.end()) {
    return text->is_string() ? std::optional(text->get<std::string>()) : std::nullopt;
  }
  const auto encoded = object.find(name + "_base64");
  if (encoded == object.end() || !encoded->is_string()) return std::nullopt;
  return DecodeBase64(encoded->get<std::string>());
}

std::optional<uint32_t> LineNumberOf(const SymbolJson& object, const char* name) {
  const auto line = object.find(name);
  if (line == object.end() || !line->is_number_unsigned()) return std::nullopt;
  const auto number = line->get<uint64_t>();
  const bool fits = number >= 1 && number <= std::numeric_limits<uint32_t>::max();
  return fits ? std::optional(static_cast<uint32_t>(number)) : std::nullopt;
}

// Larger than what any grammar makes (index/source/code/outline_check.h,
// index/source/chunk/outline_chunker.cc).
constexpr size_t kMostNameBytes = 1000;
constexpr size_t kMostScopeBytes = 10'000;

bool IsKindName(std::string_view kind) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz_";
  return !kind.empty() && kind.find_first_not_of(kLetters) == std::string_view::npos;
}

}  // namespace

Result<std::vector<Symbol>> ParseSymbols(const nlohmann::json& symbols) {
  std::vector<Symbol> parsed;
  for (const SymbolJson& object : symbols) {
    if (!object.is_object()) {
      return Fail(Status::InvalidArgument("has an item that is not an object"));
    }
    auto name = SymbolTextOf(object, "name");
    auto kind = SymbolTextOf(object, "kind");
    auto scope = SymbolTextOf(object, "scope");
    const auto start = LineNumberOf(object, "start_line");
    const auto end = LineNumberOf(object, "end_line");
    const auto begins = object.find("begins");
    const bool valid = name && !name->empty() && name->size() <= kMostNameBytes && kind &&
                       IsKindName(*kind) && kind->size() <= kMostNameBytes && scope &&
                       scope->size() <= kMostScopeBytes && start && end && *start <= *end &&
                       begins != object.end() && begins->is_boolean();
    if (!valid) return Fail(Status::InvalidArgument("has a definition with an invalid value"));
    parsed.push_back({.name = std::move(*name),
                      .kind = std::move(*kind),
                      .scope = std::move(*scope),
                      .start_line = *start,
                      .end_line = *end,
                      .begins = begins->get<bool>()});
  }
  return parsed;
}

}  // namespace recall
