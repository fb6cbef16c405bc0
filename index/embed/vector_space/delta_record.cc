#include "index/embed/vector_space/delta_record.h"

#include <algorithm>

#include "storage/base/bytes.h"

namespace recall {
std::string EncodeDeltaRecord(const ChunkVector& vector) {
  const bool has_list = vector.vector.list != kNoList;
  const size_t list_at = sizeof(DeltaRecordHeader) + vector.vector.values.size();
  std::string record(list_at + (has_list ? sizeof(uint16_t) : 0), '\0');
  auto* bytes = reinterpret_cast<uint8_t*>(record.data());
  StoreLittle<float>(bytes + offsetof(DeltaRecordHeader, scale), vector.vector.scale);
  StoreLittle<uint16_t>(bytes + offsetof(DeltaRecordHeader, lexical_tokens),
                        SaturateTokens(vector.lexical_tokens));
  StoreLittle<uint16_t>(bytes + offsetof(DeltaRecordHeader, tokens), SaturateTokens(vector.tokens));
  std::ranges::copy(vector.vector.values, record.begin() + sizeof(DeltaRecordHeader));
  if (has_list) StoreLittle<uint16_t>(bytes + list_at, vector.vector.list);
  return record;
}

Result<ChunkVector> DecodeDeltaRecord(uint32_t chunk, ByteSpan record,
                                      const VectorGeometry& space) {
  ByteReader reader(record);
  ChunkVector result;
  result.chunk = chunk;
  result.vector.scale = reader.Read<float>();
  result.lexical_tokens = reader.Read<uint16_t>();
  result.tokens = reader.Read<uint16_t>();
  const ByteSpan values = reader.ReadBytes(space.padded_dim());
  if (reader.remaining() == sizeof(uint16_t)) result.vector.list = reader.Read<uint16_t>();
  if (!reader.ok() || reader.remaining() != 0 || !IsPlausibleScale(result.vector.scale)) {
    return Fail(
        Status::Corruption("the vector of chunk rowid " + std::to_string(chunk) + " is damaged",
                           "run `recall doctor --fix`"));
  }
  const auto* first = reinterpret_cast<const int8_t*>(values.data());
  result.vector.values.assign(first, first + values.size());
  return result;
}

}  // namespace recall
