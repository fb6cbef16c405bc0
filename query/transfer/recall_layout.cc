#include "query/transfer/recall_layout.h"

#include <array>

#include "storage/base/ids.h"

namespace recall {

VectorOrigin OriginOf(const Embedder& embedder, const VectorSpace& space) {
  std::array<uint8_t, 8> fingerprint;
  StoreLittle(fingerprint.data(), space.Fingerprint());
  return {embedder.identity().name, embedder.identity().version, ToHex(fingerprint)};
}

}  // namespace recall
