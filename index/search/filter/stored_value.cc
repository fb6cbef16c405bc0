#include "index/search/filter/stored_value.h"

#include <nlohmann/json.hpp>

#include "index/base/text/turn_heading.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

using Json = nlohmann::json;

SortValue OfJson(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_boolean()) return {SortValue::Kind::kBoolean, value.get<bool>() ? 1 : 0, 0, {}};
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX}) {
    return SortValue::Real(value.get<double>());
  }
  if (value.is_number_integer()) return SortValue::Integer(value.get<int64_t>());
  if (value.is_number()) return SortValue::Real(value.get<double>());
  if (value.is_string()) return SortValue::Text(value.get<std::string>());
  return {SortValue::Kind::kCompound, 0, 0,
          value.dump(-1, ' ', false, Json::error_handler_t::replace)};
}

SortValue OfMetadata(const std::optional<std::string>& meta, const std::vector<std::string>& path) {
  if (!meta) return {};
  const Json root = Json::parse(*meta, nullptr, /*allow_exceptions=*/false);
  const Json* value = &root;
  for (const std::string& key : path) {
    if (!value->is_object()) return {};
    const auto found = value->find(key);
    if (found == value->end()) return {};
    value = &*found;
  }
  return value->is_discarded() ? SortValue() : OfJson(*value);
}

std::optional<TurnHeading> TurnOf(const DocRow& doc, const ChunkRow& chunk) {
  if (doc.parser != kSessionParser) return std::nullopt;
  return ParseTurnHeading(chunk.heading);
}

}  // namespace

SortValue LanguageValueOf(const DocRow& doc, const std::vector<std::string>&) {
  const std::string& code = doc.language.code;
  return code.empty() ? SortValue() : ToSortValue(code);
}

SortValue MetadataValueOf(const DocRow& doc, const std::vector<std::string>& keys) {
  return OfMetadata(doc.meta, keys);
}

SortValue SessionValueOf(const DocRow& doc, const std::vector<std::string>& keys) {
  return doc.parser == kSessionParser ? OfMetadata(doc.meta, keys) : SortValue();
}

SortValue ChunkIdOf(const DocRow& doc, const ChunkRow& chunk) {
  return SortValue::Text(ToHex(MakeChunkId(doc.id, chunk.offset, chunk.byte_in_token)));
}

SortValue ChunkDocIdOf(const DocRow& doc, const ChunkRow&) {
  return SortValue::Text(ToHex(doc.id));
}

SortValue TurnNumberOf(const DocRow& doc, const ChunkRow& chunk) {
  const auto turn = TurnOf(doc, chunk);
  return turn ? SortValue::Integer(turn->turn) : SortValue();
}

SortValue TurnRoleOf(const DocRow& doc, const ChunkRow& chunk) {
  const auto turn = TurnOf(doc, chunk);
  return turn ? SortValue::Text(std::string(turn->role)) : SortValue();
}

SortValue TurnTimeOf(const DocRow& doc, const ChunkRow& chunk) {
  const auto turn = TurnOf(doc, chunk);
  const auto at = turn ? ParseRfc3339(turn->at) : std::nullopt;
  return at ? SortValue::Integer(*at) : SortValue();
}

}  // namespace recall
