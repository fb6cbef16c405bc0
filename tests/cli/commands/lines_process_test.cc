// Adding documents as lines: `recall add --jsonl`.

#include <csignal>
#include <filesystem>

#include "storage/file_io/output_file.h"
#include "tests/cli/json_schema.h"
#include "tests/cli/recall_process.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

std::string Line(const std::string& path, const std::string& text) {
  return Json{{"path", path}, {"text", text}}.dump() + "\n";
}

// Writes a file, compressed if its name ends in ".zst".
void WriteOut(const std::string& path, const std::string& text) {
  const std::atomic<bool> cancel = false;
  auto file = OutputFile::Create(path, &cancel);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE((*file)->Write(text).ok());
  ASSERT_TRUE((*file)->Finish().ok());
}

class LinesTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  // The JSON answer of an add from standard input.
  Json Add(const std::string& lines, int exit, std::vector<std::string> args = {}) {
    args.insert(args.begin(), {"add", "--json", "--jsonl", "-"});
    const RunResult result = Run(args, {.input = lines});
    EXPECT_EQ(result.exit, exit) << result;
    return result.Json();
  }
  Json Doc(const std::string& path) {
    return Run({"get", "--json", "--", path}).Json()["get"]["doc"];
  }
};

TEST_F(LinesTest, ALineIsADocumentWithAllItsLabels) {
  Write("docs.jsonl",
        R"({"path":"tickets/1.md","text":"# Broken\n\nIt leaks.\n","tag":"bug","source":"jira",)"
        R"("mtime":"2026-02-04T09:30:00Z","meta":{"title":"Leak","size":2},"url":"x"})"
        "\n\n"
        R"({ "text": "plain", "path": "b\u002etxt" })");
  const RunResult added = Run({"add", "--jsonl", "docs.jsonl"});
  EXPECT_EQ(added.exit, 0) << added;
  EXPECT_TRUE(added.out.starts_with("Added 2, updated 0, unchanged 0 documents (2 chunks, 25 B)"))
      << added;
  const Json doc = Doc("tickets/1.md");
  EXPECT_EQ(doc["tag"], "bug");
  EXPECT_EQ(doc["source"], "jira");
  EXPECT_EQ(doc["mtime"], "2026-02-04T09:30:00Z");
  EXPECT_EQ(doc["meta"]["title"], "Leak");
  EXPECT_EQ(doc["parser"], "markdown");
  EXPECT_EQ(Doc("b.txt")["parser"], "plain");
  EXPECT_EQ(Run({"get", "tickets/1.md"}).out, "# Broken\n\nIt leaks.\n");
  EXPECT_NE(Run({"search", "leaks"}).out.find("tickets/1.md"), std::string::npos);
}

TEST_F(LinesTest, UnchangedLinesChangeNothingAndEditsReplace) {
  const std::string lines = Line("a", "one") + Line("b", "two") + Line("c", "three");
  EXPECT_EQ(Add(lines, 0)["add"]["added"], 3);
  const auto snapshot = Run({"stats", "--json"}).Json()["stats"]["snapshot"];
  EXPECT_EQ(Add(lines, 0)["add"]["unchanged"], 3);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["snapshot"], snapshot);
  const Json add = Add(Line("a", "one") + Line("b", "other") + Line("d", "four"), 0)["add"];
  EXPECT_EQ(add["unchanged"], 1);
  EXPECT_EQ(add["updated"], 1);
  EXPECT_EQ(add["added"], 1);
  EXPECT_EQ(Run({"get", "b"}).out, "other");
}

// A label that a line omits is kept, as with files; null removes it.
TEST_F(LinesTest, LabelsStayUnlessALineSaysOtherwise) {
  Add(R"({"path":"a","text":"x","tag":"t","source":"s","mtime":"2026-01-01T00:00:00Z","meta":{"k":1}})",
      0);
  EXPECT_EQ(Add(Line("a", "x"), 0)["add"]["unchanged"], 1);
  EXPECT_EQ(Doc("a")["tag"], "t");
  EXPECT_EQ(
      Add(R"({"path":"a","text":"x","tag":null,"mtime":null,"meta":null})", 0)["add"]["refreshed"],
      1);
  const Json doc = Doc("a");
  EXPECT_EQ(doc["tag"], nullptr);
  EXPECT_EQ(doc["source"], "s");
  EXPECT_EQ(doc["mtime"], "");
  EXPECT_FALSE(doc.contains("meta"));
  // Flags apply to lines without that label.
  Add(Line("b", "y") + R"({"path":"c","text":"y","tag":"own"})", 0, {"--tag", "all"});
  EXPECT_EQ(Doc("b")["tag"], "all");
  EXPECT_EQ(Doc("c")["tag"], "own");
}

TEST_F(LinesTest, ABadLineIsNamedWithItsFaultAndTheOthersGoOn) {
  struct Case {
    std::string line;
    std::string reason;
  };
  const std::string deep = "{\"path\":\"p\",\"text\":\"t\",\"meta\":" + [] {
    std::string open;
    for (int i = 0; i < 5000; ++i) open += "{\"a\":";
    return open + "1" + std::string(5000, '}');
  }() + "}";
  const Case cases[] = {
      {"nonsense", "invalid JSON (column 2)"},
      {"[1]", "not a JSON object (column 1)"},
      {R"({"text":"t"})", "\"path\" is missing"},
      {R"({"path":"p"})", "\"text\" is missing"},
      {R"({"path":7,"text":"t"})", "\"path\" is not a string"},
      {R"({"path":"","text":"t"})", "\"path\" is empty or contains a NUL"},
      {R"({"path":"a\u0000b","text":"t"})", "\"path\" is empty or contains a NUL"},
      {R"({"path":"p","text":["t"]})", "\"text\" is not a string"},
      {R"({"path":"p","text":"a\u0000b"})",
       "\"text\" cannot be added: it is not text: it has a NUL at byte 1"},
      {"{\"path\":\"p\",\"text\":\"\xff\"}", "invalid JSON: it is not UTF-8 (column 21)"},
      {R"({"path":"p","text":"\ud800"})", "invalid JSON (column 27)"},
      {std::string("{\"path\":\"p\",\"text\":\"a\0b\"}", 25), "invalid JSON (column 22)"},
      {R"({"path":"p","text":"t","tag":1})", "\"tag\" is not a string"},
      {R"({"path":"p","text":"t","mtime":"yesterday"})", "\"mtime\" is not an RFC 3339 time"},
      {R"({"path":"p","text":"t","meta":[1]})", "\"meta\" is not an object"},
      {R"({"path":"p","text":"t","path":"q"})", "\"path\" occurs twice"},
      {R"({"path":"p","text":"t","embedding":[0.5]})",
       "\"embedding\" is not accepted: the embedder of the store, lsa, computes the vectors"},
      {deep, "\"meta\" is too large: at most 100000 values and 64 levels"},
      {R"({"path":"p","text":"t")", "invalid JSON (column 23)"},
  };
  std::string lines = Line("first", "good");
  for (const Case& c : cases) lines += c.line + "\n";
  lines += Line("last", "good");
  const Json json = Add(lines, 2);
  EXPECT_EQ(json["error"]["code"], "invalid_argument");
  EXPECT_EQ(json["add"]["added"], 2);
  EXPECT_EQ(json["add"]["failed"], std::size(cases));
  ExpectSums(json["add"]);
  for (size_t i = 0; i < std::size(cases); ++i) {
    const Json& failure = json["add"]["failures"].at(i);
    EXPECT_EQ(failure["line"], i + 2);
    EXPECT_EQ(failure["reason"], cases[i].reason) << cases[i].line.substr(0, 80);
    EXPECT_EQ(json["warnings"].at(i),
              "cannot add standard input:" + std::to_string(i + 2) + ": " + cases[i].reason);
  }
  EXPECT_EQ(json["add"]["failures"][2]["path"], nullptr);
  EXPECT_EQ(json["add"]["failures"][3]["path"], "p");
}

TEST_F(LinesTest, GivesUpAfterSoManyFailuresAndKeepsWhatCameBefore) {
  const std::string lines =
      Line("a", "x") + "bad\n" + Line("b", "x") + "bad\n" + Line("c", "x") + "bad\n";
  const Json json = Add(lines, 2, {"--max-errors", "2"});
  EXPECT_EQ(json["add"]["gave_up"], true);
  EXPECT_EQ(json["add"]["failed"], 2);
  EXPECT_EQ(json["add"]["added"], 2);
  EXPECT_EQ(json["error"]["message"], "gave up after 2 lines could not be added");
  EXPECT_EQ(Run({"get", "c"}).exit, 1);
}

TEST_F(LinesTest, AHugeLineIsSkippedAsAHugeFileIs) {
  const Json json = Add(Line("a", "x") + Line("huge", std::string(100'000, 'x')) + Line("b", "x"),
                        0, {"--max-file-size", "64KiB"});
  EXPECT_EQ(json["add"]["added"], 2);
  EXPECT_EQ(json["add"]["skipped"], 1);
  EXPECT_EQ(json["warnings"][0],
            "skip standard input:2: the line exceeds the limit of 65536 bytes");
  ExpectSums(json["add"]);
}

// Lines are added in order: of two with the same path, the later one replaces the earlier.
TEST_F(LinesTest, TheLaterOfTwoLinesWithOnePathCounts) {
  std::string lines;
  for (int i = 0; i < 40; ++i)
    lines += Line("doc" + std::to_string(i % 3), "text " + std::to_string(i));
  lines += Line("doc0", "the last");
  const Json add = Add(lines, 0)["add"];
  EXPECT_EQ(add["added"], 3);
  EXPECT_EQ(add["updated"], 38);
  EXPECT_EQ(Run({"get", "doc0"}).out, "the last");
  EXPECT_EQ(Run({"get", "doc1"}).out, "text 37");
  EXPECT_EQ(Run({"get", "doc2"}).out, "text 38");
  EXPECT_EQ(Add(Line("doc0", "new") + Line("doc0", "the last"), 0)["add"]["updated"], 2);
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

TEST_F(LinesTest, PathsAreTakenAsAnImportTakesThem) {
  const Json json = Add(Line("a/../b.md", "x") + Line("/else/c", "y"), 0);
  EXPECT_EQ(json["add"]["added"], 2);
  EXPECT_EQ(Run({"get", "/else/c"}).out, "y");
  ASSERT_EQ(json["warnings"].size(), 1u) << json;
  EXPECT_NE(json["warnings"][0].get<std::string>().find("paths that are not normalised"),
            std::string::npos);
}

TEST_F(LinesTest, CompressedLinesAreReadFromFilesAndStandardInput) {
  std::string lines;
  for (int i = 0; i < 500; ++i) lines += Line("d" + std::to_string(i), "text " + std::to_string(i));
  WriteOut(Path("a.jsonl.zst"), lines);
  EXPECT_EQ(Run({"add", "--json", "--jsonl", "a.jsonl.zst"}).Json()["add"]["added"], 500);
  EXPECT_EQ(Add(Read("a.jsonl.zst"), 0)["add"]["unchanged"], 500);
}

// Lines before the damage are added, and the damage is reported.
TEST_F(LinesTest, AFileThatEndsAmidAFrameIsAnErrorAfterWhatCameBefore) {
  std::string lines;
  for (int i = 0; i < 200; ++i)
    lines += Line("d" + std::to_string(i), std::string(300, static_cast<char>(97 + i % 26)));
  WriteOut(Path("whole.zst"), lines);
  const std::string frame = Read("whole.zst");
  Write("a.jsonl.zst", frame + frame.substr(0, frame.size() / 2));
  const RunResult result = Run({"add", "--json", "--jsonl", "a.jsonl.zst"});
  EXPECT_EQ(result.exit, 4) << result;
  EXPECT_EQ(result.Json()["add"]["added"], 200);
  EXPECT_EQ(result.Json()["error"]["code"], "corruption");
}

TEST_F(LinesTest, WhatIsOfFilesOnlyIsRefused) {
  Write("docs.jsonl", Line("a", "x"));
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"docs.jsonl"},
                                             {"--glob", "*.md"},
                                             {"--ignore", "x"},
                                             {"--mtime-only"},
                                             {"--sync"},
                                             {"--no-ignore-files"},
                                             {"--files-from", "list"}}) {
    std::vector<std::string> all = {"add", "--jsonl", "docs.jsonl"};
    all.insert(all.end(), args.begin(), args.end());
    EXPECT_EQ(Run(all).exit, 2) << args[0];
  }
  EXPECT_EQ(Run({"add", "--jsonl", "recall.db"}).exit, 2);
  const RunResult text = Run({"add", "--jsonl", "docs.jsonl", "--glob", "x"});
  EXPECT_EQ(text.out, "") << "--jsonl names a file here, not a form of answers";
  EXPECT_TRUE(text.err.starts_with("error: --jsonl and --glob cannot be combined\n")) << text;
  EXPECT_EQ(Run({"add", "--jsonl", "nowhere"}).exit, 1);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 0);
}

TEST_F(LinesTest, DryRunChangesNothing) {
  const Json add = Add(Line("a", "x") + "bad\n", 2, {"--dry-run"})["add"];
  EXPECT_EQ(add["added"], 1);
  EXPECT_EQ(add["failed"], 1);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 0);
}

TEST_F(LinesTest, ProgressForProgramsIsOneObjectALine) {
  const SchemaSet schemas = SchemaSet::Load(SourceDir() + "/docs/schema");
  const RunResult result =
      Run({"add", "--jsonl", "-", "--progress", "json", "--quiet"},
          {.input = Line("a", "x") + Line("b", "y") + Line("a", "z") + "bad\n"});
  std::vector<Json> lines;
  for (size_t begin = 0; begin < result.err.size();) {
    const size_t end = result.err.find('\n', begin);
    if (result.err[begin] == '{') {
      lines.push_back(Json::parse(result.err.substr(begin, end - begin)));
      EXPECT_EQ(schemas.Violations("add-progress.schema.json", lines.back()),
                std::vector<std::string>());
    }
    begin = end + 1;
  }
  ASSERT_GE(lines.size(), 1u) << result;
  for (size_t i = 0; i + 1 < lines.size(); ++i) EXPECT_EQ(lines[i]["finished"], false);
  const Json& last = lines.back();
  EXPECT_EQ(last["finished"], true);
  EXPECT_EQ(last["stage"], "documents");
  EXPECT_EQ(last["documents"], 4);
  EXPECT_EQ(last["added"], 2);
  EXPECT_EQ(last["updated"], 1);
  EXPECT_EQ(last["failed"], 1);
}

TEST_F(LinesTest, ProgressReportsTraining) {
  std::string documents;
  for (int i = 0; i < 40; ++i) documents += Line("d" + std::to_string(i), "colour and painting");
  const RunResult result =
      Run({"add", "--jsonl", "-", "--progress", "json", "--quiet"}, {.input = documents});
  const size_t training = result.err.find("\"stage\":\"learning\"");
  const size_t vectors = result.err.find("\"stage\":\"vectors\"");
  const size_t finished = result.err.find("\"finished\":true");
  EXPECT_LT(training, vectors) << result;
  EXPECT_LT(vectors, finished) << result;
  EXPECT_NE(finished, result.err.npos) << result;
  EXPECT_EQ(result.err.find('\n', finished), result.err.size() - 1) << result;
}

// An interrupted job is continued by running it again: committed documents are found unchanged.
TEST_F(LinesTest, AKilledJobIsContinuedByRunningItAgain) {
  constexpr int kManyLines = 20'000;
  std::string lines;
  for (int i = 0; i < kManyLines; ++i) {
    lines += Line("t/" + std::to_string(i), "ticket " + std::to_string(i) + " of many\n");
  }
  Write("docs.jsonl", lines);
  const pid_t child = Start({"add", "--jsonl", "docs.jsonl"});
  const auto count = [&] {
    return Run({"stats", "--json"}).Json()["stats"]["doc_count"].get<int>();
  };
  while (count() == 0) {
  }
  ::kill(child, SIGKILL);
  Wait(child);
  const int committed = count();
  const Json add = Run({"add", "--json", "--jsonl", "docs.jsonl"}).Json()["add"];
  EXPECT_EQ(add["unchanged"], committed);
  EXPECT_EQ(add["added"], kManyLines - committed);
  EXPECT_EQ(count(), kManyLines);
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

}  // namespace
}  // namespace recall
