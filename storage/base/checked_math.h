#pragma once

// Arithmetic on numbers that came from disk: every result is checked before use.

#include <cstdint>

namespace recall {

// Returns true and stores a*b (a+b) if it does not overflow; otherwise leaves *out unchanged.
template <typename T>
[[nodiscard]] bool CheckedMultiply(T a, T b, T* out) {
  T value;
  if (__builtin_mul_overflow(a, b, &value)) return false;
  *out = value;
  return true;
}

template <typename T>
[[nodiscard]] bool CheckedAdd(T a, T b, T* out) {
  T value;
  if (__builtin_add_overflow(a, b, &value)) return false;
  *out = value;
  return true;
}

// ceil(a / b). Requires: b > 0.
constexpr uint64_t DivideRoundUp(uint64_t a, uint64_t b) { return a / b + (a % b != 0); }

constexpr uint64_t RoundUp(uint64_t a, uint64_t multiple) {
  return DivideRoundUp(a, multiple) * multiple;
}

}  // namespace recall
