#include "index/source/extract/charset/charset_decoder.h"

#include <gtest/gtest.h>

#include <string>

#include "index/base/text/utf8.h"

namespace recall {
namespace {

std::string InUtf8(std::string_view bytes, std::string_view charset,
                   CharsetFit fit = CharsetFit::kGood) {
  std::string text;
  EXPECT_EQ(AppendInCharset(bytes, charset, &text), fit) << charset;
  return text;
}

TEST(CharsetDecoderTest, SingleBytes) {
  EXPECT_EQ(InUtf8("\xF0\xD2", "KOI8-R"), "Пр");
  EXPECT_EQ(InUtf8("\xA4", "iso_8859-15"), "€");
  EXPECT_EQ(InUtf8("\x80", "latin1"), "€");
  EXPECT_EQ(InUtf8("\xE6", "Windows-1250"), "ć");
  EXPECT_EQ(InUtf8("\x8F\xE0", "cp866"), "Пр");
  EXPECT_EQ(InUtf8("\xA1", "iso-8859-7"), "\xE2\x80\x98");
}

TEST(CharsetDecoderTest, CodePagesOfDosByAnyOfTheirNames) {
  for (const std::string prefix : {"cp", "CP-", "ibm", "IBM-", "dos-"}) {
    EXPECT_TRUE(IsKnownCharset(prefix + "437")) << prefix;
    EXPECT_EQ(InUtf8("Gr\x81\xE1"
                     "e \xC9\xCD\xBB \x9B",
                     prefix + "437"),
              "Grüße ╔═╗ ¢")
        << prefix;
    EXPECT_EQ(InUtf8("Gr\x81\xE1"
                     "e \xC9\xCD\xBB \x9B",
                     prefix + "850"),
              "Grüße ╔═╗ ø")
        << prefix;
    EXPECT_EQ(InUtf8("\x9D\xA2\x88", prefix + "852"), "Łół") << prefix;
    EXPECT_EQ(InUtf8("\x8F\xE0\xE3\xA4", prefix + "866"), "Пруд") << prefix;
  }
}

TEST(CharsetDecoderTest, EastAsian) {
  EXPECT_EQ(InUtf8("\x93\xFA\x96{\x8C\xEA\xB6\\", "Shift_JIS"), "日本語ｶ\\");
  EXPECT_EQ(InUtf8("\xC6\xFC\xCB\xDC\xB8\xEC\x8E\xB6", "EUC-JP"), "日本語ｶ");
  EXPECT_EQ(InUtf8("a\x1B$BF|K\\8l\x1B(Bb\n", "iso-2022-jp"), "a日本語b\n");
  EXPECT_EQ(InUtf8("\xD6\xD0\xCE\xC4\x81\x40", "gb2312"), "中文丂");
  EXPECT_EQ(InUtf8("\x95\x32\x82\x36", "gb18030"), "𠀀");
  EXPECT_EQ(InUtf8("\xA4\xA4\xA4\xE5", "Big5"), "中文");
  EXPECT_EQ(InUtf8("\xC7\xD1\xB1\xDB\x81\x41", "ks_c_5601-1987"), "한글갂");
}

TEST(CharsetDecoderTest, Wide) {
  EXPECT_EQ(InUtf8(std::string_view("\xFF\xFEx\0=\xD8\0\xDE", 8), "utf-16"), "x😀");
  EXPECT_EQ(InUtf8(std::string_view("\0x", 2), "utf-16be"), "x");
  EXPECT_EQ(InUtf8(std::string_view("\0\1\xF6\0", 4), "utf-32"), "😀");
}

TEST(CharsetDecoderTest, BytesThatAreNotOfTheSet) {
  EXPECT_EQ(InUtf8("a\xFF", "utf-8", CharsetFit::kWrong), "a\uFFFD");
  EXPECT_EQ(InUtf8("\x93", "shift_jis", CharsetFit::kWrong), "\uFFFD");
  EXPECT_EQ(InUtf8("\x93<", "shift_jis", CharsetFit::kWrong), "\uFFFD<");
  EXPECT_EQ(InUtf8("caf\xE9", "us-ascii"), "café");
  EXPECT_EQ(InUtf8("café", ""), "café");
  EXPECT_EQ(InUtf8("a\xE9", "klingon", CharsetFit::kUnknown), "a\uFFFD");
}

TEST(CharsetDecoderTest, AnyBytesBecomeUtf8) {
  for (const std::string_view charset :
       {"utf-8", "utf-16", "utf-16le", "utf-32", "shift_jis", "euc-jp", "iso-2022-jp", "gbk",
        "big5", "euc-kr", "koi8-r", "windows-1255", "iso-8859-8", "", "none of them"}) {
    for (int first = 0; first < 256; ++first) {
      for (int second = 0; second < 256; ++second) {
        std::string text;
        const char bytes[] = {static_cast<char>(first), static_cast<char>(second), '\x81', '0'};
        for (size_t size = 1; size <= 4; ++size) {
          AppendInCharset(std::string_view(bytes, size), charset, &text);
          AppendInCharset("\x1B$B" + std::string(bytes, size), charset, &text);
        }
        ASSERT_TRUE(IsValidUtf8(text)) << charset << " " << first << " " << second;
      }
    }
  }
}

}  // namespace
}  // namespace recall
