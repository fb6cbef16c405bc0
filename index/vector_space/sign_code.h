#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace recall {

// Writes the signature of quantised components as vector `lane` of a block of kSignatureBlock
// (simd/kernels.h): bit i of byte b is set when component 8 * b + i is above zero. Made from the
// rounded components, so a vector has one signature wherever it is kept.
// Requires: a multiple of 8 components; lane < 32.
void PutSignature(std::span<const int8_t> components, size_t lane, uint8_t* block);

}  // namespace recall
