#include "index/base/text/utf8.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "tests/test_util.h"

namespace recall {
namespace {

std::string Encode(uint32_t code_point) {
  std::string text;
  AppendUtf8(code_point, &text);
  return text;
}

TEST(Utf8, EveryCodePointSurvivesTheRoundTrip) {
  for (uint32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    const std::string text = Encode(code_point);
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    ASSERT_EQ(IsValidUtf8(text), !surrogate) << code_point;
    if (surrogate) continue;
    size_t position = 0;
    ASSERT_EQ(DecodeUtf8(text, &position), code_point);
    ASSERT_EQ(position, text.size());
  }
}

struct IllFormed {
  const char* name;
  std::string bytes;
  size_t bad_byte;
  size_t replacements;  // the number of U+FFFD that decoding gives
};

TEST(Utf8, IllFormedSequencesAreFoundWhereTheyStart) {
  const std::vector<IllFormed> cases = {
      {"lone continuation", "ab\x80", 2, 1},
      {"overlong slash", "\xC0\xAF", 0, 2},
      {"overlong NUL", "\xE0\x80\x80", 0, 3},
      {"overlong four bytes", "\xF0\x80\x80\x80", 0, 4},
      {"surrogate", "a\xED\xA0\x80", 1, 3},
      {"above U+10FFFF", "\xF4\x90\x80\x80", 0, 4},
      {"five bytes", "\xF8\x88\x80\x80\x80", 0, 5},
      {"FF", "\xFF", 0, 1},
      {"cut at the end", "abc\xE2\x82", 3, 2},
      {"cut by ASCII", "\xE2\x82x", 0, 2},
      {"after a block of ASCII", std::string(100, 'x') + "\xC3", 100, 1},
  };
  for (const IllFormed& bad : cases) {
    size_t bad_byte = 999;
    EXPECT_FALSE(IsValidUtf8(bad.bytes, &bad_byte)) << bad.name;
    EXPECT_EQ(bad_byte, bad.bad_byte) << bad.name;
    size_t replacements = 0;
    for (size_t at = 0; at < bad.bytes.size();)
      replacements += DecodeUtf8(bad.bytes, &at) == 0xFFFD;
    EXPECT_EQ(replacements, bad.replacements) << bad.name;
  }
}

TEST(Utf8, ValidityAgreesWithDecodingOnRandomBytes) {
  std::mt19937_64 random(TestSeed(1));
  for (int round = 0; round < 20000; ++round) {
    std::string text(random() % 12, 'a');
    for (char& c : text) {
      if (random() % 2) c = static_cast<char>(random());
    }
    std::string decoded;
    for (size_t at = 0; at < text.size();) AppendUtf8(DecodeUtf8(text, &at), &decoded);
    EXPECT_EQ(IsValidUtf8(text), decoded == text);
  }
}

TEST(Utf8, FloorStopsAtCharactersAndAtStrayBytes) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x99\x82z";  // a é € 🙂 z
  const std::vector<size_t> floors = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11};
  for (size_t i = 0; i < floors.size(); ++i) EXPECT_EQ(FloorToCharacter(text, i), floors[i]) << i;
  EXPECT_EQ(FloorToCharacter(text, 999), text.size());
  const std::string_view words = "ab c\u00e9d efg";
  const std::vector<size_t> word_floors = {0, 0, 2, 3, 4, 4, 6, 7, 8, 8, 8, 11};
  for (size_t i = 0; i < word_floors.size(); ++i)
    EXPECT_EQ(FloorToWord(words, i), word_floors[i]) << i;
  const std::string stray = "\x80\x80\x80\x80\x80";
  for (size_t i = 0; i <= stray.size(); ++i) EXPECT_EQ(FloorToCharacter(stray, i), i);
  EXPECT_EQ(FloorToCharacter("", 0), 0u);
}

TEST(Utf8, WhiteSpaceIsTheUnicodeProperty) {
  const std::vector<uint32_t> expected = {0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x20,   0x85,
                                          0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
                                          0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028,
                                          0x2029, 0x202F, 0x205F, 0x3000};
  std::vector<uint32_t> found;
  for (uint32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    if (IsWhiteSpace(code_point)) found.push_back(code_point);
  }
  EXPECT_EQ(found, expected);
}

TEST(CountTokens, CountsWhatWhiteSpaceDivides) {
  EXPECT_EQ(CountTokens(""), 0u);
  EXPECT_EQ(CountTokens(" \t\r\n"), 0u);
  EXPECT_EQ(CountTokens("one"), 1u);
  EXPECT_EQ(CountTokens("  one, two\nthree "), 3u);
  EXPECT_EQ(CountTokens("全角　空白\xC2\xA0no-break"), 3u);
  EXPECT_EQ(CountTokens("bad \xFF\x80 bytes"), 3u);
  EXPECT_EQ(CountTokens(std::string_view("a\0b c", 5)), 2u);
}

// Compares with counting each character: each byte at each of eight positions, among random others.
TEST(CountTokens, EqualsCountingCharacterByCharacter) {
  const auto count = [](std::string_view text) {
    uint64_t tokens = 0;
    bool inside = false;
    for (size_t at = 0; at < text.size();) {
      const bool space = IsWhiteSpace(DecodeUtf8(text, &at));
      tokens += !space && !inside;
      inside = !space;
    }
    return tokens;
  };
  std::mt19937_64 random(TestSeed(17));
  const std::vector<std::string> others = {"a", "z", " ", "\n", "\t", "\xC2\xA0", "\xE3\x80\x80",
                                           "é"};
  for (int byte = 0; byte < 256; ++byte) {
    for (size_t before = 0; before < 24; ++before) {
      std::string text;
      while (text.size() < before) text += others[random() % others.size()];
      text += static_cast<char>(byte);
      for (uint64_t more = random() % 20; more > 0; --more)
        text += others[random() % others.size()];
      ASSERT_EQ(CountTokens(text), count(text)) << byte << " behind " << before;
    }
  }
}

}  // namespace
}  // namespace recall
