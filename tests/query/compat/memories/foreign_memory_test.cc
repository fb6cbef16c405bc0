#include "query/compat/memories/foreign_memory.h"

#include <random>

#include "index/base/paths/doc_path.h"
#include "index/base/text/utf8.h"
#include "index/source/extract/container/zlib_stream.h"
#include "index/source/note/text_links.h"
#include "query/compat/memory_server/observations.h"
#include "query/compat/rekall/json_elements.h"
#include "storage/base/base64.h"
#include "tests/query/compat/memories/foreign_fixtures.h"

namespace recall {
namespace {

// ---- zlib ---------------------------------------------------------------------------------------

constexpr std::string_view kWords =
    "backoff timeout cache cors safari vector safari backoff note cors vector header cors safari "
    "cache cache safari header safari vector cache cors note safari header note cors note note "
    "cache cors header cors vector timeout retry cache timeout vector safari note retry vector "
    "timeout safari note note header backoff safari vector safari note cors note header index "
    "vector cache backoff index note index backoff retry header timeout header safari note retry "
    "vector index backoff index retry note safari safari vector cache timeout backoff timeout "
    "index "
    "cache cors safari vector note backoff backoff backoff note index note index safari safari "
    "retry index safari cors retry note index retry cache backoff cors index backoff timeout note "
    "safari index cors header retry timeout";
// Python: zlib.compress(words, 9), with codes of its own
constexpr std::string_view kDynamic =
    "eNp1UtEOwyAI/BV/TS1NzbKaULdsf78EjhRc+6Iix3FHKLk++rqm0Z7UXyPVXDdKtfORjrxmbulNdXS2qAC/9wEY8hvl"
    "hThUgktOfAEVqV1PoY3Ys5O8NDwrfF/wmRemwV9g7S+6ETKFTbUeIAf6mP/L4UxSUdL2hT7Rq7FoSsD6tIRqAoFpisP7"
    "1x4pNFKAH+vV7K1DmbZBOW53QmitZr6dK/eMIlRdyEgbp9rbiMMTZPRsur1feHC7omTA/gA7eR37";
// zlib.compressobj(9, zlib.DEFLATED, 15, 9, zlib.Z_FIXED), with the fixed codes
constexpr std::string_view kFixed =
    "eAFLSkzOzk9LUyjJzE3NLy1RSE5MzkhVSM4vKlYoTkxLLMpUKEtNLskvgvGSoOrz8kugyqDyGamJKalFKDqhZoFJqBBU"
    "FarRSHaCjUVVi7AJzIJwETqQ7YWaB/NLUWpJUSVULUwM1TdgwyDK0PQiKwATUHtg/scaOGhOhWrJzEtJrUD1K8wUiBRY"
    "MYQJk4C4CWoAzE2ogYfpdlQjIDyIAuRgxRb2MBuS0FIDxAycaQJsLEwPOo3kKyQmqiMgrkORAVuD5Gpkb6AGHlglqp9h"
    "7kb2L9QPSGkFYhhULQA7eR37";

std::string Decoded(std::string_view base64) { return DecodeBase64(base64).value(); }

TEST(ZlibStreamTest, ReadsEveryKindOfBlock) {
  EXPECT_EQ(InflateZlib(Decoded(kDynamic), 1 << 20), kWords);
  EXPECT_EQ(InflateZlib(Decoded(kFixed), 1 << 20), kWords);
  const std::string large(200'000, 'x');
  EXPECT_EQ(InflateZlib(StoredZlib(large), 1 << 20), large);
  EXPECT_EQ(InflateZlib(StoredZlib(""), 0), "");
}

TEST(ZlibStreamTest, NeverExceedsItsLimit) {
  EXPECT_EQ(InflateZlib(Decoded(kDynamic), kWords.size()), kWords);
  EXPECT_EQ(InflateZlib(Decoded(kDynamic), kWords.size() - 1), std::nullopt);
  EXPECT_EQ(InflateZlib(StoredZlib("abc"), 2), std::nullopt);
}

TEST(ZlibStreamTest, RefusesEveryDamagedStream) {
  for (const std::string& whole : {Decoded(kDynamic), Decoded(kFixed), StoredZlib("abc")}) {
    for (size_t size = 0; size < whole.size(); ++size) {
      EXPECT_EQ(InflateZlib(whole.substr(0, size), 1 << 20), std::nullopt);
    }
    for (size_t byte = 2; byte < whole.size(); ++byte) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = whole;
        damaged[byte] = static_cast<char>(damaged[byte] ^ (1 << bit));
        const auto text = InflateZlib(damaged, 1 << 20);
        // A bit that pads a block may change nothing.
        EXPECT_EQ(text.value_or(*InflateZlib(whole, 1 << 20)), InflateZlib(whole, 1 << 20));
      }
    }
  }
}

TEST(ZlibStreamTest, SurvivesRandomBytes) {
  std::mt19937_64 random(TestSeed(1));
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes = "\x78\x9c";
    for (size_t size = random() % 60; size > 0; --size) bytes += static_cast<char>(random());
    InflateZlib(bytes, 10'000);
  }
}

// ---- JSON ---------------------------------------------------------------------------------------

TEST(SplitJsonTest, FindsElementsAndTheirLines) {
  ASSERT_OK_AND_ASSIGN(const auto list,
                       SplitJson("[ {\"a\": [1, 2]},\n \"x,]\\\"\",\n\n 3 ]\n", 1));
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].value, "{\"a\": [1, 2]}");
  EXPECT_EQ(list[1].value, "\"x,]\\\"\"");
  EXPECT_EQ(list[2].value, "3");
  EXPECT_EQ(list[0].line, 1);
  EXPECT_EQ(list[1].line, 2);
  EXPECT_EQ(list[2].line, 4);
  ASSERT_OK_AND_ASSIGN(const auto object, SplitJson("{\"a\": {},\n\"b\": [\n]}", 10));
  ASSERT_EQ(object.size(), 2u);
  EXPECT_EQ(object[1].name, "b");
  EXPECT_EQ(object[1].value, "[\n]");
  EXPECT_EQ(object[1].line, 11);
  ASSERT_OK_AND_ASSIGN(const auto empty, SplitJson(" [] ", 1));
  EXPECT_TRUE(empty.empty());
}

TEST(SplitJsonTest, RefusesOtherTextsWithTheLine) {
  for (const auto& [text, line] : {std::pair{"", 1},
                                   {"3", 1},
                                   {"[1", 1},
                                   {"[1,\n]", 2},
                                   {"[1]\n]", 2},
                                   {"{\n\"a\" 1}", 2},
                                   {"[\n\n\"a", 3},
                                   {"[1\n{", 2},
                                   {"{a: 1}", 1},
                                   {"[\"a\n\"]", 1}}) {
    const auto split = SplitJson(text, 1);
    ASSERT_FALSE(split.has_value()) << text;
    ASSERT_NE(split.error().position(), nullptr) << text;
    EXPECT_EQ(split.error().position()->line, line) << text;
  }
  EXPECT_FALSE(SplitJson(std::string(1'000'000, '['), 1).has_value());
}

// ---- Texts --------------------------------------------------------------------------------------

TEST(ForeignTimeTest, ReadsWhatOtherProgramsWrite) {
  const UnixNanos noon = ParseRfc3339("2025-12-01T12:00:00Z").value();
  EXPECT_EQ(ParseForeignTime("2025-12-01"), ParseRfc3339("2025-12-01T00:00:00Z"));
  EXPECT_EQ(ParseForeignTime("2025-12-01T12:00:00"), noon);
  EXPECT_EQ(ParseForeignTime(" 2025-12-01 12:00:00 "), noon);
  EXPECT_EQ(ParseForeignTime("2025-12-01T12:00"), noon);
  EXPECT_EQ(ParseForeignTime("2025-12-01T12:00:00.500000"), noon + 500'000'000);
  EXPECT_EQ(ParseForeignTime("2025-12-01T13:00:00+01:00"), noon);
  for (const char* text : {"", "yesterday", "2025-13-01", "2025-12-01T25:00", "9999-01-01", "Z"}) {
    EXPECT_EQ(ParseForeignTime(text), std::nullopt) << text;
  }
}

TEST(ForeignPathTest, IsAlwaysARelativePathBelowNotes) {
  EXPECT_EQ(ForeignNotePath("css-focus"), "notes/css-focus.md");
  EXPECT_EQ(ForeignNotePath("coffee/brewing"), "notes/coffee/brewing.md");
  EXPECT_EQ(ForeignNotePath("../../etc/passwd"), "notes/etc/passwd.md");
  EXPECT_EQ(ForeignNotePath("/etc/passwd"), "notes/etc/passwd.md");
  EXPECT_EQ(ForeignNotePath(".hidden"), "notes/hidden.md");
  EXPECT_EQ(ForeignNotePath("My Note"), "notes/my-note.md");
  EXPECT_EQ(ForeignNotePath(""), "notes/note.md");
  EXPECT_EQ(ForeignNotePath("///"), "notes/note.md");
  std::mt19937_64 random(TestSeed(2));
  constexpr std::string_view kBytes = "a./\\ \0:\n#[|é\xFF-";
  for (int i = 0; i < 20'000; ++i) {
    std::string id;
    for (size_t size = random() % 12; size > 0; --size) id += kBytes[random() % kBytes.size()];
    const std::string path = ForeignNotePath(id);
    EXPECT_TRUE(IsNormalPath(path) && path.starts_with("notes/")) << PrintablePath(id);
    EXPECT_TRUE(IsValidUtf8(path) && path == PrintablePath(path)) << PrintablePath(id);
  }
}

TEST(RelationNameTest, IsAlwaysAName) {
  EXPECT_EQ(RelationNameOf("derived_from"), "derived_from");
  EXPECT_EQ(RelationNameOf("works at"), "works_at");
  EXPECT_EQ(RelationNameOf("part-of!"), "part_of");
  EXPECT_EQ(RelationNameOf("..."), "related");
  EXPECT_TRUE(IsRelationName(RelationNameOf(std::string(1000, 'x'))));
  EXPECT_TRUE(IsRelationName(RelationNameOf(std::string(1000, '-') + "é x")));
}

TEST(ObservationsTest, ListsAreReadAsTheyWereWritten) {
  const std::vector<std::vector<std::string>> cases = {
      {},         {"one"},  {"one", "two"}, {"a\nb", "c"}, {"a\n\nb"}, {"- nested", "  indented"},
      {"a\n- b"}, {"", "b"}};
  for (const auto& observations : cases) {
    EXPECT_EQ(ObservationsOf(ObservationList(observations)), observations);
  }
  EXPECT_EQ(ObservationsOf("A text.\nIts second line.\n\nAnother paragraph.\n"),
            (std::vector<std::string>{"A text.\nIts second line.", "Another paragraph."}));
}

}  // namespace
}  // namespace recall
