#include "index/vector_space/sign_codes.h"

#include "simd/kernels.h"

namespace recall {

void PutSignCode(std::span<const int8_t> components, size_t lane, uint8_t* block) {
  for (size_t byte = 0; byte < components.size() / 8; ++byte) {
    const int8_t* values = components.data() + byte * 8;
    uint8_t bits = 0;
    for (size_t i = 0; i < 8; ++i) bits = static_cast<uint8_t>(bits | (values[i] > 0) << i);
    block[byte * kSignCodeBlock + lane] = bits;
  }
}

}  // namespace recall
