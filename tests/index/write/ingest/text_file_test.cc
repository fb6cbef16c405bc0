#include "index/write/ingest/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <string>

#include "tests/index/source/archive/archive_maker.h"
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

class CompressedTextTest : public ReadTextFileTest,
                           public testing::WithParamInterface<const char*> {
 protected:
  Result<std::string> ReadCompressed(const std::string& bytes, uint64_t max_bytes = kNoLimit,
                                     const std::string& name = "file.") {
    const std::string path = dir_ / (name + GetParam());
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return ReadTextFile(path, max_bytes);
  }
  StatusCode FaultOf(const std::string& bytes, uint64_t max_bytes = kNoLimit) {
    const Result<std::string> text = ReadCompressed(bytes, max_bytes);
    return text ? StatusCode::kOk : text.error().code();
  }
  std::string Pack(const std::string& text) { return Compressed(GetParam(), text); }
};
INSTANTIATE_TEST_SUITE_P(Kinds, CompressedTextTest, testing::Values("gz", "zst", "xz"));

TEST_P(CompressedTextTest, IsTheTextThatIsUnpacked) {
  for (const size_t size : {1, 8191, 8192, 8193, 300'000}) {
    const std::string text(size, 'x');
    EXPECT_EQ(ReadCompressed(Pack(text)).value_or("error"), text) << size;
  }
  EXPECT_EQ(ReadCompressed(Pack("one ") + Pack("two")).value_or("error"), "one two");
  const std::string text = "a\r\nü\n";
  EXPECT_EQ(ReadCompressed(Pack(text)).value_or("error"), text);
  EXPECT_EQ(ReadCompressed(Pack(text), kNoLimit, "FILE.TXT.").value_or("error"), text);
}

TEST_P(CompressedTextTest, TheLimitIsThatOfTheUnpackedText) {
  const std::string packed = Pack(std::string(1'000'000, 'x'));
  ASSERT_LT(packed.size(), 10'000u);
  EXPECT_EQ(FaultOf(packed, 999'999), StatusCode::kLimitExceeded);
  EXPECT_EQ(FaultOf(packed, 1'000'000), StatusCode::kOk);
}

TEST_P(CompressedTextTest, WhatIsNoTextInsideIsNoText) {
  for (const std::string& inside :
       {std::string("ab\0cd", 5), std::string("ab\xFF"), std::string(100'000, 'x') + "\xC3("}) {
    const Result<std::string> text = ReadCompressed(Pack(inside));
    ASSERT_FALSE(text.has_value());
    EXPECT_EQ(text.error().code(), StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(FaultOf(Pack(Pack("text"))), StatusCode::kUnsupported);
  EXPECT_EQ(ReadCompressed("plain\n").value_or("error"), "plain\n") << "only its name says so";
}

TEST_P(CompressedTextTest, BytesAfterTheStreamAreIgnoredOnlyInGzip) {
  const bool gzip = std::string(GetParam()) == "gz";
  const auto read = [&](const std::string& bytes, std::string* remark) {
    EXPECT_TRUE(ReadCompressed(bytes).has_value() == gzip);
    return ReadTextFile(dir_ / ("file." + std::string(GetParam())), kNoLimit, remark);
  };
  // Of an empty text, one of two streams, and one that is larger than a block.
  for (const std::string& packed :
       {Pack(""), Pack("one ") + Pack("two"), Pack(std::string(300'000, 'x'))}) {
    std::string remark;
    const std::string text = ReadCompressed(packed).value_or("error");
    EXPECT_EQ(read(packed + "junk", &remark).value_or("error"), gzip ? text : "error");
    EXPECT_EQ(remark, gzip ? "ignored 4 bytes after the compressed text" : "");
    remark = "";
    read(packed + std::string(70'000, '\0') + "x", &remark).value_or("error");
    EXPECT_EQ(remark, gzip ? "ignored 70001 bytes after the compressed text" : "");
    if (!gzip) continue;
    remark = "";
    EXPECT_EQ(read(packed, &remark).value_or("error"), text);
    EXPECT_EQ(read(packed + std::string(70'000, '\0'), &remark).value_or("error"), text);
    EXPECT_EQ(remark, "") << "padding";
  }
}

TEST_P(CompressedTextTest, DamagedFilesAreRefused) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += std::to_string(i * 7919) + "\n";
  const std::string packed = Pack(text);
  EXPECT_EQ(FaultOf(packed.substr(0, packed.size() / 2)), StatusCode::kCorruption);
}

// The name of an archive is never that of a text.
TEST_P(CompressedTextTest, CompressedArchivesAreNotUnpacked) {
  const Result<std::string> text = ReadCompressed(Pack("text"), kNoLimit, "file.tar.");
  ASSERT_FALSE(text.has_value());
  EXPECT_TRUE(text.error().message().starts_with("it is not text"));
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
