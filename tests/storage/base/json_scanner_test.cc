#include "storage/base/json_scanner.h"

#include <gtest/gtest.h>

#include <string>

namespace recall {
namespace {

TEST(JsonScannerTest, FindsTheEndOfAString) {
  EXPECT_EQ(FindJsonQuote(R"(ab")", 0), 2u);
  EXPECT_EQ(FindJsonQuote(R"(a\"b")", 0), 4u);
  EXPECT_EQ(FindJsonQuote(R"(a\\"b")", 0), 3u);
  EXPECT_EQ(FindJsonQuote(R"("\\\"")", 1), 5u);
  for (const char* open : {"", "ab", R"(a\")", R"(\\\")"}) {
    EXPECT_EQ(FindJsonQuote(open, 0), std::string::npos) << open;
  }
}

TEST(JsonScannerTest, DecodesEscapes) {
  const auto expect = [](std::string_view text, uint32_t code_point, size_t bytes) {
    const auto escape = ReadJsonEscape(text, 1);
    ASSERT_TRUE(escape) << text;
    EXPECT_EQ(escape->code_point, code_point) << text;
    EXPECT_EQ(escape->bytes, bytes) << text;
  };
  expect(R"(x\nz)", '\n', 2);
  expect(R"(x\/)", '/', 2);
  expect(R"(x\u0000)", 0, 6);
  expect(R"(x\u00E9z)", 0xE9, 6);
  expect(R"(x\ud83D\ude00z)", 0x1F600, 12);
  // Halves of pairs are surrogates.
  expect(R"(x\ud83d)", 0xD83D, 6);
  expect(R"(x\ud83d\u0041)", 0xD83D, 6);
  expect(R"(x\ud83d\ude0)", 0xD83D, 6);
  expect(R"(x\ude00\ud83d)", 0xDE00, 6);
  for (const char* none : {R"(x\)", R"(x\q)", R"(x\u)", R"(x\u12)", R"(x\u12g4)", R"(x\u+123)"}) {
    EXPECT_FALSE(ReadJsonEscape(none, 1)) << none;
  }
}

}  // namespace
}  // namespace recall
