#include "index/search/filter/sort_value.h"

#include "index/base/text/turn_heading.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "storage/base/clock.h"
#include "storage/base/ids.h"
#include "storage/base/number.h"

namespace recall {
namespace {

using Json = nlohmann::json;
using ValueKind = SortValue::Kind;

SortValue OfJson(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_boolean()) return {ValueKind::kBoolean, value.get<bool>() ? 1 : 0, 0, {}};
  if (value.is_number_unsigned() && value.get<uint64_t>() > uint64_t{INT64_MAX}) {
    return SortValue::Real(value.get<double>());
  }
  if (value.is_number_integer()) return SortValue::Integer(value.get<int64_t>());
  if (value.is_number()) return SortValue::Real(value.get<double>());
  if (value.is_string()) return SortValue::Text(value.get<std::string>());
  return {ValueKind::kCompound, 0, 0, value.dump(-1, ' ', false, Json::error_handler_t::replace)};
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

SortValue OfText(const std::optional<std::string>& text) {
  return text ? SortValue::Text(*text) : SortValue();
}

SortValue OfUnsigned(uint64_t value) { return SortValue::Integer(static_cast<int64_t>(value)); }

SortValue OfTurn(Field field, const ChunkRow& chunk) {
  const auto turn = ParseTurnHeading(chunk.heading);
  if (!turn) return {};
  if (field == Field::kChunkTurn) return OfUnsigned(turn->turn);
  if (field == Field::kChunkRole) return SortValue::Text(std::string(turn->role));
  const auto at = ParseRfc3339(turn->at);
  return at ? SortValue::Integer(*at) : SortValue();
}

SortValue OfChunk(Field field, const DocRow& doc, const ChunkRow& chunk) {
  switch (field) {
    case Field::kChunkId:
      return SortValue::Text(ToHex(MakeChunkId(doc.id, chunk.offset, chunk.byte_in_token)));
    case Field::kChunkDocId:
      return SortValue::Text(ToHex(doc.id));
    case Field::kChunkOffset:
      return OfUnsigned(chunk.offset);
    case Field::kChunkTokens:
      return OfUnsigned(chunk.tokens);
    case Field::kChunkHeading:
      return SortValue::Text(chunk.heading);
    case Field::kChunkStartByte:
      return OfUnsigned(chunk.start_byte);
    case Field::kChunkEndByte:
      return OfUnsigned(chunk.end_byte);
    case Field::kChunkStartLine:
      return OfUnsigned(chunk.start_line);
    case Field::kChunkEndLine:
      return OfUnsigned(chunk.end_line);
    case Field::kChunkTurn:
    case Field::kChunkRole:
    case Field::kChunkAt:
      return doc.parser == kSessionParser ? OfTurn(field, chunk) : SortValue();
    default:
      return {};
  }
}

bool IsNumber(ValueKind kind) { return kind == ValueKind::kInteger || kind == ValueKind::kReal; }

Number NumberOf(const SortValue& value) {
  return value.kind == ValueKind::kInteger ? Number::Integer(value.integer)
                                           : Number::Real(value.real);
}

}  // namespace

SortValue SortValue::Integer(int64_t value) { return {ValueKind::kInteger, value, 0, {}}; }
SortValue SortValue::Real(double value) { return {ValueKind::kReal, 0, value, {}}; }
SortValue SortValue::Text(std::string value) { return {ValueKind::kText, 0, 0, std::move(value)}; }

std::strong_ordering SortValue::operator<=>(const SortValue& other) const {
  if (IsNumber(kind) && IsNumber(other.kind)) {
    const std::weak_ordering order = CompareNumbers(NumberOf(*this), NumberOf(other));
    return order < 0   ? std::strong_ordering::less
           : order > 0 ? std::strong_ordering::greater
                       : std::strong_ordering::equal;
  }
  if (kind != other.kind) return kind <=> other.kind;
  if (kind == ValueKind::kBoolean) return integer <=> other.integer;
  return text <=> other.text;
}

SortValue SortValueOf(const FieldRef& field, const DocRow& doc, const ChunkRow* chunk) {
  switch (field.field) {
    case Field::kDocId:
      return SortValue::Text(ToHex(doc.id));
    case Field::kDocPath:
      return SortValue::Text(doc.path);
    case Field::kDocMtime:
      return doc.mtime ? SortValue::Integer(*doc.mtime) : SortValue();
    case Field::kDocHash:
      return SortValue::Text(ToHex(doc.hash));
    case Field::kDocTag:
      return OfText(doc.tag);
    case Field::kDocSource:
      return OfText(doc.source);
    case Field::kDocMeta:
      return OfText(doc.meta);
    case Field::kDocMetaKey:
      return OfMetadata(doc.meta, field.meta_path);
    case Field::kDocSession:
      return doc.parser == kSessionParser ? OfMetadata(doc.meta, field.meta_path) : SortValue();
    case Field::kDocParser:
      return SortValue::Text(doc.parser);
    case Field::kDocSize:
      return SortValue::Integer(doc.size);
    case Field::kDocTokens:
      return SortValue::Integer(doc.tokens);
    case Field::kDocChunks:
      return SortValue::Integer(doc.chunk_count);
    case Field::kDocOrigin:
      return SortValue::Text(doc.origin);
    default:
      return chunk ? OfChunk(field.field, doc, *chunk) : SortValue();
  }
}

}  // namespace recall
