#include "storage/tables/text_grams.h"

#include <gtest/gtest.h>

#include <random>

#include "storage/base/bytes.h"

namespace recall {
namespace {

std::vector<uint32_t> NumbersOf(std::string_view text) {
  return GramNumbers(text, [](std::string_view) { return true; });
}

bool MayHave(const std::string& grams, std::string_view text) {
  return MayHaveGrams(AsBytes(grams), NumbersOf(text));
}

TEST(TextGramsTest, ATextHasTheTrigramsOfItsParts) {
  std::mt19937 random(3);
  for (const size_t size : {0u, 1u, 2u, 3u, 50u, 3000u, 200000u}) {
    std::string text;
    while (text.size() < size) text += static_cast<char>(random() % 256);
    const std::string grams = MakeTextGrams(text);
    EXPECT_EQ(grams, MakeTextGrams(text));
    EXPECT_GE(grams.size(), 8u);
    EXPECT_LE(grams.size(), 16384u);
    EXPECT_EQ(grams.size() & (grams.size() - 1), 0u);
    for (int i = 0; i < 200 && size > 0; ++i) {
      const size_t begin = random() % size;
      const std::string part = text.substr(begin, random() % 20);
      if (part.find('\n') != part.npos) continue;
      EXPECT_TRUE(MayHave(grams, part));
    }
  }
}

// MakeTextGrams examines several bytes at once; GramNumbers one after the other.
TEST(TextGramsTest, BitsAreThoseOfEachTrigramAndNoOthers) {
  std::mt19937 random(7);
  constexpr std::string_view kBytes = "ab AZ@[`{09_\n\n\v\x01\x7f\x80\xc1\xe1\xff";
  for (const size_t size : {3u, 7u, 8u, 9u, 13u, 14u, 15u, 64u, 500u, 20000u}) {
    std::string text(size, '\0');
    for (char& c : text) {
      c = size % 2 == 0 ? kBytes[random() % kBytes.size()] : static_cast<char>(random() % 256);
    }
    const std::string grams = MakeTextGrams(text);
    std::string expected(grams.size(), '\0');
    for (const uint32_t number : NumbersOf(text)) {
      const size_t bit = number % (8 * expected.size());
      expected[bit / 8] = static_cast<char>(expected[bit / 8] | 1 << bit % 8);
    }
    EXPECT_EQ(grams, expected) << size;
  }
}

TEST(TextGramsTest, FewTextsHaveThoseOfAnother) {
  std::mt19937 random(5);
  const auto word = [&] {
    std::string letters;
    for (int i = 0; i < 8; ++i) letters += static_cast<char>('a' + random() % 26);
    return letters;
  };
  std::string text;
  for (int i = 0; i < 1000; ++i) text += word() + (i % 8 == 0 ? "\n" : " ");
  const std::string grams = MakeTextGrams(text);
  EXPECT_LT(grams.size(), text.size() / 2);
  int mistaken = 0;
  for (int i = 0; i < 1000; ++i) mistaken += MayHave(grams, word()) ? 1 : 0;
  EXPECT_LT(mistaken, 30);
}

TEST(TextGramsTest, CaseAndLines) {
  const std::string grams = MakeTextGrams("Alpha\nBeta");
  EXPECT_TRUE(MayHave(grams, "ALPHA"));
  EXPECT_TRUE(MayHave(grams, "beta"));
  EXPECT_EQ(NumbersOf("a\nb\nc"), std::vector<uint32_t>()) << "no trigram goes over a line";
  EXPECT_EQ(NumbersOf("ab"), std::vector<uint32_t>());
  EXPECT_TRUE(MayHave(MakeTextGrams(""), "ab"));
  EXPECT_FALSE(MayHave(MakeTextGrams(""), "abc"));
}

// The bits are part of the format.
TEST(TextGramsTest, TheBitsOfAText) {
  const std::string grams = MakeTextGrams("abc");
  ASSERT_EQ(grams.size(), 8u);
  const uint32_t number = 0x616263u * 0x9E3779B1u >> 15;
  EXPECT_EQ(NumbersOf("abc"), std::vector<uint32_t>{number});
  std::string expected(8, '\0');
  expected[number % 64 / 8] = static_cast<char>(1 << number % 8);
  EXPECT_EQ(grams, expected);
}

TEST(TextGramsTest, DamagedBitsExcludeNothing) {
  for (const size_t size : {0u, 1u, 7u, 24u, 32768u}) {
    EXPECT_TRUE(MayHave(std::string(size, '\0'), "abc")) << size;
  }
}

}  // namespace
}  // namespace recall
