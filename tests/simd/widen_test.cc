#include <bit>
#include <cstring>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

using WidenTest = EveryTarget;
RECALL_ON_EVERY_TARGET(WidenTest);

using Kernel = void (*)(float*, float, const uint8_t*, size_t);

// Decodes by the definition: sign, 5 bits of exponent, 10 of fraction.
float Half(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const float fraction = static_cast<float>(bits & 0x3FF);
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(1024 + fraction, exponent - 25);
}

// Compares with a plain loop over `values`, which `bytes` encode.
void ExpectAdds(Kernel kernel, std::mt19937_64& random, const std::vector<float>& values,
                std::vector<uint8_t> bytes, const std::string& what) {
  const size_t n = values.size();
  const std::vector<float> start = RandomFloats(random, n + 1);
  const float a = RandomFloats(random, 1)[0];
  std::vector<float> expected = start;
  for (size_t i = 0; i < n; ++i) {
    const float product = a * values[i];
    expected[i] += product;
  }
  bytes.insert(bytes.begin(), 0);  // an odd address
  std::vector<float> actual = start;
  kernel(actual.data(), a, bytes.data() + 1, n);
  for (size_t i = 0; i <= n; ++i) {
    const bool same = std::memcmp(&actual[i], &expected[i], sizeof(float)) == 0;
    ASSERT_TRUE(same || (std::isnan(actual[i]) && std::isnan(expected[i])))
        << what << " " << i << " of " << n << ": " << actual[i] << ", not " << expected[i];
  }
}

TEST_P(WidenTest, AddScaledHasTheBitsOfTheLoop) {
  for (const size_t n : Lengths()) {
    std::vector<float> halves(n), brains(n), small(n);
    std::vector<uint8_t> half_bytes(2 * n), brain_bytes(2 * n), small_bytes(n);
    for (size_t i = 0; i < n; ++i) {
      const auto half = static_cast<uint16_t>(random_());
      const auto brain = static_cast<uint16_t>(random_() & 0xBFFF);  // neither infinity nor NaN
      const auto byte = static_cast<int8_t>(random_());
      std::memcpy(&half_bytes[2 * i], &half, 2);
      std::memcpy(&brain_bytes[2 * i], &brain, 2);
      std::memcpy(&small_bytes[i], &byte, 1);
      halves[i] = Half(half);
      brains[i] = std::bit_cast<float>(uint32_t{brain} << 16);
      small[i] = static_cast<float>(byte);
    }
    ExpectAdds(AddScaledF16, random_, halves, half_bytes, "F16");
    ExpectAdds(AddScaledBf16, random_, brains, brain_bytes, "BF16");
    ExpectAdds(AddScaledI8, random_, small, small_bytes, "I8");
  }
}

TEST_P(WidenTest, EveryHalf) {
  std::vector<float> values(0x10000);
  std::vector<uint8_t> bytes(2 * values.size());
  for (uint32_t bits = 0; bits < values.size(); ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    values[bits] = Half(half);
    std::memcpy(&bytes[2 * size_t{bits}], &half, 2);
  }
  ExpectAdds(AddScaledF16, random_, values, bytes, "F16");
}

}  // namespace
}  // namespace recall
