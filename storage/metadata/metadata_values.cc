#include "storage/metadata/metadata_values.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

namespace recall {
namespace {

using Json = nlohmann::json;

// Parses strict JSON. In this mode the parser neither recurses nor throws.
Json Parse(std::string_view json) {
  return Json::parse(json.begin(), json.end(), nullptr, /*allow_exceptions=*/false);
}

MetaScalar OfNumber(const Json& value) {
  MetaScalar scalar;
  scalar.kind = MetaScalar::Kind::kNumber;
  constexpr uint64_t kMaxInteger = std::numeric_limits<int64_t>::max();
  if (value.is_number_float() ||
      (value.is_number_unsigned() && value.get<uint64_t>() > kMaxInteger)) {
    scalar.number = Number::Real(value.get<double>());
  } else {
    scalar.number = Number::Integer(value.get<int64_t>());
  }
  return scalar;
}

MetaScalar OfText(std::string text) {
  MetaScalar scalar;
  scalar.text = std::move(text);
  if (const auto instant = ReadInstant(scalar.text)) {
    scalar.kind = MetaScalar::Kind::kDate;
    scalar.instant = *instant;
  }
  return scalar;
}

void AppendScalar(const Json& value, MetaScalars* out) {
  if (value.is_number()) out->push_back(OfNumber(value));
  if (value.is_boolean()) out->push_back(OfText(value.get<bool>() ? "true" : "false"));
  if (value.is_string()) out->push_back(OfText(value.get<std::string>()));
}

MetaScalars ScalarsOf(const Json& value) {
  MetaScalars scalars;
  if (value.is_array()) {
    for (const Json& element : value) AppendScalar(element, &scalars);
  } else {
    AppendScalar(value, &scalars);
  }
  return scalars;
}

}  // namespace

std::optional<UnixNanos> ReadInstant(std::string_view text) {
  // Rejects nearly all texts without parsing.
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  return text.size() == 10 ? ParseRfc3339Date(text) : ParseRfc3339(text);
}

bool IsMetadataObject(std::string_view json) { return Parse(json).is_object(); }

std::optional<MetaScalars> MetadataAt(std::string_view json, std::span<const std::string> path) {
  const Json root = Parse(json);
  const Json* value = &root;
  for (const std::string& key : path) {
    if (!value->is_object()) return std::nullopt;
    const auto found = value->find(key);
    if (found == value->end()) return std::nullopt;
    value = &*found;
  }
  if (value->is_null() || value->is_discarded()) return std::nullopt;
  return ScalarsOf(*value);
}

std::vector<MetaEntry> MetadataEntries(std::string_view json) {
  std::vector<MetaEntry> entries;
  const Json root = Parse(json);
  if (!root.is_object()) return entries;
  for (const auto& [key, value] : root.items()) {
    if (!value.is_null()) entries.push_back({key, ScalarsOf(value)});
  }
  return entries;
}

}  // namespace recall
