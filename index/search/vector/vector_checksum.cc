#include "index/search/vector/vector_checksum.h"

#include <array>
#include <string>

#include "storage/base/check.h"
#include "storage/base/checksum.h"

namespace recall {

namespace {

// The checksum of the part before the components.
uint32_t BeginChecksum(uint32_t chunk, float scale) {
  std::array<uint8_t, sizeof(chunk) + sizeof(scale)> bytes;
  StoreLittle(bytes.data(), chunk);
  StoreLittle(bytes.data() + sizeof(chunk), scale);
  return Crc32c(bytes);
}

}  // namespace

uint32_t VectorChecksum(uint32_t chunk, float scale, const int8_t* values, size_t dim) {
  return Crc32c({reinterpret_cast<const uint8_t*>(values), dim}, BeginChecksum(chunk, scale));
}

Status VerifyVectors(const VectorSections& sections, std::span<const uint32_t> ordinals,
                     std::span<const int8_t* const> values, std::span<const float> scales) {
  if (sections.checksums == nullptr) return Status::Ok();
  RECALL_CHECK(ordinals.size() <= kMostVerified);
  const ColumnSegment& segment = *sections.segment;
  std::array<uint32_t, kMostVerified> computed;
  std::array<const uint8_t*, kMostVerified> rows;
  for (size_t i = 0; i < ordinals.size(); ++i) {
    computed[i] = BeginChecksum(segment.ChunkAt(ordinals[i]), scales[i]);
    rows[i] = reinterpret_cast<const uint8_t*>(values[i]);
  }
  Crc32cRows(std::span(rows).first(ordinals.size()), sections.vectors->item_bytes(), computed);
  for (size_t i = 0; i < ordinals.size(); ++i) {
    if (computed[i] == LoadLittle<uint32_t>(sections.checksums->item(ordinals[i]))) continue;
    return Status::Corruption(
        "segment " + std::to_string(segment.reader->info().id) + ": the vector of chunk rowid " +
            std::to_string(segment.ChunkAt(ordinals[i])) + " does not match its checksum",
        "run `recall doctor`; `recall doctor --fix` makes vectors again that "
        "can be computed from the texts");
  }
  return Status::Ok();
}

}  // namespace recall
