#include "index/embed/hash/hash_embedder.h"

#include <cmath>
#include <map>

#include "tests/test_util.h"

namespace recall {
namespace {

std::vector<float> EmbedWith(Embedder& embedder, std::string_view text) {
  std::vector<float> vector(embedder.identity().dim, 9.0f);
  EXPECT_OK(embedder.Embed({&text, 1}, vector));
  return vector;
}

std::vector<float> Embed(std::string_view text, uint32_t dim) {
  HashEmbedder embedder(dim);
  return EmbedWith(embedder, text);
}

std::map<size_t, float> NonZero(const std::vector<float>& vector) {
  std::map<size_t, float> result;
  for (size_t i = 0; i < vector.size(); ++i) {
    if (vector[i] != 0) result[i] = vector[i];
  }
  return result;
}

using ExpectedVector = std::map<size_t, float>;

// The expected values were computed independently, with Python's hashlib.
TEST(HashEmbedderTest, FollowsThePublishedFormula) {
  EXPECT_EQ(NonZero(Embed("hello", 256)), (ExpectedVector{{44, -1.0f}}));
  constexpr float kThird = 0x1.279a74p-1f;  // 1 / sqrt(3)
  EXPECT_EQ(NonZero(Embed("Hello hello, hello", 64)),
            (ExpectedVector{{24, -kThird}, {44, -kThird}, {61, kThird}}));
  constexpr float kOne = 0x1.555556p-2f;
  EXPECT_EQ(
      NonZero(Embed("the quick brown fox jumps over the lazy dog", 16)),
      (ExpectedVector{{1, kOne}, {2, kOne}, {7, kOne}, {9, 2 * kOne}, {13, kOne}, {14, kOne}}));
  EXPECT_EQ(NonZero(Embed("na\u00efve \u4e2d\u6587 "
                          "https://example.org/a/very/long/path?with=query&and=more",
                          1000)),
            (ExpectedVector{{75, kThird}, {146, -kThird}, {456, kThird}}));
}

TEST(HashEmbedderTest, SaysNothingWithoutTokens) {
  for (const char* text : {"", " ", " \t\r\n\v\f", "\u2003\u3000"}) {
    EXPECT_TRUE(NonZero(Embed(text, 64)).empty()) << text;
  }
  // Two tokens with the same bucket and opposite signs.
  EXPECT_TRUE(NonZero(Embed("w3 w6", 8)).empty());
}

TEST(HashEmbedderTest, EveryUnicodeWhiteSpaceSeparates) {
  const std::vector<float> expected = Embed("one two", 512);
  for (const char* space :
       {"\t", "\n", "\v", "\f", "\r", " ", "\u0085", "\u00a0", "\u1680", "\u2000", "\u2007",
        "\u200a", "\u2028", "\u2029", "\u202f", "\u205f", "\u3000", " \u3000\n "}) {
    const std::string text = std::string(space) + "one" + space + "two" + space;
    EXPECT_EQ(Embed(text, 512), expected) << text;
  }
  // Characters that resemble white space but are not.
  for (const char* other : {"\u00a1", "\u180e", "\u200b", "\u2060", "\u3001", "\xe3\x80", "\x85"}) {
    const std::string text = std::string("one") + other + "two";
    EXPECT_EQ(NonZero(Embed(text, 512)).size(), 1u) << text;
  }
}

TEST(HashEmbedderTest, RemembersTokensWithoutMixingThemUp) {
  HashEmbedder used(64);
  // Far more tokens than the cache can hold: short, long, and with NUL bytes.
  for (uint32_t i = 0; i < 200'000; ++i) {
    const std::string token = "token-" + std::to_string(i * 7919 % 100'003);
    if (i % 1000 == 0) {
      const std::string with_zero = token + std::string("\0", 1);
      const std::string long_token = token + std::string(40, 'x') + std::to_string(i);
      EXPECT_EQ(EmbedWith(used, token), Embed(token, 64));
      EXPECT_EQ(EmbedWith(used, with_zero), Embed(with_zero, 64));
      EXPECT_EQ(EmbedWith(used, long_token), Embed(long_token, 64));
    } else {
      EmbedWith(used, token);
    }
  }
}

TEST(HashEmbedderTest, EmbedsABatchAsOneByOne) {
  HashEmbedder embedder(32);
  const std::vector<std::string_view> texts = {"a b", "", "c"};
  std::vector<float> vectors(texts.size() * 32, 5.0f);
  ASSERT_OK(embedder.Embed(texts, vectors));
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto* first = vectors.data() + i * 32;
    EXPECT_EQ(std::vector<float>(first, first + 32), Embed(texts[i], 32));
  }
}

}  // namespace
}  // namespace recall
