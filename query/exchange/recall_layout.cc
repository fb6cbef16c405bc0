#include "query/exchange/recall_layout.h"

#include <array>

#include "storage/base/ids.h"

namespace recall {

VectorOrigin OriginOf(const EmbeddingSpace& space) {
  std::array<uint8_t, 8> fingerprint;
  StoreLittle(fingerprint.data(), space.geometry().Fingerprint());
  return {space.row().embedder, space.row().version, ToHex(fingerprint)};
}

}  // namespace recall
