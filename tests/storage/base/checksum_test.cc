#include "storage/base/checksum.h"

#include <gtest/gtest.h>

#include <vector>

#include "storage/base/bytes.h"

namespace recall {
namespace {

// RFC 3720 appendix B.4 and the common "123456789" check value.
TEST(Crc32cTest, KnownValues) {
  EXPECT_EQ(Crc32c(AsBytes("123456789")), 0xE3069283u);
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0x00)), 0x8A9136AAu);
  EXPECT_EQ(Crc32c(std::vector<uint8_t>(32, 0xFF)), 0x62A8AB43u);
}

TEST(Crc32cTest, InstructionAndTablesAgreeAtEveryLengthAndSplit) {
  std::vector<uint8_t> data(100);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 37 + 11);
  for (size_t length = 0; length <= data.size(); ++length) {
    const ByteSpan whole = ByteSpan(data).first(length);
    const uint32_t expected = internal::Crc32cPortable(whole, 0);
    EXPECT_EQ(Crc32c(whole), expected) << length;
    const ByteSpan head = whole.first(length / 3);
    EXPECT_EQ(Crc32c(whole.subspan(length / 3), Crc32c(head)), expected) << length;
  }
}

// Large data is read in three stripes of two lengths. The sizes are around multiples of the shorter
// one, and around one and two groups of the longer ones.
TEST(Crc32cTest, InstructionAndTablesAgreeOnLargeData) {
  std::vector<uint8_t> data(140'000);
  uint32_t state = 1;
  for (uint8_t& byte : data)
    byte = static_cast<uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  std::vector<size_t> lengths = {65'472, 65'520, 65'536, 130'944};
  for (size_t length = 4096; length + 7 <= data.size(); length += 4096) lengths.push_back(length);
  for (const size_t length : lengths) {
    for (const size_t begin : {0, 1, 7}) {
      for (const size_t size : {length - 1, length, length + 1}) {
        const ByteSpan part = ByteSpan(data).subspan(begin, size - begin);
        const uint32_t from = static_cast<uint32_t>(length);
        EXPECT_EQ(Crc32c(part, from), internal::Crc32cPortable(part, from)) << begin << ' ' << size;
      }
    }
  }
}

TEST(Crc32cTest, RowsHaveTheChecksumsOfEach) {
  std::vector<uint8_t> data(1000);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<uint8_t>(i * 61 + 7);
  for (size_t rows = 0; rows <= 7; ++rows) {
    for (const size_t length : {0, 1, 8, 13, 64, 100}) {
      std::vector<const uint8_t*> starts;
      std::vector<uint32_t> crcs;
      std::vector<uint32_t> expected;
      for (size_t i = 0; i < rows; ++i) {
        starts.push_back(data.data() + 131 * i);
        crcs.push_back(static_cast<uint32_t>(i * 0x9E3779B9));
        expected.push_back(internal::Crc32cPortable({starts[i], length}, crcs[i]));
      }
      Crc32cRows(starts, length, crcs);
      EXPECT_EQ(crcs, expected) << rows << ' ' << length;
    }
  }
}

}  // namespace
}  // namespace recall
