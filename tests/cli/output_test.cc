#include <gtest/gtest.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "cli/output/explain_text.h"
#include "cli/output/json.h"
#include "cli/output/progress.h"
#include "cli/output/response.h"
#include "cli/output/snippet_text.h"
#include "cli/output/text_output.h"

namespace recall {
namespace {

TEST(JsonTest, PrintsTwoSpacesALevelAndKeepsTheOrder) {
  const Json json = {{"z", 1}, {"a", {{"list", {1, "two", nullptr}}, {"empty", Json::array()}}}};
  EXPECT_EQ(DumpPretty(json),
            "{\n  \"z\": 1,\n  \"a\": {\n    \"list\": [\n      1,\n      \"two\",\n      null\n"
            "    ],\n    \"empty\": []\n  }\n}\n");
  EXPECT_EQ(DumpLine(json), "{\"z\":1,\"a\":{\"list\":[1,\"two\",null],\"empty\":[]}}\n");
}

TEST(JsonTest, PrintsNumbersInTheirShortestForm) {
  EXPECT_EQ(DumpLine(0.1), "0.1\n");
  EXPECT_EQ(DumpLine(1.0), "1.0\n");
  EXPECT_EQ(DumpLine(0.0), "0.0\n");
  EXPECT_EQ(DumpLine(1.0 / 3), "0.3333333333333333\n");
  EXPECT_EQ(DumpLine(5e-324), "5e-324\n");
  EXPECT_EQ(DumpLine(int64_t{-7}), "-7\n");
  EXPECT_EQ(DumpLine(std::nan("")), "null\n");
  EXPECT_EQ(DumpLine(std::numeric_limits<double>::infinity()), "null\n");
}

TEST(JsonTest, NumbersReadBackToTheSameValue) {
  for (const double value : {0.4197810694278518, 1e300, 2.2250738585072014e-308, 123456789.125}) {
    const std::string text = DumpLine(value);
    EXPECT_EQ(Json::parse(text).get<double>(), value) << text;
  }
}

TEST(JsonTest, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(DumpLine(std::string("a\xff"
                                 "b")),
            "\"a\xEF\xBF\xBD"
            "b\"\n");
  EXPECT_EQ(DumpLine(std::string("q\"\\\n\x01")), "\"q\\\"\\\\\\n\\u0001\"\n");
}

std::vector<std::string> Keys(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(ResponseTest, KeepsThePublishedOrder) {
  JsonResponse response;
  response.query = Json::object();
  response.results = Json::array();
  response.context = Json::object();
  response.explain = Json::object();
  response.stats = Json::object();
  response.warnings = {"w"};
  response.next_offset = 8;
  response.own_key = "add";
  response.own = Json::object();
  response.failure = Failure{.code = ErrorCode::kBusy, .message = "m"};
  EXPECT_EQ(
      Keys(Json::parse(FormatJson(response))),
      (std::vector<std::string>{"ok", "schema_version", "query", "results", "context", "explain",
                                "stats", "warnings", "next_offset", "add", "error"}));
}

TEST(ResponseTest, LeavesOutWhatIsNotThere) {
  EXPECT_EQ(Keys(Json::parse(FormatJson({}))), (std::vector<std::string>{"ok", "schema_version"}));
}

TEST(ResponseTest, LinesAreMetaThenResults) {
  JsonResponse response;
  response.results = Json::array({1, 2});
  EXPECT_EQ(FormatJsonLines(response),
            "{\"type\":\"meta\",\"ok\":true,\"schema_version\":\"2\"}\n"
            "{\"type\":\"result\",\"item\":1}\n{\"type\":\"result\",\"item\":2}\n");
}

TEST(ResponseTest, MetadataBecomesAnObject) {
  DocView doc;
  EXPECT_FALSE(ToJson(doc).contains("meta"));
  doc.meta_json = R"({"author":"A"})";
  EXPECT_EQ(ToJson(doc)["meta"]["author"], "A");
  doc.meta_json = "not json";
  EXPECT_EQ(ToJson(doc)["meta"], "not json");
}

TEST(TextTest, Bytes) {
  EXPECT_EQ(FormatBytes(0), "0 B");
  EXPECT_EQ(FormatBytes(999), "999 B");
  EXPECT_EQ(FormatBytes(1000), "1.0 kB");
  EXPECT_EQ(FormatBytes(1'234'567), "1.2 MB");
  EXPECT_EQ(FormatBytes(999'990'000), "1.0 GB");
}

TEST(TextTest, AddReport) {
  AddReport report;
  report.added = 12;
  report.updated = 1;
  report.unchanged = 3;
  report.skipped = 2;
  report.chunks = 140;
  report.bytes = 1'200'000;
  EXPECT_EQ(FormatAddReport(report, false, 800'000),
            "Added 12, updated 1, unchanged 3, skipped 2 files (140 chunks, 1.2 MB) in 0.8 s");
  EXPECT_EQ(FormatAddReport(report, true, 0),
            "Would add 12, update 1, leave 3, skip 2 files (140 chunks, 1.2 MB) in 0.0 s");
  report = {};
  report.unchanged = 1;
  EXPECT_EQ(FormatAddReport(report, false, 0),
            "Added 0, updated 0, unchanged 1 file (0 chunks, 0 B) in 0.0 s");
}

SearchHit MakeHit() {
  SearchHit hit;
  hit.score = 0.5;
  hit.doc.path = "odd\nname.md";
  hit.chunk.start_line = 3;
  hit.chunk.end_line = 9;
  hit.chunk.heading = "Guide > Install";
  Snippet& snippet = hit.snippet.emplace();
  snippet.text = "first\n\n  \nmerge\x1b[31m segments\r\nlast";
  snippet.highlights = {{10, 15}, {21, 29}};
  return hit;
}

TEST(TextTest, HitIsAHeadLineAndASnippet) {
  EXPECT_EQ(FormatHit(MakeHit(), {}),
            "0.500  odd\\nname.md:3-9  Guide > Install\n    first\n    merge\x1b[31m segments\n"
            "    last\n");
  SearchHit bare = MakeHit();
  bare.snippet.reset();
  EXPECT_EQ(FormatHit(bare, {}), "0.500  odd\\nname.md:3-9  Guide > Install\n");
}

TEST(TextTest, HitOnATerminalIsDisarmed) {
  TextStyle style;
  style.escape = true;
  style.columns = 80;
  const std::string text = FormatHit(MakeHit(), style);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
}

TEST(TextTest, ExplainedScoresStandInColumns) {
  HitExplain explain;
  explain.lexical = 2.0717;
  explain.lexical_rank = 1;
  explain.parts.lexical = 0.5;
  explain.semantic = -0.073;
  explain.parts.semantic = 0.25;
  EXPECT_EQ(FormatHitExplain(explain, 0.5, {}),
            "    words       rank 1     bm25     2.0717  share 0.5000\n"
            "    meaning     no rank    cosine  -0.0730  share 0.2500\n"
            "    score       0.7500 x 0.5000 = 0.3750\n");
  explain.semantic_rank = 1000;
  explain.ngrams = 180.25;
  explain.parts.ngrams = 0.125;
  explain.parts.neighbours = 0.125;
  explain.first_stage_rank = 12;
  explain.feedback = true;
  EXPECT_EQ(FormatHitExplain(explain, 1.5, {}),
            "    words       rank 1     bm25     2.0717  share 0.5000\n"
            "    grams                  bm25   180.2500  share 0.1250\n"
            "    meaning     rank 1000  cosine  -0.0730  share 0.2500\n"
            "    neighbours                              share 0.1250\n"
            "    2nd stage   was 12     gave feedback\n"
            "    score       1.0000 x 1.5000 = 1.0000\n");
}

TEST(TextTest, HighlightsAreBoldOnlyInColour) {
  TextStyle style;
  style.escape = true;
  style.color = true;
  const std::string lines = FormatSnippet(*MakeHit().snippet, style);
  EXPECT_EQ(lines,
            "    first\n    \x1b[1mmerge\x1b[0m\\x1b[31m \x1b[1msegments\x1b[0m\n    last\n");
}

TEST(TextTest, SnippetsAreBrokenToFitATerminal) {
  Snippet snippet;
  snippet.text = "Some words that are too many for one row of it, \xC3\xBC\xC3\xBC\xC3\xBC\nnext";
  snippet.highlights = {{11, 19}};
  TextStyle style;
  style.columns = 24;  // 20 beside the indentation
  style.color = true;
  EXPECT_EQ(FormatSnippet(snippet, style),
            "    Some words \x1b[1mthat are\x1b[0m\n    too many for one row\n"
            "    of it, \xC3\xBC\xC3\xBC\xC3\xBC\n    next\n");
  snippet.text = std::string(45, 'x');
  snippet.highlights = {{15, 25}};
  EXPECT_EQ(FormatSnippet(snippet, style), "    " + std::string(15, 'x') + "\x1b[1mxxxxx\x1b[0m\n" +
                                               "    \x1b[1mxxxxx\x1b[0m" + std::string(15, 'x') +
                                               "\n    xxxxx\n");
}

TEST(TextTest, ProgressFitsItsColumns) {
  AddProgress progress{.files_done = 5, .files_total = 10, .bytes_done = 42, .bytes_total = 100};
  EXPECT_EQ(FormatProgress(progress, 200), "[==========>             ] 42%  5/10 files  42 B");
  EXPECT_EQ(FormatProgress(progress, 10).size(), 10u);
  EXPECT_EQ(FormatProgress({}, 200).substr(0, 2), "[>");
  EXPECT_EQ(FormatProgress({.files_done = 7}, 200, "documents"), "7 documents");
  progress.bytes_done = 1000;  // files grew while we read them
  EXPECT_NE(FormatProgress(progress, 200).find("100%"), std::string::npos);
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kTraining, 0, 0};
  EXPECT_EQ(FormatProgress(progress, 200), "learning from all texts");
  EXPECT_EQ(FormatProgress(progress, 10), "learning f");
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kVectors, 30, 40};
  EXPECT_EQ(FormatProgress(progress, 200), "[==================>     ] 75%  30/40 vectors");
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kWords, 0, 12};
  EXPECT_EQ(FormatProgress(progress, 200),
            "[>                       ] 0%  0/12 lists of common words");
}

TEST(TextTest, ProgressForProgramsSaysTheStage) {
  AddProgress progress{.files_done = 5, .files_total = 10, .added = 4};
  Json json = Json::parse(FormatProgressJson(progress));
  EXPECT_EQ(json["stage"], "documents");
  EXPECT_EQ(json["stage_done"], 5);
  EXPECT_EQ(json["stage_total"], 10);
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kTraining, 0, 0};
  json = Json::parse(FormatProgressJson(progress));
  EXPECT_EQ(json["stage"], "learning");
  EXPECT_EQ(json["stage_total"], nullptr);
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kWords, 3, 12};
  json = Json::parse(FormatProgressJson(progress));
  EXPECT_EQ(json["stage"], "words");
  EXPECT_EQ(json["stage_done"], 3);
  EXPECT_EQ(json["stage_total"], 12);
  EXPECT_EQ(json["documents"], 5);
  EXPECT_EQ(json["added"], 4);
}

}  // namespace
}  // namespace recall
