#include "index/embed/vector_space/sign_codes.h"

#include <algorithm>
#include <array>

#include "simd/kernels.h"

namespace recall {

// Sign codes: 1-bit quantisation of rotated vectors.
//
// A code has one bit for each component: its sign. After the random rotation of VectorSpace, the
// product of the signs of one vector with the components of another is, up to a factor, an unbiased
// estimate of their cosine (RaBitQ: Gao and Long, 2024; see LeastSignCodeScore for the variance).
// The query is not reduced to signs: it is kept in look-up tables of four dimensions.
//
// Layout of a block of 32 vectors, transposed for the SIMD scan:
//
//   byte 0 of vectors 0 .. 31 | byte 1 of vectors 0 .. 31 | ... | byte dim/8 - 1 of vectors 0 .. 31
//
// One load reads the same 8 dimensions of 32 vectors; each nibble is an index into a table of 16
// entries. In segments, lanes after the last vector are 0. Cost: dim / 8 bytes for each vector.
void PutSignCode(std::span<const int8_t> components, size_t lane, uint8_t* block) {
  std::array<uint8_t, 64> bits;
  while (!components.empty()) {
    const size_t count = std::min(components.size(), bits.size() * 8);
    PositiveBits(components.data(), count, bits.data());
    for (size_t byte = 0; byte < count / 8; ++byte, block += kSignCodeBlock) {
      block[lane] = bits[byte];
    }
    components = components.subspan(count);
  }
}

}  // namespace recall
