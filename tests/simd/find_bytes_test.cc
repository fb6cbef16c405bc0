#include <algorithm>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

using FindBytesTest = EveryTarget;
RECALL_ON_EVERY_TARGET(FindBytesTest);

size_t FindNaively(std::span<const uint8_t> bytes, std::span<const uint8_t> wanted) {
  const auto found = std::ranges::search(bytes, wanted);
  return found.begin() == bytes.end() ? SIZE_MAX
                                      : static_cast<size_t>(found.begin() - bytes.begin());
}

TEST_P(FindBytesTest, FindsTheFirstOccurrence) {
  for (const size_t length : Lengths()) {
    // Few different bytes, so that parts of the wanted bytes are everywhere.
    const auto bytes = RandomIntegers<uint8_t>(random_, length, 0, 2);
    for (const size_t size : {1, 2, 3, 5, 9, 70}) {
      const auto wanted = RandomIntegers<uint8_t>(random_, size, 0, 2);
      for (size_t start = 0; start < std::min<size_t>(length, 3); ++start) {
        const std::span<const uint8_t> part = std::span(bytes).subspan(start);
        ASSERT_EQ(FindBytes(part, wanted), FindNaively(part, wanted)) << length << ", " << size;
      }
    }
  }
}

TEST_P(FindBytesTest, FindsOneAtEveryPlace) {
  const std::vector<uint8_t> wanted = {7, 8, 9};
  for (size_t at = 0; at + wanted.size() <= 300; ++at) {
    std::vector<uint8_t> bytes(300, 7);
    std::ranges::copy(wanted, bytes.begin() + static_cast<ptrdiff_t>(at));
    ASSERT_EQ(FindBytes(bytes, wanted), at);
    bytes.resize(at + wanted.size() - 1);
    ASSERT_EQ(FindBytes(bytes, wanted), SIZE_MAX) << "one byte is missing";
  }
}

}  // namespace
}  // namespace recall
