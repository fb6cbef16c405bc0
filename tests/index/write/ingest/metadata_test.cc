#include <gtest/gtest.h>

#include <string>

#include "index/write/ingest/text_file.h"

namespace recall {
namespace {

std::string Extract(std::string_view text) {
  return ExtractMetadata(text).object.value_or("nothing");
}

std::string Yaml(std::string_view body) { return Extract("---\n" + std::string(body) + "\n---\n"); }

TEST(Metadata, FrontMatterKeepsItsTypes) {
  EXPECT_EQ(Yaml("title: A guide\ncount: 3\nratio: 0.5\ndraft: false\nnone:\ntilde: ~"),
            R"({"count":3,"draft":false,"none":null,"ratio":0.5,"tilde":null,"title":"A guide"})");
  EXPECT_EQ(Yaml("tags: [a, 'b c', 3]\nauthor:\n  First Name: Ann\n  age: 40"),
            R"({"author":{"age":40,"first_name":"Ann"},"tags":["a","b c",3]})");
}

TEST(Metadata, ScalarsFollowTheCoreSchema) {
  const struct {
    const char* yaml;
    const char* json;
  } cases[] = {
      {"1", "1"},
      {"-1", "-1"},
      {"+1", "1"},
      {"0", "0"},
      {"+-1", R"("+-1")"},
      {"007", R"("007")"},
      {"9223372036854775807", "9223372036854775807"},
      {"18446744073709551615", "18446744073709551615"},
      {"99999999999999999999", R"("99999999999999999999")"},
      {"1.5", "1.5"},
      {"0.5", "0.5"},
      {".5", "0.5"},
      {"1e3", "1000.0"},
      {"1e999", R"("1e999")"},
      {".inf", R"(".inf")"},
      {"nan", R"("nan")"},
      {"1.2.3", R"("1.2.3")"},
      {"True", "true"},
      {"FALSE", "false"},
      {"yes", R"("yes")"},
      {"null", "null"},
      {"'1'", R"("1")"},
      {"\"true\"", R"("true")"},
      {"2026-02-04", R"("2026-02-04")"},
      {"12:30", R"("12:30")"},
      {"0x1F", R"("0x1F")"},
      {"a b", R"("a b")"},
      {"|\n  a\n  b", R"("a\nb\n")"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(Yaml("k: " + std::string(c.yaml)), "{\"k\":" + std::string(c.json) + "}") << c.yaml;
  }
}

TEST(Metadata, KeysAreNormalised) {
  EXPECT_EQ(Yaml("Due-Date: a\n'  X  -_ y ': b\n\"what?\": c\n'!!': d\nÜber: e"),
            "{\"due_date\":\"a\",\"what\":\"c\",\"x_y\":\"b\",\"Über\":\"e\"}");
  EXPECT_EQ(Yaml("A: 1\na: 2"), R"({"a":2})");
}

TEST(Metadata, FrontMatterThatIsNotYamlIsReadByLines) {
  EXPECT_EQ(Yaml("title: a: b: c\n[open\nauthor: \"Ann\" and Bob"),
            R"({"author":"\"Ann\" and Bob","title":"a: b: c"})");
  EXPECT_EQ(Yaml("title:x\nauthor: Ann"), R"({"author":"Ann"})");
  EXPECT_EQ(Yaml("just words"), "nothing");
  EXPECT_EQ(Yaml("- a\n- b"), "nothing");
}

TEST(Metadata, HostileYamlDoesNoHarm) {
  // Each level doubles the size: 2^30 nodes if aliases were expanded without a limit.
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string before = std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + before + ", *a" +
            before + "]\n";
  }
  const std::string lines = Yaml(bomb);
  EXPECT_NE(lines.find("\"a1\":\"&a1 [*a0, *a0]\""), std::string::npos) << lines;

  EXPECT_EQ(Yaml("a: " + std::string(20000, '[')), "{\"a\":\"" + std::string(20000, '[') + "\"}");
  EXPECT_EQ(Yaml("a: &a [*a]"), R"({"a":"&a [*a]"})");
  std::string deep = "x";
  for (int i = 0; i < 40; ++i) deep = "[" + deep + "]";
  EXPECT_EQ(Yaml("a: " + deep), "{\"a\":\"" + deep + "\"}");
  EXPECT_EQ(Yaml("a: *unknown"), R"({"a":"*unknown"})");
  EXPECT_EQ(Yaml("? [a, b]\n: c\nd: e"), R"({"d":"e"})");
  EXPECT_EQ(Yaml("a: \"\\ud800\""), Yaml("a: \"\\ud800\""));  // must not throw
}

std::string Shortfall(std::string_view body) {
  return ExtractMetadata("---\n" + std::string(body) + "\n---\nwords\n").shortfall;
}

std::string Keys(int count) {
  std::string keys;
  for (int i = 0; i < count; ++i) keys += "k" + std::to_string(i) + ":\n";
  return keys;
}

TEST(Metadata, WhatIsNotReadAsYamlIsReported) {
  EXPECT_EQ(Shortfall("a: 1\nb: [x, y]"), "");
  EXPECT_EQ(Shortfall("a: 1\nb: [x, y"),
            "it is not valid YAML (line 4) and was read as plain lines");
  EXPECT_EQ(Shortfall("title: a: b"), "it is not valid YAML (line 2) and was read as plain lines");
  EXPECT_EQ(Shortfall("a: *unknown"), "it is not valid YAML (line 2) and was read as plain lines");
  EXPECT_EQ(Shortfall("- a\n- b"), "");
  EXPECT_EQ(Shortfall("just words"), "");
  const std::string open(20000, '[');
  for (const std::string& deep : {std::string(40, '[') + std::string(40, ']'), open}) {
    EXPECT_EQ(Shortfall("a: " + deep), "it has more than 32 levels and was read as plain lines");
  }
  std::string list = "a: [x";
  for (int i = 0; i < 10'000; ++i) list += ",x";
  EXPECT_EQ(Shortfall(list + "]"), "it has more than 10,000 values and was read as plain lines");
}

TEST(Metadata, FrontMatterThatIsTooLargeIsReported) {
  constexpr const char* kLarge = "it is larger than 64 KiB and was not read";
  EXPECT_EQ(Shortfall("status: open\n" + Keys(9900)), kLarge);
  EXPECT_EQ(Yaml("status: open\n" + Keys(9900)), "nothing");
  EXPECT_EQ(Shortfall("# a comment\nstatus: open\n" + Keys(9900)), kLarge);
  EXPECT_EQ(Shortfall("status: open\n" + Keys(8000)), "");
  // Two thematic breaks, and one that nothing closes.
  EXPECT_EQ(Shortfall("many words\n" + std::string(70'000, 'x')), "");
  EXPECT_EQ(ExtractMetadata("---\nstatus: open\n" + Keys(9900)).shortfall, "");
}

TEST(Metadata, FieldsBelowAHeading) {
  EXPECT_EQ(Extract("\n# Title\n\nAuthor: Ann\nDue Date: 3\nUrl: https://x\n\nLater: no\n"),
            R"({"author":"Ann","due_date":"3","url":"https://x"})");
  EXPECT_EQ(Extract("\xEF\xBB\xBF"
                    "Author: Ann\r\nText without one\r\nMore: x\r\n"),
            R"({"author":"Ann"})");
  EXPECT_EQ(Extract("Empty:\nA: b"), R"({"a":"b","empty":""})");
}

TEST(Metadata, OtherTextHasNone) {
  for (const char* text : {"", "text\n", "See https://x\n", "# Title\n## Second\nAuthor: Ann\n",
                           "??: x\n", "---\n---\n"}) {
    EXPECT_EQ(Extract(text), "nothing") << text;
  }
}

}  // namespace
}  // namespace recall
