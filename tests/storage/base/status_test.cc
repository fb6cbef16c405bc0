#include "storage/base/status.h"

#include <gtest/gtest.h>

#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"
#include "storage/base/result.h"

namespace recall {
namespace {

Result<int> Half(int value) {
  if (value % 2 != 0) return Fail(Status::InvalidArgument("odd", "give an even number"));
  return value / 2;
}

Result<int> Quarter(int value) {
  RECALL_ASSIGN(const int half, Half(value));
  RECALL_TRY(Half(half));
  return half / 2;
}

Status Check(int value) {
  RECALL_TRY(Quarter(value));
  return Status::Ok();
}

TEST(StatusTest, MacrosPassValuesAndErrors) {
  EXPECT_EQ(Quarter(8).value(), 2);
  EXPECT_EQ(Quarter(6).error().message(), "odd");
  EXPECT_TRUE(Check(4).ok());
  EXPECT_EQ(Check(3).code(), StatusCode::kInvalidArgument);
}

TEST(StatusTest, ContextKeepsCodeAndHint) {
  const Status status = Status::Corruption("bad magic", "run doctor").WithContext("segment 12");
  EXPECT_EQ(status.ToString(), "corruption: segment 12: bad magic");
  EXPECT_EQ(status.hint(), "run doctor");
  EXPECT_EQ(status.WithHint("other").hint(), "run doctor");
  EXPECT_TRUE(Status().WithContext("x").ok());
  const Status copy = status;
  EXPECT_EQ(copy.ToString(), status.ToString());
}

TEST(StatusTest, PositionSurvivesContextHintAndCopies) {
  const Status status = Status::InvalidArgument("expected a value")
                            .WithPosition({.line = 2, .column = 7, .excerpt = "x =\n   ^"})
                            .WithContext("filter.fel")
                            .WithHint("write a string");
  const Status copy = status;
  ASSERT_NE(copy.position(), nullptr);
  EXPECT_EQ(copy.position()->line, 2);
  EXPECT_EQ(copy.position()->column, 7);
  EXPECT_EQ(copy.message(), "filter.fel: expected a value");
  EXPECT_EQ(copy.hint(), "write a string");
  EXPECT_EQ(Status::NotFound("x").position(), nullptr);
}

TEST(ByteReaderTest, ReadsPastTheEndGiveZeroForEver) {
  const uint8_t bytes[] = {1, 0, 0, 0, 7};
  ByteReader reader(bytes);
  EXPECT_EQ(reader.Read<uint32_t>(), 1u);
  EXPECT_EQ(reader.Read<uint16_t>(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.Read<uint8_t>(), 0u);
  EXPECT_TRUE(reader.ReadBytes(0).empty());
}

TEST(CheckedMathTest, OverflowIsReported) {
  uint64_t out = 5;
  EXPECT_TRUE(CheckedMultiply<uint64_t>(1u << 31, 2, &out));
  EXPECT_EQ(out, uint64_t{1} << 32);
  EXPECT_FALSE(CheckedMultiply<uint64_t>(UINT64_MAX, 2, &out));
  EXPECT_FALSE(CheckedAdd<uint64_t>(UINT64_MAX, 1, &out));
  EXPECT_EQ(RoundUp(65, 64), 128u);
}

}  // namespace
}  // namespace recall
