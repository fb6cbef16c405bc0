// What the functions give, with the program as the oracle, and what SQLite is told to leave to
// them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/cli/sqlite/sql_fixture.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class SqlSearchTest : public SqlTest {
 protected:
  void SetUp() override { MakeStore(); }
};

// Numbers of an answer are compared as numbers: the JSON library writes them in another way.
void ExpectSameJson(const std::string& found, const std::string& printed) {
  EXPECT_EQ(Json::parse(found), Json::parse(printed));
}

TEST_F(SqlSearchTest, WholeAnswersHaveTheBytesOfTheProgram) {
  SqlConnection sql(Path("recall.db"));
  sql.Do(R"(SELECT recall_options('{"stable": true}'))");
  for (const auto& [sql_text, args] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"SELECT DISTINCT answer FROM recall_search('fish')", {"search", "fish", "--cite"}},
           {"SELECT DISTINCT answer FROM recall_search('fish', 1)",
            {"search", "fish", "--cite", "--k", "1"}},
           {"SELECT DISTINCT answer FROM recall_search('fish', NULL, 'doc.tag = ''birds''')",
            {"search", "fish", "--cite", "--filter", "doc.tag = 'birds'"}},
           {"SELECT DISTINCT answer FROM recall_context('fish', 100)",
            {"context", "fish", "--cite", "--budget-tokens", "100"}},
           {"SELECT DISTINCT answer FROM recall_similar('birds/heron.md')",
            {"similar", "birds/heron.md", "--cite"}},
           {"SELECT DISTINCT answer FROM recall_query('FROM doc SELECT doc.path, doc.size')",
            {"query", "FROM doc SELECT doc.path, doc.size"}},
           {"SELECT recall_call('stats')", {"stats"}},
           {"SELECT recall_call('ls', '{\"k\": 2}')", {"ls", "--k", "2"}}}) {
    std::vector<std::string> printed = args;
    printed.insert(printed.begin() + 1, {"--json", "--stable"});
    const RunResult run = Run(printed);
    ASSERT_EQ(run.exit, 0) << run.err;
    EXPECT_EQ(sql.Value(sql_text) + "\n", run.out) << sql_text;
  }
}

TEST_F(SqlSearchTest, RowsAreTheResults) {
  SqlConnection sql(Path("recall.db"));
  const Json results = Printed({"search", "fish", "--cite"})["results"];
  ASSERT_GT(results.size(), 1u);
  const SqlRows rows = sql.Rows(
      "SELECT rank, path, citation, heading, start_line, end_line, tag, json, typeof(score), text, "
      "snippet FROM recall_search('fish')");
  ASSERT_EQ(rows.size(), results.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    const Json& result = results[i];
    EXPECT_EQ(rows[i][0], std::to_string(i + 1));
    EXPECT_EQ(rows[i][1], result["doc"]["path"]);
    EXPECT_EQ(rows[i][2], result["cite"]);
    EXPECT_EQ(rows[i][3], result["chunk"]["heading"]);
    EXPECT_EQ(rows[i][4], std::to_string(result["chunk"]["start_line"].get<int>()));
    EXPECT_EQ(rows[i][5], std::to_string(result["chunk"]["end_line"].get<int>()));
    EXPECT_EQ(rows[i][6], result["doc"]["tag"].is_null() ? Json("NULL") : result["doc"]["tag"]);
    ExpectSameJson(rows[i][7], result.dump());
    EXPECT_EQ(rows[i][8], "real");
    EXPECT_EQ(rows[i][9], result["chunk"]["text"]);
    EXPECT_EQ(rows[i][10], result["snippet"]["text"]);
  }
}

TEST_F(SqlSearchTest, ContextAndQueryHaveColumnsOfTheirOwn) {
  SqlConnection sql(Path("recall.db"));
  const Json context = Printed({"context", "fish", "--cite", "--budget-tokens", "200"})["context"];
  const SqlRows rows = sql.Rows(
      "SELECT path, tokens, truncated, context, used_tokens FROM recall_context('fish', 200)");
  ASSERT_EQ(rows.size(), context["chunks"].size());
  EXPECT_EQ(rows[0][0], context["chunks"][0]["path"]);
  EXPECT_EQ(rows[0][1], std::to_string(context["chunks"][0]["tokens"].get<int>()));
  EXPECT_EQ(rows[0][2], "0");
  EXPECT_EQ(rows[0][3], context["text"]);
  EXPECT_EQ(rows[0][4], std::to_string(context["used_tokens"].get<int>()));
  EXPECT_EQ(sql.Rows("SELECT path, json ->> '$.doc.size' FROM recall_query('FROM doc SELECT "
                     "doc.path, doc.size') ORDER BY path"),
            (SqlRows{{"birds/heron.md", "59"}, {"birds/kingfisher.md", "55"}, {"plan.txt", "54"}}));
}

TEST_F(SqlSearchTest, IsJoinedWithTablesAndCalledForEachRow) {
  SqlConnection sql(Path("recall.db"));
  sql.Do(
      "ATTACH ':memory:' AS own;"
      "CREATE TABLE own.owner(path TEXT PRIMARY KEY, name TEXT);"
      "INSERT INTO owner VALUES('birds/heron.md', 'Ann'), ('plan.txt', 'Bob');"
      "CREATE TABLE own.question(text TEXT); INSERT INTO question VALUES('heron'), ('retry')");
  EXPECT_EQ(sql.Rows("SELECT found.path, name FROM recall_search('fish wait', 10) AS found JOIN "
                     "owner ON owner.path = found.path ORDER BY name"),
            (SqlRows{{"birds/heron.md", "Ann"}, {"plan.txt", "Bob"}}));
  EXPECT_EQ(sql.Rows("SELECT question.text, found.path FROM question, "
                     "recall_search(question.text, 1) AS found ORDER BY 1"),
            (SqlRows{{"heron", "birds/heron.md"}, {"retry", "plan.txt"}}));
  EXPECT_EQ(sql.Rows("SELECT * FROM owner WHERE path IN (SELECT path FROM recall_search('heron'))"),
            (SqlRows{{"birds/heron.md", "Ann"}}));
}

TEST_F(SqlSearchTest, LimitTakesThePlaceOfK) {
  for (int i = 0; i < 30; ++i) {
    Write("many/" + std::to_string(i) + ".md", "Otters swim, number " + std::to_string(i) + ".\n");
  }
  ASSERT_EQ(Run({"add", "many"}).exit, 0);
  SqlConnection sql(Path("recall.db"));
  const auto count = [&](const std::string& from) {
    return sql.Value("SELECT count(*) FROM (SELECT path FROM " + from + ")");
  };
  EXPECT_EQ(count("recall_search('otters')"), "8");
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('otters') LIMIT 20").size(), 20u);
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('otters') ORDER BY rank LIMIT 20").size(),
            20u);
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('otters') LIMIT -1").size(), 30u);
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('otters') LIMIT 0").size(), 0u);
  const auto all = sql.Values("SELECT path FROM recall_search('otters', 30)");
  const auto page = sql.Values("SELECT path FROM recall_search('otters') LIMIT 5 OFFSET 20");
  EXPECT_EQ(page, std::vector<std::string>(all.begin() + 20, all.begin() + 25));
  // Another condition could leave too few of them, so the LIMIT is not used.
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('otters') WHERE path > '' LIMIT 20").size(),
            8u);
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('otters', 3) LIMIT 20").size(), 3u);
}

TEST_F(SqlSearchTest, PlansTellWhatTheFunctionHasGot) {
  SqlConnection sql(Path("recall.db"));
  const std::string limited =
      sql.Plan("SELECT path FROM recall_search('fish') ORDER BY rank LIMIT 3");
  EXPECT_NE(limited.find("query,limit,rank"), std::string::npos) << limited;
  EXPECT_EQ(limited.find("TEMP B-TREE"), std::string::npos) << limited;
  const std::string sorted = sql.Plan("SELECT path FROM recall_search('fish') ORDER BY score");
  EXPECT_NE(sorted.find("TEMP B-TREE"), std::string::npos) << sorted;
  const std::string offset = sql.Plan("SELECT path FROM recall_search('fish') LIMIT 3 OFFSET 4");
  EXPECT_NE(offset.find("query,limit,offset"), std::string::npos) << offset;
  const std::string filtered =
      sql.Plan("SELECT path FROM recall_search('fish', 3, 'doc.tag = ''birds''')");
  EXPECT_NE(filtered.find("query,k,filter"), std::string::npos) << filtered;
  EXPECT_EQ(sql.Plan("SELECT path FROM recall_search('fish') ORDER BY score LIMIT 3").find("limit"),
            std::string::npos);
}

TEST_F(SqlSearchTest, ValuesOfTargets) {
  SqlConnection sql(Path("recall.db"));
  const std::string citation = Printed({"get", "birds/heron.md:3-3", "--cite"})["get"]["cite"];
  EXPECT_EQ(sql.Value("SELECT recall_cite('birds/heron.md:3-3')"), citation);
  EXPECT_EQ(sql.Value("SELECT recall_get('" + citation + "')"),
            "Herons stand still at the pond and wait for fish.\n");
  EXPECT_EQ(sql.Value("SELECT recall_cite(NULL)"), "NULL");
  EXPECT_EQ(sql.Value("SELECT recall_get('plan.txt', 'main')"),
            "The retry policy doubles the wait after each failure.\n");
  EXPECT_NE(sql.Error("SELECT recall_get('nowhere.md')").find("nowhere.md"), std::string::npos);
}

TEST_F(SqlSearchTest, WrongInputIsAnErrorThatSaysWhy) {
  SqlConnection sql(Path("recall.db"));
  const auto expect = [&](const std::string& statement, const std::string& part) {
    const std::string message = sql.Error(statement);
    EXPECT_NE(message.find(part), std::string::npos) << statement << ": " << message;
  };
  expect("SELECT * FROM recall_search", "the argument 'query' is missing");
  expect("SELECT * FROM recall_search('')", "the query is empty");
  expect("SELECT * FROM recall_search('x', 0)", "recall_search: ");
  expect("SELECT * FROM recall_search('x', 'many')", "recall_search: ");
  expect("SELECT * FROM recall_search('x', 100000)", "exceeds the limit");
  expect("SELECT * FROM recall_search('x', 3, 'doc.path =')", "recall_search: ");
  expect("SELECT * FROM recall_search(x'00ff')", "not a BLOB");
  expect("SELECT * FROM recall_search('a' || char(0) || 'b')", "without zero bytes");
  expect("SELECT * FROM recall_search(CAST(x'ff' AS TEXT))", "not UTF-8");
  expect("SELECT * FROM recall_search('x', 3, NULL, NULL, 'no json')", "recall_search: ");
  expect("SELECT * FROM recall_search('x', 3, NULL, NULL, '{\"no_member\": 1}')", "no_member");
  expect("SELECT * FROM recall_query('SELECT')", "recall_query: ");
  expect("SELECT * FROM recall_similar('nowhere.md')", "nowhere.md");
  expect("SELECT * FROM recall_search('x', 3, NULL, '/nowhere/recall.db')", "/nowhere/recall.db");
  expect("SELECT recall_call('rm', '{\"path\": \"plan.txt\"}')", "there is no command 'rm'");
  expect("SELECT recall_options('{\"create\": 1}')", "create");
  EXPECT_EQ(sql.Rows("SELECT * FROM recall_search(NULL)").size(), 0u);
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('plan')").size(), 1u) << "it still works";
}

TEST_F(SqlSearchTest, OptionsHoldForAConnection) {
  SqlConnection sql(Path("recall.db"));
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('fish wait')").size(), 3u);
  sql.Do(R"(SELECT recall_options('{"scope": "doc.tag = ''birds''"}'))");
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('fish wait')").size(), 2u);
  sql.Do("SELECT recall_options('')");
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('fish wait')").size(), 3u);
}

// A file that came from others could otherwise have other files read.
TEST_F(SqlSearchTest, ViewsAndTriggersOfAFileMayNotCallThem) {
  SqlConnection sql(Path("own.db"));
  const std::string in_store = ", 3, NULL, '" + Path("recall.db") + "')";
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('heron'" + in_store).size(), 1u);
  sql.Do("CREATE VIEW spy AS SELECT path FROM recall_search('heron'" + in_store);
  EXPECT_NE(sql.Error("SELECT * FROM spy"), "");
  sql.Do("CREATE VIEW reader AS SELECT recall_get('plan.txt', '" + Path("recall.db") + "')");
  EXPECT_NE(sql.Error("SELECT * FROM reader"), "");
}

}  // namespace
}  // namespace recall
