#include "storage/base/varint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "storage/base/bytes.h"

namespace recall {
namespace {

TEST(VarintTest, IsReadAsItWasWritten) {
  for (int bits = 0; bits <= 64; ++bits) {
    for (const uint64_t value : {bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1,
                                 bits == 64 ? uint64_t{1} << 63 : uint64_t{1} << bits}) {
      std::string bytes = "before";
      AppendVarint(value, &bytes);
      const ByteSpan written = AsBytes(bytes).subspan(6);
      uint64_t read = 0;
      EXPECT_EQ(ReadVarint(written.data(), written.data() + written.size(), &read),
                written.data() + written.size());
      EXPECT_EQ(read, value);
      const auto used = static_cast<size_t>(std::bit_width(value));
      EXPECT_EQ(written.size(), value >> 56 != 0 ? 9 : std::max<size_t>(1, (used + 6) / 7));
    }
  }
}

}  // namespace
}  // namespace recall
