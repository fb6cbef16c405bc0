#include "index/ingest/extract.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "tests/test_util.h"

namespace recall {
namespace {

constexpr uint64_t kNoLimit = uint64_t{1} << 40;

class ReadTextFileTest : public ::testing::Test {
 protected:
  Result<std::string> Read(std::string_view bytes, uint64_t max_bytes = kNoLimit) {
    const std::string path = dir_ / "file";
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return ReadTextFile(path, max_bytes);
  }
  void ExpectNotText(std::string_view bytes, std::string_view problem) {
    const Result<std::string> text = Read(bytes);
    ASSERT_FALSE(text.has_value());
    EXPECT_EQ(text.error().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(text.error().message().find(problem), std::string_view::npos)
        << text.error().ToString();
  }

  TempDir dir_;
};

TEST_F(ReadTextFileTest, GivesTheBytesOfTheFile) {
  for (const size_t size : {0, 1, 8191, 8192, 8193, 16384, 100000}) {
    const std::string bytes(size, 'x');
    EXPECT_EQ(Read(bytes).value_or("error"), bytes) << size;
  }
  EXPECT_EQ(Read("\xEF\xBB\xBF"
                 "a\r\nü\n")
                .value_or("error"),
            "\xEF\xBB\xBF"
            "a\r\nü\n");
}

TEST_F(ReadTextFileTest, ACharacterMayLieAcrossTheFirstBlock) {
  for (size_t before = 8186; before <= 8193; ++before) {
    const std::string bytes = std::string(before, 'x') + "\U0001F600" + "y";
    EXPECT_EQ(Read(bytes).value_or("error"), bytes) << before;
  }
}

TEST_F(ReadTextFileTest, SaysWhereTextEnds) {
  ExpectNotText(std::string("ab\0cd", 5), "NUL at byte 2");
  ExpectNotText("ab\xFF", "invalid UTF-8 at byte 2");
  ExpectNotText("ab\xE2\x82", "invalid UTF-8 at byte 2");
  ExpectNotText(std::string("\xFF\0", 2), "byte 0");
  ExpectNotText(std::string(8192, 'x') + '\0', "NUL at byte 8192");
  ExpectNotText(std::string(20000, 'x') + "\xC3(", "invalid UTF-8 at byte 20000");
  ExpectNotText(std::string(8190, 'x') + "\xE2(" + std::string(100, 'x'), "at byte 8190");
  ExpectNotText(std::string(9000, '\0'), "NUL at byte 0");
}

TEST_F(ReadTextFileTest, HintsAtUtf16) {
  const Result<std::string> text = Read(std::string("\xFF\xFEh\0i\0", 6));
  ASSERT_FALSE(text.has_value());
  EXPECT_NE(text.error().hint().find("UTF-16"), std::string_view::npos);
}

TEST_F(ReadTextFileTest, RefusesFilesOverTheLimit) {
  EXPECT_TRUE(Read("12345", 5).has_value());
  for (const size_t size : {6, 10000}) {
    const Result<std::string> text = Read(std::string(size, 'x'), 5);
    ASSERT_FALSE(text.has_value());
    EXPECT_EQ(text.error().code(), StatusCode::kLimitExceeded);
    EXPECT_NE(text.error().message().find(std::to_string(size)), std::string_view::npos);
  }
}

TEST_F(ReadTextFileTest, RefusesWhatIsNoFile) {
  EXPECT_EQ(ReadTextFile(dir_ / "none", kNoLimit).error().code(), StatusCode::kNotFound);
  EXPECT_EQ(ReadTextFile(dir_.path(), kNoLimit).error().code(), StatusCode::kInvalidArgument);
  ASSERT_EQ(::mkfifo((dir_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(ReadTextFile(dir_ / "fifo", kNoLimit).error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(ReadTextFile("/dev/zero", kNoLimit).error().code(), StatusCode::kInvalidArgument);
}

// The system reports size 0 for this file, but it can be read.
TEST_F(ReadTextFileTest, ReadsFilesThatHideTheirSize) {
  const Result<std::string> text = ReadTextFile("/proc/self/status", kNoLimit);
  ASSERT_TRUE(text.has_value()) << text.error().ToString();
  EXPECT_TRUE(text->starts_with("Name:"));
  EXPECT_EQ(ReadTextFile("/proc/self/status", 10).error().code(), StatusCode::kLimitExceeded);
}

}  // namespace
}  // namespace recall
