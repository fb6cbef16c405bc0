#include "index/vector/vector_checksum.h"

#include <array>
#include <string>

#include "storage/base/checksum.h"

namespace recall {

uint32_t VectorChecksum(uint32_t chunk, float scale, const int8_t* values, size_t dim) {
  std::array<uint8_t, sizeof(chunk) + sizeof(scale)> fixed;
  StoreLittle(fixed.data(), chunk);
  StoreLittle(fixed.data() + sizeof(chunk), scale);
  return Crc32c({reinterpret_cast<const uint8_t*>(values), dim}, Crc32c(fixed));
}

Status VerifyVector(const VectorSections& sections, uint32_t ordinal, const int8_t* values,
                    float scale) {
  if (sections.checksums == nullptr) return Status::Ok();
  const ColumnSegment& segment = *sections.segment;
  const uint32_t chunk = segment.ChunkAt(ordinal);
  const auto stored = LoadLittle<uint32_t>(sections.checksums->item(ordinal));
  if (VectorChecksum(chunk, scale, values, sections.vectors->item_bytes()) == stored) {
    return Status::Ok();
  }
  return Status::Corruption("segment " + std::to_string(segment.reader->info().id) +
                                ": the vector of chunk rowid " + std::to_string(chunk) +
                                " does not match its checksum",
                            "run `recall doctor`; `recall doctor --fix` makes vectors again that "
                            "can be computed from the texts");
}

}  // namespace recall
