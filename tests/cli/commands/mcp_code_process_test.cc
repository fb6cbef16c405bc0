// The tools `grep` and `symbols` of `recall mcp`. The oracle is the command line. Built with
// grammars only.

#include <set>

#include "index/subword/token_estimate.h"
#include "tests/cli/mcp_client.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class McpCodeTest : public RecallTest {
 protected:
  void SetUp() override {
    RecallTest::SetUp();
    Write("src/store.py",
          "class Store:\n"
          "    def commit(self):\n"
          "        return 1\n"
          "\n"
          "    def close(self):\n"
          "        self.commit()\n"
          "        return self.commit()\n");
    Write("src/main.py", "import store\n\ndef run():\n    store.Store().commit()\n");
    Write("docs/commit.md", "# Commits\n\nA commit is `-x(1)`.\n");
    for (int i = 0; i < 40; ++i) {
      std::string text;
      for (int line = 0; line < 10; ++line) {
        text += "frequent " + std::to_string(i) + " of " + std::to_string(line) + "\n";
      }
      Write("notes/n" + std::to_string(i) + ".txt", text);
    }
    ASSERT_EQ(Run({"init"}).exit, 0);
    ASSERT_EQ(Run({"add", "src", "docs", "notes"}).exit, 0);
  }

  McpClient Serve(std::vector<std::string> args = {}) {
    args.insert(args.begin(), "mcp");
    return McpClient(StartConversation(args, RunOptions()));
  }

  // "path:line" of each line that the command finds.
  std::multiset<std::string> PlacesByGrep(std::vector<std::string> args) {
    args.insert(args.begin(), {"grep", "--json", "-k", "100000"});
    const Json answer = Json::parse(Run(args).out);
    std::multiset<std::string> places;
    for (const Json& document : answer["results"]) {
      for (const Json& line : document["lines"]) {
        places.insert(document["doc"]["path"].get<std::string>() + ":" +
                      std::to_string(line["line"].get<int>()));
      }
    }
    return places;
  }
};

std::vector<Json> RowsOf(const ToolResponse& answer) {
  EXPECT_FALSE(answer.error) << answer;
  std::vector<Json> rows;
  for (const std::string& line : answer.Lines()) rows.push_back(Json::parse(line));
  if (!rows.empty()) rows.pop_back();
  return rows;
}

std::multiset<std::string> PlacesOf(const std::vector<Json>& rows) {
  std::multiset<std::string> places;
  for (const Json& row : rows) {
    places.insert(row["path"].get<std::string>() + ":" + row["lines"].get<std::string>());
  }
  return places;
}

TEST_F(McpCodeTest, LinesAreThoseOfTheCommandLine) {
  McpClient client = Serve();
  const auto places = [&](const Json& arguments) {
    return PlacesOf(RowsOf(client.Call("grep", arguments)));
  };
  EXPECT_EQ(places({{"pattern", "commit"}}), PlacesByGrep({"commit"}));
  EXPECT_EQ(places({{"pattern", "COMMIT"}, {"ignore_case", true}}), PlacesByGrep({"-i", "COMMIT"}));
  EXPECT_EQ(places({{"regex", "-x(1)"}, {"literal", true}}), PlacesByGrep({"-F", "--", "-x(1)"}));
  EXPECT_EQ(places({{"query", "\\bcommit\\("}, {"path", "src"}}),
            PlacesByGrep({"\\bcommit\\(", "src"}));
  EXPECT_EQ(places({{"pattern", "commit"}, {"paths", {"docs", "src/main.py"}}}),
            PlacesByGrep({"commit", "docs", "src/main.py"}));
  EXPECT_EQ(places({{"pattern", "commit"}, {"filter", "doc.path GLOB 'docs/**'"}}),
            PlacesByGrep({"commit", "--filter", "doc.path GLOB 'docs/**'"}));
  const std::vector<Json> rows = RowsOf(client.Call("grep", {{"pattern", "return 1"}}));
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0],
            (Json{{"path", "src/store.py"}, {"lines", "3"}, {"text", "        return 1"}}));
  // What a row names is what `get` reads.
  EXPECT_NE(client.Call("get", {{"target", "src/store.py:3"}}).text.find("return 1"),
            std::string::npos);
}

TEST_F(McpCodeTest, PartsOfTheLinesMakeTheWhole) {
  McpClient client = Serve();
  std::multiset<std::string> got;
  Json part = {{"pattern", "frequent"}, {"k", 70}, {"budget_tokens", 900}};
  for (int parts = 0; parts < 100; ++parts) {
    const ToolResponse answer = client.Call("grep", part);
    ASSERT_FALSE(answer.error) << answer;
    EXPECT_LE(EstimateTokens(answer.text), 900);
    const auto places = PlacesOf(RowsOf(answer));
    ASSERT_FALSE(places.empty());
    got.insert(places.begin(), places.end());
    const Json totals = answer.Totals();
    EXPECT_EQ(totals["total"], 400);
    if (!totals.contains("cursor")) break;
    part["cursor"] = totals["cursor"];
    // The rest is of the commit of the first part.
    Write("notes/n0.txt", "nothing " + std::to_string(parts) + "\n");
    ASSERT_EQ(Run({"add", "notes/n0.txt"}).exit, 0);
  }
  EXPECT_EQ(got.size(), 400u);
  EXPECT_EQ(std::set<std::string>(got.begin(), got.end()).size(), 400u);
}

TEST_F(McpCodeTest, DefinitionsAndTheirUsesAreFound) {
  McpClient client = Serve();
  const auto rows = [&](const Json& arguments) {
    return RowsOf(client.Call("symbols", arguments));
  };
  const Json commit = {
      {"path", "src/store.py"}, {"lines", "2-3"}, {"kind", "method"}, {"name", "Store::commit"}};
  EXPECT_EQ(rows({{"name", "commit"}}), std::vector<Json>{commit});
  EXPECT_EQ(rows({{"symbol", "Store::commit"}, {"kind", "method"}}), std::vector<Json>{commit});
  EXPECT_TRUE(rows({{"name", "commit"}, {"kind", "class"}}).empty());
  EXPECT_EQ(PlacesOf(rows({{"name", "commit"}, {"relation", "references"}})),
            (std::multiset<std::string>{"src/store.py:6", "src/store.py:7", "src/main.py:4"}));
  const Json close = {{"path", "src/store.py"},
                      {"lines", "5-7"},
                      {"kind", "method"},
                      {"name", "Store::close"},
                      {"calls", "6, 7"}};
  const std::vector<Json> callers = rows({{"name", "commit"}, {"relation", "callers"}});
  EXPECT_EQ(callers.size(), 2u);
  EXPECT_NE(std::find(callers.begin(), callers.end(), close), callers.end());
  Json called = commit;
  called["calls"] = "6, 7";
  EXPECT_EQ(rows({{"name", "Store::close"}, {"relation", "callees"}}), std::vector<Json>{called});
}

TEST_F(McpCodeTest, AMapFitsItsBudget) {
  McpClient client = Serve();
  const ToolResponse map = client.Call("map", {{"budget_tokens", 200}});
  ASSERT_FALSE(map.error) << map;
  EXPECT_LE(EstimateTokens(map.text), 200) << map;
  EXPECT_NE(map.text.find("src/store.py\n"), std::string::npos) << map;
  EXPECT_NE(map.text.find("2:     def commit(self):\n"), std::string::npos) << map;
  EXPECT_EQ(map.Totals()["definitions"], 4);
  const ToolResponse part = client.Call("map", {{"path", "src/main.py"}, {"about", "run"}});
  EXPECT_EQ(part.text.find("store.py"), std::string::npos) << part;
  EXPECT_NE(part.text.find("def run():"), std::string::npos) << part;
  const ToolResponse structured =
      Serve({"--structured"}).Call("map", {{"filter", "doc.path GLOB 'src/main*'"}});
  EXPECT_NE(structured.structured["text"].get<std::string>().find("run"), std::string::npos);
}

TEST_F(McpCodeTest, AScopeHoldsForLinesAndUses) {
  McpClient client = Serve({"--scope", "doc.path GLOB 'src/main*'"});
  EXPECT_EQ(PlacesOf(RowsOf(client.Call("grep", {{"pattern", "commit"}}))),
            std::multiset<std::string>{"src/main.py:4"});
  const ToolResponse uses =
      client.Call("symbols", {{"name", "commit"}, {"relation", "references"}});
  for (const Json& row : RowsOf(uses)) EXPECT_EQ(row["path"], "src/main.py");
  EXPECT_EQ(uses.text.find("store.py"), std::string::npos) << uses;
}

TEST_F(McpCodeTest, ErrorsSayWhatToDo) {
  McpClient client = Serve();
  const ToolResponse pattern = client.Call("grep", {{"pattern", "a("}});
  EXPECT_TRUE(pattern.error);
  EXPECT_NE(pattern.text.find("regular expression"), std::string::npos) << pattern;
  const ToolResponse relation = client.Call("symbols", {{"name", "a"}, {"relation", "uses"}});
  EXPECT_TRUE(relation.error);
  EXPECT_NE(relation.text.find("references, callers or callees"), std::string::npos) << relation;
  const ToolResponse path = client.Call("grep", {{"pattern", "a"}, {"paths", "absent"}});
  EXPECT_TRUE(path.error);
  EXPECT_EQ(path.text.substr(0, 10), "not_found:") << path;
}

}  // namespace
}  // namespace recall
