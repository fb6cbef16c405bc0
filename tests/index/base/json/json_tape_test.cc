#include "index/base/json/json_tape.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

using Json = nlohmann::json;

std::string RandomJsonText(std::mt19937_64& random) {
  static const std::vector<std::string> kPieces = {"a", "\"", "\\",     "\n", "é",    "😀", "\t",
                                                   "{", "]",  "\\\\\"", ",",  "\x01", " "};
  std::string text;
  for (uint64_t i = random() % 8; i > 0; --i) text += kPieces[random() % kPieces.size()];
  return text;
}

Json RandomJson(std::mt19937_64& random, int depth) {
  switch (random() % (depth > 0 ? 7 : 5)) {
    case 0:
      return RandomJsonText(random);
    case 1:
      return static_cast<int64_t>(random() % 2000) - 1000;
    case 2:
      return random() % 2 == 0;
    case 3:
      return nullptr;
    case 4:
      return static_cast<double>(random() % 1000) / 8;
    case 5: {
      Json array = Json::array();
      for (uint64_t i = random() % 4; i > 0; --i) array.push_back(RandomJson(random, depth - 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (uint64_t i = random() % 4; i > 0; --i) {
        object["k" + std::to_string(i)] = RandomJson(random, depth - 1);
      }
      return object;
    }
  }
}

void ExpectSame(TapeValue value, const Json& json) {
  if (json.is_object()) {
    ASSERT_TRUE(value.IsObject());
    size_t members = 0;
    value.ForEachMember([&](std::string_view name, TapeValue member) {
      ++members;
      ASSERT_TRUE(json.contains(std::string(name)));
      ExpectSame(member, json[std::string(name)]);
    });
    EXPECT_EQ(members, json.size());
    for (const auto& [name, member] : json.items()) ExpectSame(value[name], member);
  } else if (json.is_array()) {
    ASSERT_TRUE(value.IsArray());
    size_t elements = 0;
    value.ForEach([&](TapeValue element) { ExpectSame(element, json.at(elements++)); });
    EXPECT_EQ(elements, json.size());
  } else if (json.is_string()) {
    EXPECT_EQ(value.Text(), json.get<std::string>());
  } else if (json.is_number()) {
    EXPECT_EQ(value.Number(), json.get<double>());
  } else if (json.is_boolean()) {
    EXPECT_EQ(value.IsTrue(), json.get<bool>());
    EXPECT_EQ(value.IsFalse(), !json.get<bool>());
  } else {
    EXPECT_EQ(value.Raw(), "null");
  }
}

TEST(JsonTapeTest, ReadsWhatAnotherParserReads) {
  std::mt19937_64 random(TestSeed(1));
  JsonTape tape;
  for (int run = 0; run < 3000; ++run) {
    const Json json = RandomJson(random, 5);
    const std::string text = json.dump(random() % 2 == 0 ? -1 : 1, ' ', random() % 2 == 0);
    ASSERT_TRUE(tape.Parse(text)) << text;
    ExpectSame(tape.root(), json);
    if (HasFailure()) FAIL() << text;
  }
}

// What another parser takes is taken; of changed texts, lines may be taken that are not quite JSON,
// but every value can be walked through.
TEST(JsonTapeTest, WalksThroughWhateverItTakes) {
  std::mt19937_64 random(TestSeed(2));
  JsonTape tape;
  std::string text;
  const auto walk = [&](auto& self, TapeValue value) -> size_t {
    size_t values = value.Text().size() <= 3 * text.size() ? 1 : text.size() + 1;
    value.ForEach([&](TapeValue element) { values += self(self, element); });
    value.ForEachMember([&](std::string_view, TapeValue member) { values += self(self, member); });
    return values;
  };
  for (int run = 0; run < 20000; ++run) {
    text = RandomJson(random, 4).dump();
    static constexpr std::string_view kBytes = "{}[]\",:\\0tfn-e \xFF\x80u";
    for (uint64_t edits = random() % 3; edits > 0 && !text.empty(); --edits) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0) {
        text.erase(at, 1);
      } else {
        text[at] = kBytes[random() % kBytes.size()];
      }
    }
    const bool taken = tape.Parse(text);
    EXPECT_TRUE(taken || !Json::accept(text)) << text;
    if (taken) {
      EXPECT_LE(walk(walk, tape.root()), text.size()) << text;
    }
    if (HasFailure()) return;
  }
}

TEST(JsonTapeTest, RefusesWhatIsNotOneValue) {
  JsonTape tape;
  for (const std::string_view text :
       {"",           " ",    "{",   "[",     "\"",    "{\"a\"}",   "{\"a\":}",
        "{\"a\":1,}", "[1,]", "[,]", "[1 2]", "{]",    "[}",        "1 2",
        "{\"a\":1}}", "{,}",  "nul", "}",     "{1:2}", "{\"a\" 1}", "\"\\\""}) {
    EXPECT_FALSE(tape.Parse(text)) << text;
    EXPECT_FALSE(tape.root());
  }
}

TEST(JsonTapeTest, BoundsTheDepth) {
  JsonTape tape;
  const auto nested = [](size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(tape.Parse(nested(256)));
  EXPECT_FALSE(tape.Parse(nested(257)));
  EXPECT_FALSE(tape.Parse(std::string(10'000'000, '[')));
}

TEST(JsonTapeTest, TextsAreValidUtf8) {
  JsonTape tape;
  const auto text = [&](std::string_view json) {
    EXPECT_TRUE(tape.Parse(json)) << json;
    return tape.root().Text();
  };
  EXPECT_EQ(text(R"("a\u00e9\ud83d\ude00\n\/")"), "aé😀\n/");
  EXPECT_EQ(text(R"("\ud83d")"), "\uFFFD");
  EXPECT_EQ(text(R"("\ude00x")"), "\uFFFDx");
  EXPECT_EQ(text(R"("\ud83d\u0041")"), "\uFFFDA");
  EXPECT_EQ(text(R"("a\u0000b")"), "a\uFFFDb");
  EXPECT_EQ(text("\"a\xFFz\""), "a\uFFFDz");
  EXPECT_EQ(text(R"("\u12")"), "\uFFFD12");
}

TEST(JsonTapeTest, ReadsTimesOfAllKinds) {
  JsonTape tape;
  const auto time = [&](std::string_view json) {
    EXPECT_TRUE(tape.Parse(json)) << json;
    return tape.root().Time();
  };
  const auto expected = ParseRfc3339("2026-02-25T10:00:00.5Z");
  const int64_t millis = *expected / 1'000'000;
  EXPECT_EQ(time("\"2026-02-25T10:00:00.5Z\""), expected);
  EXPECT_EQ(time("\"2026-02-25T11:00:00.500+01:00\""), expected);
  EXPECT_EQ(time(std::to_string(millis)), expected);
  EXPECT_EQ(time(std::to_string(millis * 1000)), expected);
  EXPECT_EQ(time("\"" + std::to_string(millis) + "\""), expected);
  EXPECT_EQ(time(std::to_string(millis / 1000) + ".5"), expected);
  EXPECT_EQ(time(std::to_string(millis / 1000)), *expected - 500'000'000);
  for (const std::string_view none : {"null", "\"\"", "\"soon\"", "true", "1e400", "{}"}) {
    EXPECT_EQ(time(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace recall
