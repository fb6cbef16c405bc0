#include "index/base/text/fold.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace recall {
namespace {

// Text with this character is folded as a whole, by decomposition, ordering and composition. The
// character itself becomes "fi", whatever stands before it.
constexpr char32_t kLigature = 0xFB01;

template <typename Append>
std::u32string Apply(const Append& append, std::u32string_view text) {
  std::u32string out;
  append(text, &out);
  return out;
}

template <typename Append>
void ExpectSameAsWhole(const Append& append, const std::u32string& text) {
  std::u32string whole = Apply(append, text + kLigature);
  ASSERT_GE(whole.size(), 2u);
  ASSERT_EQ(whole.substr(whole.size() - 2), U"fi");
  whole.resize(whole.size() - 2);
  ASSERT_TRUE(Apply(append, text) == whole) << std::hex << static_cast<uint32_t>(text.front())
                                            << " " << static_cast<uint32_t>(text.back());
}

// Characters that are folded one by one give what folding the text as a whole gives: for each pair
// of characters of a script, and before and after Hangul and Han.
TEST(FoldTest, PairsOfCharactersAreFoldedAsTheWholeText) {
  constexpr char32_t kLast = 0x3100;
  constexpr char32_t kBlock = 64;
  for (char32_t first = 0x80; first < kLast; ++first) {
    const char32_t begin = first / kBlock * kBlock;
    for (char32_t second = begin; second < begin + kBlock; ++second) {
      ExpectSameAsWhole(FoldAppend, {first, second});
      ExpectSameAsWhole(LowerAppend, {first, second});
    }
    for (const char32_t other : {U'a', U'日', U'가', U'각', U'\u0308', U'\u1161', U'\u11A8'}) {
      ExpectSameAsWhole(FoldAppend, {first, other});
      ExpectSameAsWhole(FoldAppend, {other, first});
      ExpectSameAsWhole(LowerAppend, {first, other});
      ExpectSameAsWhole(LowerAppend, {other, first});
    }
    if (HasFatalFailure()) return;
  }
}

TEST(FoldTest, RandomTextsAreFoldedAsAWhole) {
  std::mt19937 random(1);
  for (int round = 0; round < 20'000; ++round) {
    std::u32string text;
    const char32_t script = static_cast<char32_t>(random() % 0x30) * 0x100;
    for (size_t i = 1 + random() % 8; i > 0; --i) {
      text += random() % 8 == 0 ? static_cast<char32_t>(0x300 + random() % 0x70)
                                : script + static_cast<char32_t>(random() % 0x100);
    }
    ExpectSameAsWhole(FoldAppend, text);
    ExpectSameAsWhole(LowerAppend, text);
    if (HasFatalFailure()) return;
  }
}

TEST(FoldTest, FormsOfWords) {
  EXPECT_TRUE(Apply(FoldAppend, U"ΟΔΟΣ Ёлка Café Ünit ｆｕｌｌ") == U"οδοσ елка cafe unit full");
  EXPECT_TRUE(Apply(LowerAppend, U"Ёлка CAFÉ") == U"ёлка café");
  EXPECT_TRUE(Apply(FoldAppend, U"हिन्दी 한국어") == U"हिन्दी 한국어");
}

}  // namespace
}  // namespace recall
