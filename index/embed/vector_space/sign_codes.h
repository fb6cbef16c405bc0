#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace recall {

// Writes the sign code of quantised components as vector `lane` of a block of kSignCodeBlock
// (simd/kernels.h): bit i of byte b is set if component 8 * b + i is above zero. It is computed
// from the rounded components, so a vector has the same sign code in a segment and in the delta.
// Requires: a multiple of 8 components; lane < 32.
void PutSignCode(std::span<const int8_t> components, size_t lane, uint8_t* block);

}  // namespace recall
