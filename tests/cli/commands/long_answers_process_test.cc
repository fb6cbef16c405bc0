// Answers of `query` that are longer than what is held back: their bytes, and what is printed where
// a row cannot be read.

#include <fstream>
#include <iterator>
#include <sstream>

#include "storage/sqlite/connection.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kDocs = 24;
constexpr const char* kAll = "FROM chunk LIMIT 100000 SELECT doc.path, chunk.text";
constexpr const char* kLast = "FROM chunk FILTER doc.path = '23.txt' LIMIT 1 SELECT chunk.text";

// Two megabytes of text, so that an answer is longer than what is held back.
class LongAnswersTest : public RecallTest {
 protected:
  void SetUp() override {
    RecallTest::SetUp();
    ASSERT_EQ(Run({"init", "--embedder", "hash"}).exit, 0);
    for (int i = 0; i < kDocs; ++i) Write(Name(i), TextOf(i));
    ASSERT_EQ(Run({"add", "."}).exit, 0);
  }

  static std::string Name(int i) { return (i < 10 ? "0" : "") + std::to_string(i) + ".txt"; }

  static std::string TextOf(int i) {
    std::string text;
    while (text.size() < 90'000)
      text += "line " + std::to_string(text.size() * 31 + i) + " of it\n";
    return text;
  }

  // The last document can no longer be read.
  void DamageLast() {
    const auto connection =
        Connection::Open(Path("recall.db"), {.mode = ConnectionMode::kReadWrite});
    ASSERT_TRUE(connection.has_value());
    ASSERT_TRUE((*connection)
                    ->Execute("UPDATE text_block SET data = zeroblob(9) WHERE id = "
                              "(SELECT max(id) FROM text_block)")
                    .ok());
  }

  std::string ReadFile(const std::string& name) const {
    std::ifstream file(Path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static std::vector<std::string> LinesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
};

// The rows of pages that are held back are those of one answer that is not.
TEST_F(LongAnswersTest, ALongAnswerHasTheRowsOfItsPages) {
  const RunResult whole = Run({"query", "--json", kAll});
  ASSERT_EQ(whole.exit, 0) << whole.err;
  ASSERT_GT(whole.out.size(), size_t{2} << 20);
  const Json answer = whole.Json();
  EXPECT_EQ(KeysOf(answer),
            (std::vector<std::string>{"ok", "schema_version", "query", "results", "stats"}));
  const Json& rows = answer["results"];
  EXPECT_EQ(answer["stats"]["total_hits"], rows.size());
  Json of_pages = Json::array();
  for (size_t offset = 0; offset < rows.size(); offset += 50) {
    const RunResult page = Run(
        {"query", "--json",
         "FROM chunk LIMIT 50 OFFSET " + std::to_string(offset) + " SELECT doc.path, chunk.text"});
    ASSERT_EQ(page.exit, 0) << page.err;
    ASSERT_LT(page.out.size(), size_t{1} << 20);
    const Json read = page.Json();
    for (const Json& row : read["results"]) of_pages.push_back(row);
  }
  EXPECT_EQ(rows, of_pages);
  const RunResult lines = Run({"query", "--jsonl", kAll});
  EXPECT_EQ(LinesOf(lines.out).size(), rows.size() + 1);
  const RunResult cells = Run({"query", kAll});
  EXPECT_EQ(LinesOf(cells.out).size(), rows.size());
}

TEST_F(LongAnswersTest, AnErrorOfAShortAnswerIsTheAnswer) {
  DamageLast();
  const RunResult result = Run({"query", "--json",
                                "FROM chunk FILTER doc.path = '23.txt' "
                                "LIMIT 100000 SELECT chunk.text"});
  EXPECT_NE(result.exit, 0);
  const Json answer = result.Json();
  EXPECT_EQ(answer["ok"], false);
  EXPECT_EQ(answer["error"]["code"], "corruption");
  EXPECT_FALSE(answer.contains("results"));
  EXPECT_EQ(Run({"query", "--json", kLast}).exit, 0);
}

// No reader takes the rows before an error for all of them.
TEST_F(LongAnswersTest, AnErrorWithinALongAnswerLeavesItUnfinished) {
  DamageLast();
  const ShellResult shell = RunShell(
      "recall query --json " + ShellQuoted(kAll) + " > out.json 2> err.txt; echo $?", directory());
  const std::string json = ReadFile("out.json");
  EXPECT_GT(json.size(), size_t{1} << 20);
  EXPECT_FALSE(Json::accept(json));
  EXPECT_TRUE(ReadFile("err.txt").starts_with("error: ")) << ReadFile("err.txt");

  const ShellResult of_lines =
      RunShell("recall query --jsonl " + ShellQuoted(kAll) + " > out.jsonl 2> err.txt; echo $?",
               directory());
  EXPECT_EQ(of_lines.out, shell.out);
  EXPECT_EQ(ReadFile("err.txt"), "");
  const std::vector<std::string> printed = LinesOf(ReadFile("out.jsonl"));
  EXPECT_EQ(Json::parse(printed.front())["type"], "meta");
  EXPECT_EQ(Json::parse(printed[1])["type"], "result");
  const Json last = Json::parse(printed.back());
  EXPECT_EQ(last["type"], "error");
  EXPECT_EQ(last["error"]["code"], "corruption");

  const RunResult text = Run({"query", kAll});
  EXPECT_EQ(std::to_string(text.exit) + "\n", shell.out);
  EXPECT_TRUE(text.out.starts_with("00.txt\t"));
  EXPECT_TRUE(text.err.starts_with("error: ")) << text.err.substr(0, 200);
}

TEST_F(LongAnswersTest, AReaderMayLeaveEarly) {
  const std::string query = ShellQuoted(kAll);
  const ShellResult shell =
      RunShell("recall query " + query + " | head -n 1 | cut -f 1; recall query --json " + query +
                   " | head -c 1; recall query --jsonl " + query + " | head -n 1 | cut -c 1-14",
               directory());
  EXPECT_EQ(shell.exit, 0);
  EXPECT_EQ(shell.out, "00.txt\n{{\"type\":\"meta\"\n");
}

}  // namespace
}  // namespace recall
