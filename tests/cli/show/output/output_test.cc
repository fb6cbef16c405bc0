#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/show/output/explain_text.h"
#include "cli/show/output/progress.h"
#include "cli/show/output/response.h"
#include "cli/show/output/snippet_text.h"
#include "cli/show/output/text_output.h"
#include "tests/cli/show/output/json_text.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> Keys(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(ResponseTest, KeepsThePublishedOrder) {
  JsonResponse response;
  const JsonFields empty = [](JsonWriter&) {};
  response.query = empty;
  response.results = {0, [](size_t, JsonWriter&) {}};
  response.context = empty;
  response.explain = empty;
  response.stats = empty;
  response.warnings = {"w"};
  response.next_offset = 8;
  response.own_key = "add";
  response.own = empty;
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
  response.results = {2, [](size_t i, JsonWriter& json) { json.Field("i", i); }};
  EXPECT_EQ(FormatJsonLines(response),
            "{\"type\":\"meta\",\"ok\":true,\"schema_version\":\"2\"}\n"
            "{\"type\":\"result\",\"item\":{\"i\":0}}\n"
            "{\"type\":\"result\",\"item\":{\"i\":1}}\n");
  EXPECT_EQ(Keys(Json::parse(FormatJson(response))),
            (std::vector<std::string>{"ok", "schema_version", "results"}));
}

TEST(ResponseTest, MetadataBecomesAnObject) {
  DocView doc;
  const auto meta = [&] { return Json::parse(FieldsText(doc)).value("meta", Json()); };
  EXPECT_TRUE(meta().is_null());
  doc.meta_json = R"({"author":"A"})";
  EXPECT_EQ(meta()["author"], "A");
  doc.meta_json = "not json";
  EXPECT_EQ(meta(), "not json");
}

// Metadata is printed as the JSON library prints it, except for numbers with a fraction.
TEST(ResponseTest, MetadataIsPrintedAsItIsRead) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"b": 1, "a" : [ ], "b": {"x" :null} })", R"({"b":{"x":null},"a":[]})"},
      {R"({"n":[-0, 1.50, 1e2, 0.00001, 18446744073709551615, 18446744073709551616]})",
       R"({"n":[0,1.5,100.0,1e-05,18446744073709551615,18446744073709551616.0]})"},
      {R"({"t":"\u00e4\u2028\/\ud83d\udca9\u0001"})",
       "{\"t\":\"\xC3\xA4\xE2\x80\xA8/\xF0\x9F\x92\xA9\\u0001\"}"},
      {R"([1, true])", "[1,true]"},
      {"{\"a\":\"\xFF\"}", "\"{\\\"a\\\":\\\"\xEF\xBF\xBD\\\"}\""},
  };
  for (const auto& [stored, printed] : cases) {
    DocView doc;
    doc.meta_json = stored;
    EXPECT_NE(FieldsText(doc).find(std::string("\"meta\":") + printed + ",\"parser\""),
              std::string::npos)
        << FieldsText(doc);
  }
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

TEST(TextTest, ALineForFzfBeginsWithATarget) {
  SearchHit hit = MakeHit();
  hit.chunk.id = "3fa9";
  hit.chunk.heading = "a\tb\x1b[31m";
  EXPECT_EQ(FormatFzfLine(hit), "id:3fa9\t0.500  odd\\nname.md:3-9  a\\tb\\x1b[31m\n");
  hit.doc.path = "a b.md";
  hit.chunk.heading = "";
  EXPECT_EQ(FormatFzfLine(hit), "a b.md:3-9\t0.500  a b.md:3-9\n");
}

TEST(TextTest, AHeadingIsBrokenAfterWordsOnlyOnATerminal) {
  SearchHit hit = MakeHit();
  hit.snippet.reset();
  hit.chunk.heading = "Guide > Install the program > From a package";
  const std::string place = "0.500  odd\\nname.md:3-9";
  EXPECT_EQ(FormatHit(hit, {}), place + "  " + hit.chunk.heading + "\n");
  TextStyle style;
  style.columns = place.size() + 2 + hit.chunk.heading.size();
  EXPECT_EQ(FormatHit(hit, style), place + "  " + hit.chunk.heading + "\n");
  style.columns -= 1;
  EXPECT_EQ(FormatHit(hit, style), place + "\n    " + hit.chunk.heading + "\n");
  style.columns = 34;
  EXPECT_EQ(FormatHit(hit, style),
            place + "\n    Guide > Install the program >\n    From a package\n");
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
            "    lexical     rank 1     bm25     2.0717  share 0.5000\n"
            "    semantic    no rank    cosine  -0.0730  share 0.2500\n"
            "    score       0.7500 x 0.5000 = 0.3750\n");
  explain.semantic_rank = 1000;
  explain.ngrams = 180.25;
  explain.parts.ngrams = 0.125;
  explain.parts.neighbours = 0.125;
  explain.first_stage_rank = 12;
  explain.feedback = true;
  EXPECT_EQ(FormatHitExplain(explain, 1.5, {}),
            "    lexical     rank 1     bm25     2.0717  share 0.5000\n"
            "    n-grams                bm25   180.2500  share 0.1250\n"
            "    semantic    rank 1000  cosine  -0.0730  share 0.2500\n"
            "    neighbours                              share 0.1250\n"
            "    reranked    was 12     feedback\n"
            "    score       1.0000 x 1.5000 = 1.0000\n");
}

TEST(TextTest, ThePathIsAPartOfTheLexicalScore) {
  HitExplain explain;
  explain.lexical = 2;
  explain.lexical_rank = 1;
  explain.path = 0.5;
  explain.parts.lexical = 1;
  explain.parts.path = 0.25;
  EXPECT_EQ(FormatHitExplain(explain, 0.5, {}),
            "    lexical     rank 1     bm25     2.0000  share 1.0000\n"
            "      path                 bm25     0.5000  share 0.2500\n"
            "    score       1.0000 x 0.5000 = 0.5000\n");
}

TEST(TextTest, BarsHaveStepsOfAnEighthOrOfAColumn) {
  EXPECT_EQ(TextBar(0.5, 4, true), "██");
  EXPECT_EQ(TextBar(0.5, 4, false), "##");
  const std::vector<std::string> eighths = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
  for (size_t i = 0; i < eighths.size(); ++i) {
    EXPECT_EQ(TextBar(static_cast<double>(i) / 8, 1, true), eighths[i]) << i;
  }
  EXPECT_EQ(TextBar(0.0001, 10, true), "▏");  // a share above 0 is visible
  EXPECT_EQ(TextBar(0.0001, 10, false), "#");
  EXPECT_EQ(TextBar(7, 3, false), "###");
}

TEST(TextTest, OnATerminalSharesAreBarsOfOneLineAndStagesFollow) {
  HitExplain explain;
  explain.parts = {
      .lexical = 0.5, .ngrams = 0.25, .semantic = 0.125, .neighbours = 0.0625, .path = 0.125};
  explain.stages.push_back({"mmr", 2, 1, 0.5, 1, ""});
  TextStyle style = {.columns = 82, .terminal = true};  // 16 of them for the bars
  const std::string stage = "    mmr  was 2, now 1  score 0.5000 -> 1.0000\n";
  EXPECT_EQ(
      FormatHitExplain(explain, 0.5, style),
      "    lexical ######  n-grams ####  vector ##  path ##  neighbours #  x 0.500\n" + stage);
  style.utf8 = true;
  explain.parts.semantic = 0.1328125;  // 2 columns and an eighth
  EXPECT_EQ(
      FormatHitExplain(explain, 0.5, style),
      "    lexical ██████  n-grams ████  vector ██▏  path ██  neighbours █  x 0.500\n" + stage);
}

TEST(TextTest, PartsByFieldAreOneRowInPipesAndOnTerminals) {
  HitExplain explain;
  explain.lexical = 3.5;
  explain.lexical_rank = 1;
  explain.parts = {.lexical = 0.5};
  explain.fields = {{"trigger", 2.5}, {"body", 1}};
  EXPECT_EQ(FormatHitExplain(explain, 1, {}),
            "    lexical     rank 1     bm25     3.5000  share 0.5000\n"
            "      fields  trigger 2.5000, body 1.0000\n"
            "    score       0.5000 x 1.0000 = 0.5000\n");
  EXPECT_EQ(FormatHitExplain(explain, 1, {.columns = 82, .terminal = true}),
            "    lexical ########  x 1.000\n"
            "      fields  trigger 2.5000, body 1.0000\n");
}

// However wide the terminal, the line of bars fits unless the window is very narrow.
TEST(TextTest, TheLineOfBarsFitsTheWindow) {
  HitExplain explain;
  explain.parts = {.lexical = 0.4, .ngrams = 0.4, .semantic = 0.1, .neighbours = 0.1, .path = 0.1};
  for (size_t columns = 74; columns < 200; ++columns) {
    const TextStyle style = {.columns = columns, .terminal = true};
    EXPECT_LE(FormatHitExplain(explain, 0.5, style).size(), columns) << columns;
  }
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
  style.columns = 24;  // 20 columns after the indentation
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
  AddProgress progress;
  progress.files_done = 5;
  progress.files_total = 10;
  progress.bytes_done = 42;
  progress.bytes_total = 100;
  EXPECT_EQ(FormatProgress(progress, 2'000'000, 200),
            "[==========>             ] 42%  5/10 files  42 B, 21 B/s, 3 s left");
  EXPECT_EQ(FormatProgress(progress, 0, 10).size(), 10u);
  EXPECT_EQ(FormatProgress(AddProgress(), 0, 200).substr(0, 2), "[>");
  AddProgress unknown_total;
  unknown_total.files_done = 7;
  EXPECT_EQ(FormatProgress(unknown_total, 1'000'000, 200, "documents"),
            "7 documents, 7 per second");
  AddProgress documents = unknown_total;
  documents.files_total = 3607;
  EXPECT_EQ(FormatProgress(documents, 1'000'000, 200, "documents"),
            "[>                       ] 0%  7/3607 documents, 7 per second, 9 min left");
  progress.bytes_done = 1000;  // more than the total: files grew while they were read
  EXPECT_NE(FormatProgress(progress, 0, 200).find("100%"), std::string::npos);
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kTraining, 0, 0};
  EXPECT_EQ(FormatProgress(progress, 0, 200), "training on all texts");
  EXPECT_EQ(FormatProgress(progress, 0, 10), "training o");
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kVectors, 30, 40};
  EXPECT_EQ(FormatProgress(progress, 3'000'000, 200),
            "[==================>     ] 75%  30/40 vectors, 10 per second, 1 s left");
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kWords, 0, 12};
  EXPECT_EQ(FormatProgress(progress, 0, 200), "[>                       ] 0%  0/12 posting lists");
}

TEST(TextTest, ProgressOfCompactHasRateAndTimeLeftWhereTheTotalIsKnown) {
  EXPECT_EQ(FormatProgress(CompactProgress{"rewriting the file"}, 2'000'000, 200),
            "rewriting the file");
  EXPECT_EQ(FormatProgress(CompactProgress{"deleting documents", 50, 100}, 2'000'000, 200),
            "[============>           ] 50%  deleting documents, 50/100 chunks, 25 per second, 2 s "
            "left");
  const CompactProgress vectors{"training on the texts", 0, 0,
                                DerivedDataProgress{DerivedDataStage::kVectors, 30, 40}};
  EXPECT_EQ(FormatProgress(vectors, 3'000'000, 200),
            "[==================>     ] 75%  30/40 vectors, 10 per second, 1 s left");
  EXPECT_EQ(FormatProgress(vectors, 3'000'000, 10).size(), 10u);
}

TEST(TextTest, ProgressForProgramsSaysTheStage) {
  AddProgress progress;
  progress.files_done = 5;
  progress.files_total = 10;
  progress.added = 4;
  Json json = Json::parse(FormatProgressJson(progress, 2'500'000));
  EXPECT_EQ(json["stage"], "documents");
  EXPECT_EQ(json["stage_done"], 5);
  EXPECT_EQ(json["stage_total"], 10);
  EXPECT_EQ(json["stage_elapsed_ms"], 2500);
  EXPECT_EQ(json["stage_left_ms"], 2500);
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kTraining, 0, 0};
  json = Json::parse(FormatProgressJson(progress, 2'500'000));
  EXPECT_EQ(json["stage"], "learning");
  EXPECT_EQ(json["stage_total"], nullptr);
  EXPECT_EQ(json["stage_left_ms"], nullptr);
  progress.catch_up = DerivedDataProgress{DerivedDataStage::kWords, 3, 12};
  json = Json::parse(FormatProgressJson(progress, 2'500'000));
  EXPECT_EQ(json["stage"], "words");
  EXPECT_EQ(json["stage_done"], 3);
  EXPECT_EQ(json["stage_total"], 12);
  EXPECT_EQ(json["documents"], 5);
  EXPECT_EQ(json["added"], 4);
}

}  // namespace
}  // namespace recall
