#include "index/base/text/token_memo.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "index/embed/lsa/term_bag.h"
#include "tests/test_util.h"

namespace recall {
namespace {

uint64_t Sum(std::string_view token) {
  uint64_t sum = 7;
  for (const char c : token) sum = sum * 31 + static_cast<uint8_t>(c);
  return sum;
}

// Few letters, so that tokens repeat, and all sizes around the limit of what is remembered.
TEST(TokenMemoTest, GivesTheValueOfEachTokenInOrder) {
  std::mt19937_64 random(TestSeed(3));
  TokenMemo<uint64_t> memo;
  for (int round = 0; round < 200; ++round) {
    std::string tokens;
    std::vector<uint64_t> expected;
    for (size_t i = random() % 60; i > 0; --i) {
      std::string token;
      const size_t size = random() % 4 == 0 ? 1 + random() % 40 : 1 + random() % 3;
      while (token.size() < size) token += "ab\xc3\xa9z"[random() % 5];
      expected.push_back(Sum(token));
      tokens += (tokens.empty() ? "" : " ") + token;
    }
    std::vector<uint64_t> found;
    memo.ForEach(tokens, Sum, [&](uint64_t value) { found.push_back(value); });
    ASSERT_EQ(found, expected) << tokens;
  }
}

TEST(TermBagTest, ReturnsEachTermOnceInOrderAndIsEmptyThen) {
  std::mt19937_64 random(TestSeed(4));
  constexpr uint32_t kTerms = 10'001;
  TermBag bag(kTerms);
  for (int round = 0; round < 100; ++round) {
    std::map<uint32_t, uint32_t> expected;
    for (size_t i = random() % 300; i > 0; --i) {
      const auto term = static_cast<uint32_t>(random() % (random() % 2 == 0 ? 70 : kTerms));
      bag.Add(term);
      ++expected[term];
    }
    std::vector<std::pair<uint32_t, uint32_t>> found;
    bag.Take([&](uint32_t term, uint32_t count) { found.emplace_back(term, count); });
    const decltype(found) sorted(expected.begin(), expected.end());
    ASSERT_EQ(found, sorted);
  }
}

}  // namespace
}  // namespace recall
