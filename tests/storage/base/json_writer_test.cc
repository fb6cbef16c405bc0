#include "storage/base/json_writer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "storage/base/json_tree.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Tree = nlohmann::ordered_json;
using Layout = JsonWriter::Layout;

template <typename T>
std::string Written(const T& value) {
  std::string text;
  JsonWriter(&text).Value(value);
  return text;
}

// The output of the JSON library, which is the same except for numbers with a fraction.
std::string Printed(const Tree& tree, int indent = -1) {
  return tree.dump(indent, ' ', false, Tree::error_handler_t::replace);
}

std::string WrittenTree(const Tree& tree, Layout layout) {
  std::string text;
  JsonWriter json(&text, layout);
  WriteTree(tree, json);
  return text;
}

TEST(JsonWriterTest, EscapesWhatJsonDemandsAndNothingElse) {
  EXPECT_EQ(Written(""), R"("")");
  EXPECT_EQ(Written("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(Written("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(Written(std::string_view("\0\x01\x1F\x7F", 4)), "\"\\u0000\\u0001\\u001f\x7F\"");
  EXPECT_EQ(Written("caf\xC3\xA9 \xE2\x80\xA8"), "\"caf\xC3\xA9 \xE2\x80\xA8\"");
}

TEST(JsonWriterTest, ReplacesBytesThatAreNotUtf8) {
  const std::string mark = "\xEF\xBF\xBD";
  EXPECT_EQ(Written("a\xFF"
                    "b"),
            "\"a" + mark + "b\"");
  EXPECT_EQ(Written("\x80\xC3"), "\"" + mark + mark + "\"");
  // A truncated character is one mark; an overlong form or a surrogate is one mark per byte.
  EXPECT_EQ(Written("\xF0\x9F\x92x"), "\"" + mark + "x\"");
  EXPECT_EQ(Written("\xE0\x80\x80"), "\"" + mark + mark + mark + "\"");
  EXPECT_EQ(Written("\xED\xA0\x80"), "\"" + mark + mark + mark + "\"");
  EXPECT_EQ(Written("\xE2\x80\""), "\"" + mark + "\\\"\"");
}

TEST(JsonWriterTest, StringsOfAnyBytesAreThoseOfTheLibrary) {
  std::mt19937_64 random(TestSeed(67));
  // Bytes that start, continue or end characters.
  constexpr std::string_view kBytes(
      "\x00\x1F \"\\an\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xED\xEE\xEF\xF0\xF1"
      "\xF4\xF5\xFF",
      29);
  for (int run = 0; run < 200'000; ++run) {
    std::string text(random() % 12, '\0');
    for (char& c : text) {
      c = run % 2 == 0 ? kBytes[random() % kBytes.size()] : static_cast<char>(random());
    }
    ASSERT_EQ(Written(text), Printed(text));
  }
  const std::string whole = "\xE2\x80\xA8 \xF0\x9F\x92\xA9 \xF4\x8F\xBF\xBF \xEE\x80\x80";
  EXPECT_EQ(Written(whole), "\"" + whole + "\"");
}

TEST(JsonWriterTest, NumbersAreTheShortestThatReadBack) {
  EXPECT_EQ(Written(0.1), "0.1");
  EXPECT_EQ(Written(1.0), "1.0");
  EXPECT_EQ(Written(-0.0), "-0.0");
  EXPECT_EQ(Written(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(Written(1e-5), "1e-05");
  EXPECT_EQ(Written(1e20), "1e+20");
  EXPECT_EQ(Written(5e-324), "5e-324");
  EXPECT_EQ(Written(0.5f), "0.5");
  EXPECT_EQ(Written(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(Written(std::numeric_limits<double>::quiet_NaN()), "null");
  std::mt19937_64 random(TestSeed(66));
  for (int run = 0; run < 200'000; ++run) {
    // Every second number is subnormal or close to it.
    uint64_t bits = random();
    if (run % 2 == 0) bits &= 0x803F'FFFF'FFFF'FFFF >> random() % 20;
    const auto value = std::bit_cast<double>(bits);
    if (value != value || value - value != 0) continue;
    const std::string text = Written(value);
    const Tree read = Tree::parse(text);
    ASSERT_TRUE(read.is_number_float()) << text;
    ASSERT_EQ(std::bit_cast<uint64_t>(read.get<double>()), bits) << text;
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value);
    // A whole number may have an additional ".0".
    ASSERT_LE(text.size(), Printed(value).size() + 2) << text;
  }
}

TEST(JsonWriterTest, IntegersOfEveryKind) {
  EXPECT_EQ(Written(int64_t{-7}), "-7");
  EXPECT_EQ(Written(std::numeric_limits<int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(Written(std::numeric_limits<uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(Written(uint32_t{7}), "7");
  std::mt19937_64 random(TestSeed(68));
  for (int run = 0; run < 10'000; ++run) {
    const uint64_t value = random() >> random() % 64;
    ASSERT_EQ(Written(value), Printed(value));
    ASSERT_EQ(Written(static_cast<int64_t>(value)), Printed(static_cast<int64_t>(value)));
  }
}

TEST(JsonWriterTest, ValuesByTheirTypes) {
  EXPECT_EQ(Written(true), "true");
  EXPECT_EQ(Written(false), "false");
  EXPECT_EQ(Written(nullptr), "null");
  EXPECT_EQ(Written(std::optional<double>()), "null");
  EXPECT_EQ(Written(std::optional<std::string>("")), "\"\"");
  EXPECT_EQ(Written(std::vector<std::string>{}), "[]");
  EXPECT_EQ(Written(std::vector<std::string>{"a", "b"}), "[\"a\",\"b\"]");
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  json.FieldOrNull("some", "x");
  json.FieldOrNull("none", "");
  json.Key("bytes");
  json.Base64(ByteSpan());
  json.EndObject();
  json.EndLine();
  EXPECT_EQ(text, "{\"some\":\"x\",\"none\":null,\"bytes\":\"\"}\n");
}

// A random tree without fractional numbers.
Tree RandomTree(std::mt19937_64& random, int depth) {
  const auto word = [&] { return "k\"\n"[random() % 3] + std::to_string(random() % 5); };
  switch (random() % (depth > 4 ? 5 : 7)) {
    case 0:
      return nullptr;
    case 1:
      return random() % 2 == 0;
    case 2:
      return static_cast<int64_t>(random());
    case 3:
      return random();
    case 4:
      return word();
    case 5: {
      Tree array = Tree::array();
      for (uint64_t i = random() % 4; i > 0; --i) array.push_back(RandomTree(random, depth + 1));
      return array;
    }
    default: {
      Tree object = Tree::object();
      for (uint64_t i = random() % 4; i > 0; --i) object[word()] = RandomTree(random, depth + 1);
      return object;
    }
  }
}

TEST(JsonWriterTest, TreesArePrintedAsTheLibraryDoes) {
  std::mt19937_64 random(TestSeed(69));
  for (int run = 0; run < 2'000; ++run) {
    const Tree tree = RandomTree(random, 0);
    ASSERT_EQ(WrittenTree(tree, Layout::kLine), Printed(tree));
    ASSERT_EQ(WrittenTree(tree, Layout::kPretty), Printed(tree, 2));
  }
  const nlohmann::json sorted = {{"b", 1.0}, {"a", {1e-7}}};
  std::string text;
  JsonWriter json(&text);
  WriteTree(sorted, json);
  EXPECT_EQ(text, "{\"a\":[1e-07],\"b\":1.0}");
}

TEST(JsonWriterTest, ObjectsAndListsOfThem) {
  std::string text;
  JsonWriter json(&text, Layout::kPretty);
  json.BeginObject();
  json.Object("empty", [] {});
  json.Objects("list", std::vector<int>{7, 8}, [&](int item) { json.Field("item", item); });
  json.Objects("none", std::vector<int>(), [](int) {});
  json.EndObject();
  json.EndLine();
  EXPECT_EQ(text,
            "{\n  \"empty\": {},\n  \"list\": [\n    {\n      \"item\": 7\n    },\n"
            "    {\n      \"item\": 8\n    }\n  ],\n  \"none\": []\n}\n");
}

// Removes the member at `path`.
void RemoveAt(Tree* tree, std::string_view path) {
  const size_t end = std::min(path.find('/', 1), path.size());
  const std::string name(path.substr(1, end - 1));
  if (name == "*" && tree->is_array()) {
    for (Tree& element : *tree) RemoveAt(&element, path.substr(end));
  } else if (tree->is_object() && tree->contains(name)) {
    if (end == path.size()) {
      tree->erase(name);
    } else {
      RemoveAt(&(*tree)[name], path.substr(end));
    }
  }
}

std::string WrittenWithout(const Tree& tree, std::span<const std::string_view> paths,
                           Layout layout) {
  std::string text;
  JsonWriter json(&text, layout);
  json.LeaveOut(paths);
  WriteTree(tree, json);
  return text;
}

TEST(JsonWriterTest, MembersAreLeftOutByTheirPaths) {
  const Tree tree = Tree::parse(R"({
    "query": {"text": "x", "as_of": "2026-01-01T00:00:00Z"},
    "explain": {"filter": {"filter": "f", "steps": [{"method": "a", "ms": 1}, {"ms": 2}]}},
    "stats": {"took_ms": 3, "hits": 4, "timings": {"open_ms": 1, "deep": [[{"a": 1}]]}, "m": {}},
    "store": {"wal_bytes": 5, "took_ms": 6},
    "lists": [[{"ms": 1, "k": 2}, 7, {"ms": 3}], [], [{"ms": [{"ms": 4}]}]],
    "took_ms": 7
  })");
  constexpr std::string_view kPaths[] = {"/query/as_of",     "/explain/filter/steps/*/ms",
                                         "/stats/took_ms",   "/stats/timings",
                                         "/stats/m",         "/stats/timings/open_ms",
                                         "/store/wal_bytes", "/lists/*/*/ms",
                                         "/not/there",       "/query/text/x"};
  EXPECT_EQ(WrittenWithout(tree, kPaths, Layout::kLine),
            "{\"query\":{\"text\":\"x\"},"
            "\"explain\":{\"filter\":{\"filter\":\"f\",\"steps\":[{\"method\":\"a\"},{}]}},"
            "\"stats\":{\"hits\":4},\"store\":{\"took_ms\":6},"
            "\"lists\":[[{\"k\":2},7,{}],[],[{}]],\"took_ms\":7}");
}

TEST(JsonWriterTest, LeavingOutIsTheSameAsRemoving) {
  constexpr std::string_view kPaths[] = {"/k0",   "/k1/k2",     "/k2/*/k1",
                                         "/*/k3", "/k3/*/*/k0", "/k4/k4/k4"};
  std::mt19937_64 random(TestSeed(70));
  for (int run = 0; run < 5'000; ++run) {
    Tree tree = RandomTree(random, 0);
    const std::string line = WrittenWithout(tree, kPaths, Layout::kLine);
    const std::string pretty = WrittenWithout(tree, kPaths, Layout::kPretty);
    for (const std::string_view path : kPaths) RemoveAt(&tree, path);
    ASSERT_EQ(line, Printed(tree));
    ASSERT_EQ(pretty, Printed(tree, 2));
  }
}

}  // namespace
}  // namespace recall
