#include "cli/setup/install/jsonc.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace recall {
namespace {

std::string CanonicalOf(const std::string& text) {
  const auto root = ParseJsonc(text);
  if (!root) return "refused";
  return *root ? CanonicalJson(**root) : "nothing";
}

TEST(JsoncTest, ReadsWhatEditorsWrite) {
  EXPECT_EQ(
      CanonicalOf("\xEF\xBB\xBF// a\n{ /* b */ \"b\" : [true, null,], // c\r\n\"a\":\"\\u00e9\\"
                  "ud83d\\ude00\\/\",}\n// d"),
      "{\"a\":\"\u00e9\U0001F600/\",\"b\":[true,null]}");
  EXPECT_EQ(CanonicalOf(" \n/**/"), "nothing");
  EXPECT_EQ(CanonicalOf("\"\\ud800x\""), "\"\uFFFDx\"");
}

TEST(JsoncTest, RefusesTheRestWithItsPlace) {
  for (const std::string text : {"{",        "{]",       "[",
                                 "{\"a\"}",  "{\"a\":}", "{,}",
                                 "[,]",      "[1,,2]",   "{a:1}",
                                 "{'a':1}",  "01",       "-",
                                 "1.",       "1e",       "+1",
                                 ".5",       "tru",      "NaN",
                                 "\"",       "\"\\x\"",  "\"\\u12g4\"",
                                 "\"a\nb\"", "\"\x01\"", "/*",
                                 "/",        "{} {}",    "{\"a\":1 \"b\":2}",
                                 "[1 2]",    "]",        "\xFF"}) {
    EXPECT_EQ(CanonicalOf(text), "refused") << text;
  }
  const auto error = ParseJsonc("{\n  \"\u00e9\": [1,\n  2");
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().position()->line, 3);
  EXPECT_EQ(error.error().position()->column, 4);
}

TEST(JsoncTest, NestingIsBounded) {
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_NE(CanonicalOf(nested(kMaxJsoncNesting)), "refused");
  EXPECT_EQ(CanonicalOf(nested(kMaxJsoncNesting + 1)), "refused");
  EXPECT_EQ(CanonicalOf(std::string(1000000, '[')), "refused");
}

TEST(JsoncTest, WithoutAMemberAndTheObjectsThatHeldNothingElse) {
  ASSERT_OK_AND_ASSIGN(const auto root, ParseJsonc("{\"a\":{\"b\":{\"c\":1}},\"d\":{\"b\":true}}"));
  EXPECT_EQ(CanonicalJson(*root, {"a", "b", "c"}), "{\"d\":{\"b\":true}}");
  EXPECT_EQ(CanonicalJson(*root, {"a", "x"}), CanonicalJson(*root));
}

}  // namespace
}  // namespace recall
