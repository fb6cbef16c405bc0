#include "index/base/json/ordered_json.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace recall {
namespace {

using OrderedTree = nlohmann::ordered_json;

// A random value as text, with names that are often equal.
std::string RandomTree(std::mt19937& random, int depth) {
  const auto below = [&](uint32_t end) { return static_cast<uint32_t>(random() % end); };
  const uint32_t kind = below(depth > 0 ? 8 : 6);
  if (kind == 0) return "null";
  if (kind == 1) return below(2) == 0 ? "true" : "false";
  if (kind == 2) return std::to_string(random());
  if (kind == 3) return "-" + std::to_string(below(1000)) + ".5e" + std::to_string(below(20));
  if (kind < 6) return R"("\u00e9\n)" + std::to_string(below(100)) + "\"";
  const uint32_t size = below(12);
  std::string text;
  for (uint32_t i = 0; i < size; ++i) {
    if (i > 0) text += " , ";
    if (kind == 6) text += '"' + std::string(1, static_cast<char>('a' + below(5))) + "\":";
    text += RandomTree(random, depth - 1);
  }
  return kind == 6 ? "{" + text + "}" : "[" + text + "]";
}

TEST(OrderedJsonTest, TreesAreThoseOfTheLibrary) {
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    std::string text = RandomTree(random, 4);
    if (i % 4 == 0) text[random() % text.size()] = "{}[],:\"x"[random() % 8];
    const OrderedTree expected = OrderedTree::parse(text, nullptr, false);
    const auto parsed = ParseOrderedJson(text);
    ASSERT_EQ(parsed.has_value(), !expected.is_discarded()) << text;
    if (parsed) {
      ASSERT_EQ(parsed->dump(), expected.dump()) << text;
    }
  }
}

// With a comparison of each name with all before it, this takes an hour.
TEST(OrderedJsonTest, AMillionMembersAreParsed) {
  std::string text = "{";
  for (int i = 0; i < 1'000'000; ++i) text += "\"" + std::to_string(i % 999'999) + "\":1,";
  text.back() = '}';
  const auto parsed = ParseOrderedJson(text);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->size(), 999'999u);
}

TEST(OrderedJsonTest, LimitsHoldAtTheirLastValue) {
  const JsonLimits limits = {.depth = 2, .values = 4};
  EXPECT_TRUE(ParseOrderedJson("[1,2,3]", limits));
  EXPECT_EQ(ParseOrderedJson("[1,2,3,4]", limits).error(), JsonFault::kTooManyValues);
  EXPECT_TRUE(ParseOrderedJson(R"({"a":[1]})", limits));
  EXPECT_EQ(ParseOrderedJson(R"({"a":[[]]})", limits).error(), JsonFault::kTooDeep);
  EXPECT_EQ(ParseOrderedJson("[1,2,3,4", limits).error(), JsonFault::kTooManyValues);
  EXPECT_EQ(ParseOrderedJson("[1,2", limits).error(), JsonFault::kInvalid);
}

}  // namespace
}  // namespace recall
