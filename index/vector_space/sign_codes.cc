#include "index/vector_space/sign_codes.h"

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
  for (size_t byte = 0; byte < components.size() / 8; ++byte) {
    const int8_t* values = components.data() + byte * 8;
    uint8_t bits = 0;
    for (size_t i = 0; i < 8; ++i) bits = static_cast<uint8_t>(bits | (values[i] > 0) << i);
    block[byte * kSignCodeBlock + lane] = bits;
  }
}

}  // namespace recall
