// RQL and filters on the command line: query, and --filter of search, context and rm.

#include <set>
#include <sstream>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class QueryTest : public RecallTest {
 protected:
  // Adds twelve notes of two sizes and three tags, and one document without words.
  void MakeNotes() {
    ASSERT_EQ(Run({"init"}).exit, 0);
    for (int i = 0; i < 12; ++i) {
      const std::string tag = i % 3 == 0 ? "red" : i % 3 == 1 ? "green" : "blue";
      const std::string name = "n/" + tag + "/" + std::to_string(i) + ".md";
      Write(name,
            "# Note " + std::to_string(i) + "\n\n" +
                (i % 2 ? "needle in a haystack\n" : "a needle, a longer text, and more hay\n"));
    }
    Write("empty.txt", "");
    for (const char* tag : {"red", "green", "blue"}) {
      ASSERT_EQ(Run({"add", "n/" + std::string(tag), "--tag", tag}).exit, 0);
    }
    ASSERT_EQ(Run({"add", "empty.txt"}).exit, 0);
  }

  std::vector<std::string> Lines(const std::vector<std::string>& args) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    EXPECT_TRUE(result.err.empty() || result.err.starts_with("warning: no results: ")) << result;
    std::vector<std::string> lines;
    std::istringstream stream(result.out);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
};

constexpr const char* kPaths = "FROM doc FILTER doc.tag = 'red' SELECT doc.path";

TEST_F(QueryTest, CellsAndJsonTellTheSame) {
  MakeNotes();
  const std::string rql =
      "FROM doc FILTER doc.tag = 'red' ORDER BY doc.path ASC SELECT doc.tag, doc.path, doc.source";
  const std::vector<std::string> red = {"n/red/0.md", "n/red/3.md", "n/red/6.md", "n/red/9.md"};
  std::vector<std::string> cells;
  for (const std::string& path : red) cells.push_back("red\t" + path + "\t");
  EXPECT_EQ(Lines({"query", rql}), cells);

  const Json json = Run({"query", "--json", rql}).Json();
  EXPECT_EQ(KeysOf(json),
            (std::vector<std::string>{"ok", "schema_version", "query", "results", "stats"}));
  ASSERT_EQ(json["results"].size(), red.size());
  for (size_t i = 0; i < red.size(); ++i) {
    EXPECT_EQ(json["results"][i].dump(),
              R"({"doc":{"path":")" + red[i] + R"(","tag":"red","source":null}})");
  }
  EXPECT_EQ(json["query"]["text"], "");
  EXPECT_EQ(json["query"]["mode"], "structured");
  EXPECT_EQ(json["query"]["filters"], "doc.tag = 'red'");
  EXPECT_EQ(json["query"]["limit"], 1000);
  EXPECT_EQ(json["stats"]["total_hits"], 4);
}

TEST_F(QueryTest, ExactlyOneSource) {
  MakeNotes();
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"query"},
                                             {"query", kPaths, "--rql", kPaths},
                                             {"query", kPaths, "--rql-stdin"},
                                             {"query", "--rql", kPaths, "--rql-stdin"},
                                             {"query", "--rql", ""},
                                             {"query", ""},
                                             {"query", "--rql-stdin"}}) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 2) << result;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("\nhint: "), std::string::npos) << result;
  }
}

TEST_F(QueryTest, AnySourceGivesTheSameBytes) {
  MakeNotes();
  Write("red.rql", kPaths);
  Write("marked.rql", std::string("\xEF\xBB\xBF") + kPaths + ";\n");
  const std::string answer = Run({"query", "--json", kPaths}).out;
  const RunOptions piped = {.input = kPaths};
  EXPECT_EQ(Run({"query", "--json", "--rql", kPaths}).out, answer);
  EXPECT_EQ(Run({"query", "--json", "FROM", "doc", "FILTER", "doc.tag = 'red'", "SELECT path"}).out,
            answer);
  EXPECT_EQ(Run({"query", "--json", "@red.rql"}).out, answer);
  EXPECT_EQ(Run({"query", "--json", "--rql", "@red.rql"}).out, answer);
  EXPECT_EQ(Run({"query", "--json", "--rql", "@marked.rql"}).out, answer);
  EXPECT_EQ(Run({"query", "--json", "--rql-stdin"}, piped).out, answer);
  EXPECT_EQ(Run({"query", "--json", "-"}, piped).out, answer);
  EXPECT_EQ(Run({"query", "--json", "--rql", "@-"}, piped).out, answer);
}

TEST_F(QueryTest, FilesThatAreTooLargeOrMissingAreErrors) {
  MakeNotes();
  Write("long.rql", std::string((1 << 20) + 1, ' '));
  for (const std::string file : {"@nowhere.rql", "@n", "@long.rql", "@"}) {
    for (const std::vector<std::string>& args :
         std::vector<std::vector<std::string>>{{"query", "--rql", file},
                                               {"search", "x", "--filter", file},
                                               {"rm", "--filter", file}}) {
      const RunResult result = Run(args);
      EXPECT_EQ(result.exit, file == "@nowhere.rql" ? 1 : 2) << result;
      EXPECT_TRUE(result.err.starts_with("error: ")) << result;
    }
  }
}

TEST_F(QueryTest, CanonicalNeedsNoStoreAndIsAFixedPoint) {
  const std::string rql =
      "select path, chunk.text from doc using lexical(\"a 'b'\") filter (doc.tag != 'x') limit 5";
  const RunResult once = Run({"query", "--canonical", rql});
  EXPECT_EQ(once.exit, 0) << once;
  EXPECT_EQ(Run({"query", "--canonical", "-"}, {.input = once.out}).out, once.out);
  const Json json = Run({"query", "--canonical", "--json", rql}).Json();
  EXPECT_EQ(json["query"]["rql"].get<std::string>() + "\n", once.out);
  EXPECT_EQ(Run({"query", "--canonical", "FROM nowhere"}).exit, 2);
  // Without --canonical, the answer contains the same canonical query.
  MakeNotes();
  EXPECT_EQ(Run({"query", "--json", rql}).Json()["query"]["rql"], json["query"]["rql"]);
}

TEST_F(QueryTest, FaultsAreShownWhereTheyAre) {
  MakeNotes();
  const std::string rql = "FROM doc\nFILTER doc.tag = 'a' AND doc.colour = 'b' SELECT doc.path";
  const RunResult text = Run({"query", rql});
  EXPECT_EQ(text.exit, 2);
  EXPECT_EQ(text.out, "");
  const std::string line = "  FILTER doc.tag = 'a' AND doc.colour = 'b' SELECT doc.path\n";
  EXPECT_TRUE(text.err.starts_with("error: line 2, column 26: ")) << text;
  EXPECT_NE(text.err.find("\n" + line + std::string(27, ' ') + "^\nhint: "), std::string::npos)
      << text;

  const Json error = Run({"query", "--json", rql}).Json()["error"];
  EXPECT_EQ(error["code"], "invalid_argument");
  EXPECT_EQ(error["details"]["exit_code"], 2);
  EXPECT_EQ(error["details"]["line"], 2);
  EXPECT_EQ(error["details"]["column"], 26);
  EXPECT_TRUE(
      error["details"]["excerpt"].get<std::string>().ends_with("\n                         ^"))
      << error;
}

TEST_F(QueryTest, FaultsInFiltersAreShownTheSameWay) {
  MakeNotes();
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"search", "needle"}, {"context", "needle"}, {"rm"}}) {
    for (const auto& [filter, column] :
         std::map<std::string, int>{{"doc.tag = 'a' doc.path = 'b'", 15},  // no operator
                                    {"doc.size LIKE", 14},
                                    {"doc.mtime > 'sometime'", 13},
                                    {"doc.path REGEXP '('", 17},
                                    {"tag = 'a'", 1}}) {
      std::vector<std::string> line = args;
      line.insert(line.end(), {"--json", "--filter", filter});
      const RunResult result = Run(line);
      EXPECT_EQ(result.exit, 2) << result;
      EXPECT_EQ(result.Json()["error"]["details"]["line"], 1) << result;
      EXPECT_EQ(result.Json()["error"]["details"]["column"], column) << result;
    }
  }
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 13) << "nothing was removed";
}

TEST_F(QueryTest, OnlyWhatIsSelectedIsThere) {
  MakeNotes();
  const auto row = [&](const std::string& rql) {
    return Run({"query", "--json", rql}).Json()["results"][0].dump();
  };
  EXPECT_EQ(row("FROM doc SELECT chunk.text"), "{}");
  EXPECT_EQ(row("FROM doc SELECT doc.nonsense"), "{}");
  EXPECT_EQ(row("FROM doc LIMIT 1 SELECT score"), "{\"score\":0.0}");
  EXPECT_EQ(row("FROM chunk FILTER doc.path = 'n/red/0.md' SELECT chunk.start_line, doc.tag"),
            R"({"doc":{"tag":"red"},"chunk":{"start_line":1}})");
  const Json all = Run({"query", "--json", "FROM chunk LIMIT 1 SELECT *"}).Json()["results"][0];
  EXPECT_EQ(KeysOf(all), (std::vector<std::string>{"doc", "chunk"}));
  const Json scored =
      Run({"query", "--json", "FROM chunk USING lexical('needle') LIMIT 1 SELECT *, score"})
          .Json()["results"][0];
  EXPECT_EQ(KeysOf(scored), (std::vector<std::string>{"score", "doc", "chunk"}));
  const Json whole = Run({"get", "n/red/0.md", "--json"}).Json()["get"]["doc"];
  EXPECT_EQ(Run({"query", "--json", "FROM doc FILTER doc.path = 'n/red/0.md' SELECT *"})
                .Json()["results"],
            Json::array({{{"doc", whole}}}));
}

TEST_F(QueryTest, RankedQueriesAgreeWithSearch) {
  MakeNotes();
  const Json search = Run({"search", "--json", "--filter", "doc.tag IN ('red', 'blue')", "-k", "5",
                           "--offset", "2", "needle", "text"})
                          .Json();
  const Json query = Run({"query", "--json", "--snippet", "240",
                          "FROM chunk USING semantic('needle text'), lexical('needle text') "
                          "FILTER doc.tag IN ('red', 'blue') LIMIT 5 OFFSET 2 SELECT *, score"})
                         .Json();
  ASSERT_EQ(search["results"].size(), 5u);
  EXPECT_EQ(query["results"], search["results"]);
  EXPECT_EQ(query["stats"], search["stats"]);
  EXPECT_EQ(query["next_offset"], search["next_offset"]);
  EXPECT_EQ(query["query"]["filters"], search["query"]["filters"]);
  EXPECT_EQ(query["query"]["text"], "needle text");
  EXPECT_EQ(query["query"]["mode"], "hybrid");
}

TEST_F(QueryTest, PagesJoinIntoTheWholeResult) {
  MakeNotes();
  for (const std::string part : {"FROM doc", "FROM chunk ORDER BY chunk.tokens DESC, doc.path ASC",
                                 "FROM doc USING lexical('needle')",
                                 "FROM chunk USING semantic('needle') ORDER BY doc.tag"}) {
    const Json whole = Run({"query", "--json", part + " SELECT *, score"}).Json();
    EXPECT_FALSE(whole.contains("next_offset"));
    const int64_t total = whole["stats"]["total_hits"];
    EXPECT_EQ(whole["results"].size(), static_cast<size_t>(total));
    Json joined = Json::array();
    for (Json offset = 0; !offset.is_null();) {
      const Json page =
          Run({"query", "--json", part + " LIMIT 5 OFFSET " + offset.dump() + " SELECT *, score"})
              .Json();
      EXPECT_EQ(page["stats"]["total_hits"], total) << part;
      for (const Json& row : page["results"]) joined.push_back(row);
      ASSERT_LE(joined.size(), whole["results"].size());
      offset = page.contains("next_offset") ? page["next_offset"] : Json();
    }
    EXPECT_EQ(joined, whole["results"]) << part;
  }
}

TEST_F(QueryTest, WithoutALimitThereAreMaxLimitRows) {
  MakeNotes();
  Write("recall.toml", "max_limit = 3\n");
  const Json json = Run({"query", "--json", "FROM doc SELECT doc.path"}).Json();
  EXPECT_EQ(json["results"].size(), 3u);
  EXPECT_EQ(json["query"]["limit"], 3);
  EXPECT_EQ(json["next_offset"], 3);
  EXPECT_EQ(Lines({"query", "FROM doc LIMIT 7 SELECT doc.path"}).size(), 7u);
}

TEST_F(QueryTest, JsonLinesCarryTheSameRows) {
  MakeNotes();
  const Json document = Run({"query", "--json", kPaths}).Json();
  const std::vector<std::string> lines = Lines({"query", "--jsonl", kPaths});
  ASSERT_EQ(lines.size(), document["results"].size() + 1);
  EXPECT_EQ(Json::parse(lines[0])["query"], document["query"]);
  for (size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(Json::parse(lines[i])["item"], document["results"][i - 1]);
  }
  EXPECT_EQ(Run({"query", "--json", "--jsonl", kPaths}).exit, 2);
}

TEST_F(QueryTest, NoRowsAreNoError) {
  MakeNotes();
  const RunResult text = Run({"query", "FROM doc FILTER doc.tag = 'none' SELECT doc.path"});
  EXPECT_EQ(text.exit, 0);
  EXPECT_EQ(text.out, "");
  EXPECT_EQ(text.err, "warning: no results: the filter matches nothing\n");
  EXPECT_EQ(Run({"query", "--jsonl", "FROM doc LIMIT 0 SELECT doc.path"}).exit, 0);
}

TEST_F(QueryTest, WarningsGoToStandardErrorOrIntoTheAnswer) {
  MakeNotes();
  const std::string rql = "FROM doc LIMIT 1 SELECT doc.path, doc.colour";
  const RunResult text = Run({"query", rql});
  EXPECT_EQ(std::count(text.out.begin(), text.out.end(), '\n'), 1);
  EXPECT_TRUE(text.err.starts_with("warning: ")) << text;
  EXPECT_EQ(Run({"query", "--quiet", rql}).err, "");
  EXPECT_EQ(Run({"query", "--json", rql}).Json()["warnings"].size(), 1u);
}

TEST_F(QueryTest, AnEmptyFilterIsNotEverything) {
  MakeNotes();
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"search", "needle"}, {"context", "needle"}, {"rm"}, {"rm", "--purge"}}) {
    for (const std::string filter : {"", "  \n"}) {
      std::vector<std::string> line = args;
      line.insert(line.end(), {"--filter", filter});
      EXPECT_EQ(Run(line).exit, 2) << args[0];
    }
  }
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 13);
}

TEST_F(QueryTest, FiltersAreEchoedInCanonicalForm) {
  MakeNotes();
  Write("f.fel", "-- reds and blues\ndoc.tag in (\"red\",\n\"blue\")\n");
  const std::string canonical = "doc.tag IN ('red', 'blue')";
  for (const std::string verb : {"search", "context"}) {
    const Json json = Run({verb, "needle", "--json", "--filter", "@f.fel"}).Json();
    EXPECT_EQ(json["query"]["filters"], canonical);
    EXPECT_EQ(Run({verb, "needle", "--json"}).Json()["query"]["filters"], nullptr);
  }
  const Json removed = Run({"rm", "--dry-run", "--json", "--filter", "@f.fel"}).Json();
  EXPECT_EQ(removed["rm"]["filter"], canonical);
  EXPECT_EQ(removed["rm"]["removed"].size(), 8u);
}

TEST_F(QueryTest, FiltersAreStrict) {
  MakeNotes();
  const Json search =
      Run({"search", "needle", "--json", "-k", "100", "--filter", "doc.path GLOB 'n/{red,blue}/*'"})
          .Json();
  EXPECT_EQ(search["results"].size(), 8u);
  EXPECT_EQ(search["stats"]["total_hits"], 8);
  const Json context = Run({"context", "needle", "--json", "--budget-tokens", "4000", "--filter",
                            "doc.path GLOB 'n/{red,blue}/*'"})
                           .Json();
  std::set<std::string> paths;
  for (const Json& piece : context["context"]["chunks"]) paths.insert(piece["path"]);
  EXPECT_EQ(paths.size(), 2u) << "of equal passages one is packed";
  for (const std::string& path : paths) EXPECT_EQ(path.find("green"), std::string::npos) << path;
}

TEST_F(QueryTest, RmByFilter) {
  MakeNotes();
  const std::vector<std::string> dry = Lines({"rm", "--dry-run", "--filter", "doc.tag = 'red'"});
  EXPECT_EQ(dry, (std::vector<std::string>{"would remove n/red/0.md", "would remove n/red/3.md",
                                           "would remove n/red/6.md", "would remove n/red/9.md"}));
  EXPECT_EQ(Lines({"query", kPaths}).size(), 4u);
  EXPECT_EQ(Lines({"rm", "--filter", "doc.tag = 'red'"}).size(), 4u);
  EXPECT_EQ(Lines({"query", kPaths}).size(), 0u);
  EXPECT_EQ(Lines({"rm", "--filter", "doc.tag = 'red'"}),
            (std::vector<std::string>{"nothing matches the filter"}));
  EXPECT_EQ(Run({"rm", "--json", "--filter", "doc.tag = 'red'"}).Json()["ok"], true);
  EXPECT_EQ(Run({"rm", "n/blue/2.md", "--filter", "doc.tag = 'red'"}).exit, 2);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 9);
  EXPECT_EQ(Lines({"rm", "--filter", "doc.tag = 'blue'", "--purge"}).back(),
            "purged 8 documents, 8 chunks");
}

TEST_F(QueryTest, ASnapshotTokenShowsTheCommitUntilItIsDropped) {
  MakeNotes();
  const std::string token = Run({"stats", "--json"}).Json()["stats"]["snapshot"];
  const std::vector<std::vector<std::string>> lines = {
      {"search", "needle", "--snapshot", token},
      {"context", "needle", "--snapshot", token},
      {"query", kPaths, "--snapshot", token},
  };
  std::vector<std::string> then;
  for (const auto& line : lines) {
    const RunResult result = Run(line);
    EXPECT_EQ(result.exit, 0) << result;
    then.push_back(result.out);
  }
  EXPECT_EQ(Run({"search", "needle", "--json", "--snapshot", token}).Json()["query"]["snapshot"],
            token);
  Write("n/new.md", "needle\n");
  ASSERT_EQ(Run({"add", "n/new.md", "--tag", "new"}).exit, 0);
  ASSERT_EQ(Run({"rm", "n/red"}).exit, 0);
  const auto kept = Run({"compact", "--json"}).Json();
  EXPECT_EQ(kept["compact"]["purged_docs"], 0);
  EXPECT_EQ(kept["compact"]["expired_snapshots"], 0);
  for (size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(Run(lines[i]).out, then[i]);

  const auto dropped = Run({"compact", "--keep-snapshots", "0", "--json"}).Json();
  EXPECT_GT(dropped["compact"]["purged_docs"], 0);
  EXPECT_GT(dropped["compact"]["expired_snapshots"], 0);
  for (auto line : lines) {
    line.emplace_back("--json");
    const RunResult result = Run(line);
    EXPECT_EQ(result.exit, 1) << result;
    EXPECT_EQ(result.Json()["error"]["code"], "snapshot_expired");
  }
  const std::string later = token.substr(0, 9) + "99999";
  EXPECT_EQ(Run({"search", "needle", "--snapshot", later, "--json"}).Json()["error"]["code"],
            "not_found");
}

TEST_F(QueryTest, CompactRefusesWhatCannotBe) {
  MakeNotes();
  for (const char* bad : {"", "7", "-1d", "1 year ago", "d", "1,5h", "99999999999w"}) {
    EXPECT_EQ(Run({"compact", "--keep-snapshots", bad}).exit, 2) << bad;
  }
  for (const char* good : {"1y", "1.5h", "6 months", "90 days"}) {
    EXPECT_EQ(Run({"compact", "--keep-snapshots", good}).exit, 0) << good;
  }
  EXPECT_EQ(Run({"compact", "--secure", "--keep-snapshots", "1h"}).exit, 2);
  EXPECT_EQ(Run({"compact", "--secure", "--quiet"}).out, "");
}

TEST_F(QueryTest, ASnapshotTimeLeavesOutLaterDocuments) {
  MakeNotes();
  EXPECT_EQ(Lines({"query", kPaths, "--snapshot", "2100-01-01T00:00:00Z"}).size(), 4u);
  EXPECT_EQ(Lines({"query", kPaths, "--snapshot", "1999-01-01T00:00:00+08:00"}).size(), 0u);
  for (const char* past : {"yesterday", "-1d", "2020-01", "2020-01-01"}) {
    EXPECT_EQ(Lines({"query", kPaths, "--snapshot", past}).size(), 0u) << past;
  }
  EXPECT_EQ(Lines({"query", kPaths, "--snapshot", "now"}).size(), 4u);
  EXPECT_EQ(Run({"query", kPaths, "--snapshot", "last week"}).exit, 2);
  EXPECT_EQ(Run({"query", kPaths, "--snapshot", ""}).exit, 2);
}

TEST_F(QueryTest, AsOfMakesRelativeDatesRepeatable) {
  MakeNotes();
  const std::string rql = "FROM doc FILTER doc.mtime >= '-1d' SELECT doc.path";
  const Json now = Run({"query", "--json", rql}).Json();
  EXPECT_EQ(now["results"].size(), 13u);
  ASSERT_TRUE(now["query"].contains("as_of"));
  const std::string as_of = now["query"]["as_of"];
  EXPECT_EQ(Run({"query", "--json", "--as-of", as_of, rql}).Json(), now);
  EXPECT_EQ(Lines({"query", "--as-of", "2100-01-01", rql}).size(), 0u);
  EXPECT_EQ(
      Run({"query", "--json", "--stable", "--as-of", "2100-01-01", rql}).Json()["query"]["as_of"],
      "2100-01-01T00:00:00Z");
  EXPECT_FALSE(Run({"query", "--json", "--stable", "--as-of", "now", rql})
                   .Json()["query"]
                   .contains("as_of"));
  EXPECT_FALSE(
      Run({"query", "--json", kPaths, "--as-of", as_of}).Json()["query"].contains("as_of"));
  for (const std::string bad : {"", "soon", "2026-13-01", "2026-02-04T09:30:00"}) {
    EXPECT_EQ(Run({"query", "--as-of", bad, rql}).exit, 2) << bad;
  }
  // With --stable, the current time is not part of the answer.
  const RunOptions stable = {.env = {{"RECALL_STABLE", "1"}}};
  EXPECT_EQ(Run({"query", "--json", rql}, stable).out, Run({"query", "--json", rql}, stable).out);
}

TEST_F(QueryTest, ThreadsAndExactGiveTheSameRows) {
  MakeNotes();
  const std::string rql = "FROM chunk USING semantic('a longer text') SELECT *, score";
  const std::string once = Run({"query", "--json", rql}).out;
  EXPECT_EQ(Run({"query", "--json", "--threads", "8", rql}).out, once);
  EXPECT_EQ(Run({"query", "--json", "--exact", rql}).out, once);
}

TEST_F(QueryTest, ExplainTellsThePlan) {
  MakeNotes();
  const std::string rql =
      "FROM chunk USING lexical('+needle hay*') FILTER doc.tag = 'red' AND chunk.tokens > 1 "
      "SELECT doc.path";
  const RunResult plain = Run({"query", rql});
  const RunResult text = Run({"query", "--explain", rql});
  EXPECT_EQ(text.out, plain.out);
  for (const char* word :
       {"mode        lexical", "filter      doc.tag = 'red' AND chunk.tokens > 1", "  step",
        "candidates", "term        needle  must", "weights", "snapshot"}) {
    EXPECT_NE(text.err.find(word), std::string::npos) << word << "\n" << text;
  }
  const Json json = Run({"query", "--explain", "--json", rql}).Json();
  EXPECT_EQ(json["explain"]["filter"]["filter"], "doc.tag = 'red' AND chunk.tokens > 1");
  EXPECT_EQ(json["explain"]["filter"]["matches"], 4);
  EXPECT_EQ(json["explain"]["filter"]["steps"].size(), 2u);
  EXPECT_EQ(json["explain"]["lexical"]["original"], "+needle hay*");
  EXPECT_TRUE(json["stats"].contains("timings"));
  for (const Json& row : json["results"]) EXPECT_TRUE(row.contains("explain"));
  EXPECT_FALSE(Run({"query", "--json", rql}).Json().contains("explain"));
}

TEST_F(QueryTest, ATerminalGetsNothingThatMovesAndARemarkBelow) {
  Write("evil.md", "evil \x1b]0;title\x07 text \xE2\x80\xAE reversed\n");
  Write("more.md", "more\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"add"}).exit, 0);
  const RunOptions terminal = {.env = {{"NO_COLOR", "1"}}, .terminal = true};
  for (const std::string select : {"chunk.text", "*"}) {
    const std::string rql = "FROM chunk LIMIT 1 SELECT " + select;
    const RunResult result = Run({"query", rql}, terminal);
    EXPECT_EQ(result.out.find('\x1b'), std::string::npos) << result;
    EXPECT_EQ(result.out.find("\xE2\x80\xAE"), std::string::npos) << result;
    EXPECT_NE(result.out.find("\\x1b]0;title\\x07"), std::string::npos) << result;
    EXPECT_TRUE(result.out.ends_with("1 of 2 rows; OFFSET 1 shows more\n")) << result;
  }
  // A pipe gets the rows only.
  EXPECT_EQ(Run({"query", "FROM chunk LIMIT 1 SELECT chunk.text"}).out,
            "evil \\x1b]0;title\\x07 text \xE2\x80\xAE reversed\n");
}

// Parentheses, NOTs and levels up to the limits need no large stack.
TEST_F(QueryTest, DeepFiltersFitASmallStack) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers need much more stack";
  MakeNotes();
  const RunOptions small = {.stack_bytes = 128 << 10};
  const std::string tag = "doc.tag = 'red'";
  std::string parentheses = tag, negations = tag, levels = tag;
  for (int i = 0; i < 128; ++i) parentheses = "(" + parentheses + ")";
  for (int i = 0; i < 126; ++i) negations = "NOT " + negations;
  for (int i = 0; i < 127; ++i) levels = "(" + tag + (i % 2 ? " OR " : " AND ") + levels + ")";
  for (const std::string& filter : {parentheses, negations, levels}) {
    const RunResult found = Run({"search", "needle", "--json", "--filter", filter}, small);
    EXPECT_EQ(found.exit, 0) << found;
    EXPECT_EQ(found.Json()["results"].size(), 4u) << filter;
    EXPECT_EQ(Run({"query", "FROM doc FILTER " + filter + " SELECT doc.path"}, small).exit, 0);
  }
  const RunResult refused =
      Run({"search", "needle", "--json", "--filter", "(" + parentheses + ")"}, small);
  EXPECT_EQ(refused.exit, 2) << refused;
  EXPECT_EQ(refused.Json()["error"]["code"], "limit_exceeded");
}

using StableTest = QueryTest;

TEST_F(StableTest, FlagAndEnvironmentAreOne) {
  MakeNotes();
  const std::vector<std::string> line = {"search", "needle", "--json", "--explain"};
  std::vector<std::string> flagged = line;
  flagged.emplace_back("--stable");
  const RunResult by_flag = Run(flagged);
  EXPECT_EQ(Run(line, {.env = {{"RECALL_STABLE", "1"}}}).out, by_flag.out);
  EXPECT_EQ(Run(flagged).out, by_flag.out);
  for (const char* name : {"took_ms", "timings", "memory", "db_size_bytes"}) {
    EXPECT_FALSE(by_flag.Json()["stats"].contains(name));
    EXPECT_TRUE(Run(line, {.env = {{"RECALL_STABLE", "0"}}}).Json()["stats"].contains(name));
  }
  EXPECT_EQ(Run(line, {.env = {{"RECALL_STABLE", "yes"}}}).exit, 2);
}

TEST_F(StableTest, TwoStoresMadeAlikeAnswerAlike) {
  MakeNotes();
  const RunOptions stable = {.env = {{"RECALL_STABLE", "1"}}};
  const std::string first = Run({"add"}, stable).out;
  EXPECT_EQ(first.find(" s\n"), std::string::npos) << first;
  EXPECT_EQ(Run({"stats"}, stable).out.find("DB size"), std::string::npos);
  const std::string explained = Run({"search", "--explain", "needle"}, stable).out;
  EXPECT_EQ(explained.find(" ms"), std::string::npos) << explained;
}

}  // namespace
}  // namespace recall
