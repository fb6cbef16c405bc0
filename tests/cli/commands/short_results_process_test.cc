// Short results: --lean, --fields, --cite, RECALL_OUTPUT, and compact JSON.

#include <sstream>

#include "cli/show/output/number_text.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class ShortResultsTest : public RecallTest {
 protected:
  // Twelve documents of realistic length with headings.
  void MakeDocuments() {
    ASSERT_EQ(Run({"init"}).exit, 0);
    for (int i = 0; i < 12; ++i) {
      std::string text = "# Retry policy of service " + std::to_string(i) + "\n\n";
      for (int line = 0; line < 30; ++line) {
        text += "The gateway retries a request " + std::to_string(line * 7 + i) +
                " times before the caller sees an error, and waits in between.\n";
      }
      Write("docs/services/retries-" + std::to_string(i) + ".md", text);
    }
    ASSERT_EQ(Run({"add", "docs", "--tag", "policy"}).exit, 0);
  }

  static std::vector<Json> LinesOf(const RunResult& result) {
    std::vector<Json> lines;
    std::istringstream stream(result.out);
    for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
    return lines;
  }
};

TEST_F(ShortResultsTest, TenLeanHitsAreSmall) {
  MakeDocuments();
  const std::vector<std::string> search = {"search", "-k", "10",
                                           "how often does the gateway retry"};
  std::vector<std::string> lean = search;
  lean.emplace_back("--lean");
  const RunResult result = Run(lean);
  EXPECT_EQ(result.exit, 0) << result;
  const std::vector<Json> lines = LinesOf(result);
  ASSERT_EQ(lines.size(), 11u);
  EXPECT_LE(result.out.size(), 3100u);
  EXPECT_EQ(KeysOf(lines[0]),
            (std::vector<std::string>{"path", "lines", "hash", "score", "heading", "snippet"}));
  EXPECT_EQ(KeysOf(lines[10]), (std::vector<std::string>{"total", "next_offset", "snapshot"}));

  // The same hits as --json has.
  std::vector<std::string> whole = search;
  whole.emplace_back("--json");
  const Json json = Run(whole).Json();
  for (size_t i = 0; i < 10; ++i) {
    const Json& hit = json["results"][i];
    EXPECT_EQ(lines[i]["path"], hit["doc"]["path"]);
    EXPECT_EQ(lines[i]["lines"], std::to_string(hit["chunk"]["start_line"].get<int>()) + "-" +
                                     std::to_string(hit["chunk"]["end_line"].get<int>()));
    EXPECT_EQ(lines[i]["score"].get<double>(), LeanScore(hit["score"].get<double>()));
    EXPECT_NE(hit["chunk"]["text"].get<std::string>().find(lines[i]["snippet"]), std::string::npos);
  }
  EXPECT_EQ(lines[10]["total"], json["stats"]["total_hits"]);
  EXPECT_EQ(lines[10]["snapshot"], json["stats"]["snapshot"]);
  EXPECT_EQ(lines[10]["next_offset"], json["next_offset"]);

  // The parts of a line are an exact citation.
  const std::string cited = lines[3]["path"].get<std::string>() + "@" +
                            lines[3]["hash"].get<std::string>() + ":" +
                            lines[3]["lines"].get<std::string>();
  const Json got = Run({"get", "--json", cited}).Json()["get"];
  EXPECT_EQ(got["citation"]["outcome"], "same");
}

TEST_F(ShortResultsTest, FieldsOfAWholeDocumentAreAnExactCitation) {
  MakeDocuments();
  const std::string path = "docs/services/retries-4.md";
  const Json line = LinesOf(Run({"get", "--lean", "--fields", "path,lines,hash,cite", path}))[0];
  EXPECT_EQ(line["lines"], "1-32");
  const std::string cited = path + "@" + line["hash"].get<std::string>() + ":1-32";
  EXPECT_EQ(line["cite"], cited);
  const RunResult got = Run({"get", "--verify", cited});
  EXPECT_EQ(got.exit, 0) << got;
  EXPECT_EQ(got.out, Run({"get", path}).out);
}

TEST_F(ShortResultsTest, LeanRowsOfQueryHaveCitations) {
  MakeDocuments();
  const Json row = LinesOf(Run({"query", "--lean", "--cite",
                                "FROM chunk LIMIT 1 SELECT chunk.start_line, chunk.tokens"}))[0];
  EXPECT_EQ(KeysOf(row), (std::vector<std::string>{"chunk.start_line", "chunk.tokens", "cite"}));
  EXPECT_EQ(Run({"get", "--verify", row["cite"]}).exit, 0) << row;
}

// Text has the citations that JSON has, as the last cell.
TEST_F(ShortResultsTest, RowsOfQueryHaveCitationsInEveryForm) {
  MakeDocuments();
  for (const std::string from : {"FROM chunk", "FROM doc", "FROM doc USING lexical('gateway')"}) {
    const auto ask = [&](const std::string& select, std::vector<std::string> flags) {
      flags.insert(flags.begin(), {"query", "--cite", from + " LIMIT 1 SELECT " + select});
      return Run(flags);
    };
    const std::string cite = ask("doc.path", {"--json"}).Json()["results"][0]["cite"];
    const std::string path = cite.substr(0, cite.find('@'));
    EXPECT_EQ(ask("doc.path", {}).out, path + "\t" + cite + "\n");
    EXPECT_EQ(ask("doc.tag, doc.source", {}).out, "policy\t\t" + cite + "\n");
    EXPECT_EQ(ask("doc.path", {"--csv"}).out, "doc.path,cite\n" + path + "," + cite + "\n");
    EXPECT_NE(ask("doc.path", {"--table"}).out.find(path + "  " + cite + "\n"), std::string::npos);
    EXPECT_NE(ask("*", {}).out.find("\ncite  "), std::string::npos) << ask("*", {});
    EXPECT_EQ(ask("doc.path", {"--fields", "cite"}).out, cite + "\n");
    const Json got = Run({"get", "--json", "--verify", cite}).Json()["get"];
    EXPECT_EQ(got["citation"]["outcome"], "same") << cite;
    EXPECT_EQ(got["verify"], "same") << cite;
  }
  EXPECT_EQ(Run({"query", "FROM doc LIMIT 1 SELECT doc.tag"}).out, "policy\n");
}

TEST_F(ShortResultsTest, FieldsInEveryForm) {
  MakeDocuments();
  const std::string fields = "doc.tag,path,lines,score";
  const Json json =
      Run({"search", "--json", "--fields", fields, "-k", "2", "gateway retries"}).Json();
  ASSERT_EQ(json["results"].size(), 2u);
  const Json& first = json["results"][0];
  EXPECT_EQ(KeysOf(first), (std::vector<std::string>{"doc.tag", "path", "lines", "score"}));
  EXPECT_EQ(first["doc.tag"], "policy");

  const auto jsonl =
      LinesOf(Run({"search", "--jsonl", "--fields", fields, "-k", "2", "gateway retries"}));
  ASSERT_EQ(jsonl.size(), 3u);
  EXPECT_EQ(jsonl[1]["item"], first);

  const RunResult text =
      Run({"search", "--fields", "doc.tag,path,lines", "-k", "1", "gateway retries"});
  EXPECT_EQ(text.out, "policy\t" + first["path"].get<std::string>() + "\t" +
                          first["lines"].get<std::string>() + "\n");

  const Json similar =
      Run({"similar", "--json", "--fields", "path", first["path"].get<std::string>()}).Json();
  EXPECT_EQ(KeysOf(similar["results"][0]), std::vector<std::string>{"path"});

  const Json got =
      Run({"get", "--json", "--fields", "cite,doc.size", first["path"].get<std::string>() + ":1"})
          .Json()["get"];
  EXPECT_EQ(KeysOf(got), (std::vector<std::string>{"cite", "doc.size"}));

  const Json context = Run({"context", "--json", "--fields", "path,bytes", "--budget-tokens", "90",
                            "gateway retries"})
                           .Json()["context"];
  const std::string all = context["text"];
  for (const Json& piece : context["chunks"]) {
    const std::string bytes = piece["bytes"];
    const size_t start = std::stoul(bytes);
    const size_t end = std::stoul(bytes.substr(bytes.find('-') + 1));
    EXPECT_EQ(all[start - 1], '\n');  // the piece follows its citation
    EXPECT_LE(end, all.size());
  }
}

// Run() compares each answer with its schema.
TEST_F(ShortResultsTest, FieldsOfRowsMayBeNullOrTexts) {
  MakeDocuments();
  const std::string fields = "path,lines,hash,cite,score,snippet";
  const Json doc =
      Run({"query", "--json", "--fields", fields, "FROM doc LIMIT 1 SELECT doc.path"}).Json();
  EXPECT_EQ(doc["results"][0]["hash"], nullptr);
  EXPECT_EQ(Run({"get", "--verify", doc["results"][0]["cite"]}).exit, 0) << doc;
  EXPECT_EQ(doc["results"][0]["score"], nullptr);
  const Json chunk = Run({"query", "--json", "--fields", fields,
                          "FROM chunk USING lexical('gateway') LIMIT 1 SELECT doc.path"})
                         .Json();
  EXPECT_TRUE(chunk["results"][0]["snippet"].is_string());
}

TEST_F(ShortResultsTest, AnUnknownFieldIsNamed) {
  MakeDocuments();
  for (const auto& [list, hint] : {std::pair<std::string, std::string>{"path,doc.tagg", "doc.tag"},
                                   {"pth", "path, lines"},
                                   {"path,path", ""},
                                   {"path,,lines", ""},
                                   {"", ""}}) {
    const Json error = Run({"search", "--json", "--fields", list, "gateway"}).Json()["error"];
    EXPECT_EQ(error["code"], "invalid_argument") << list;
    if (!hint.empty()) {
      EXPECT_NE(error["hint"].get<std::string>().find(hint), std::string::npos) << error;
    }
  }
}

TEST_F(ShortResultsTest, TheEnvironmentAsksForLeanLines) {
  MakeDocuments();
  const RunOptions lean = {.env = {{"RECALL_OUTPUT", "lean"}}};
  EXPECT_EQ(Run({"search", "gateway"}, lean).out, Run({"search", "--lean", "gateway"}).out);
  const std::string rql = "FROM doc ORDER BY doc.path ASC LIMIT 2 SELECT doc.path, doc.tag";
  const auto rows = LinesOf(Run({"query", rql}, lean));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].dump(), R"({"doc.path":"docs/services/retries-0.md","doc.tag":"policy"})");
  // A flag has priority, and text is as short where it is the text itself.
  EXPECT_EQ(Run({"search", "--json", "gateway"}, lean).out,
            Run({"search", "--json", "gateway"}).out);
  EXPECT_EQ(Run({"context", "gateway"}, lean).out, Run({"context", "gateway"}).out);
  EXPECT_EQ(Run({"stats", "--stable"}, lean).out, Run({"stats", "--stable"}).out);
  EXPECT_EQ(Run({"search", "x"}, {.env = {{"RECALL_OUTPUT", "short"}}}).exit, 2);
  EXPECT_EQ(Run({"search", "--lean", "--json", "x"}).exit, 2);
  EXPECT_EQ(Run({"search", "x"}, {.env = {{"RECALL_JSON", "ugly"}}}).exit, 2);
  // Lean lines have no place for explanations.
  EXPECT_EQ(Run({"search", "--lean", "--explain", "x"}).exit, 2);
  EXPECT_TRUE(Run({"search", "--explain", "gateway"}, lean).out.starts_with("0."));
  // Errors are one line of JSON.
  const auto failed = LinesOf(Run({"search", "--filter", "doc.tagg = 1", "x"}, lean));
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0]["error"]["code"], "invalid_argument");
}

TEST_F(ShortResultsTest, AnEmptyResultSaysWhy) {
  MakeDocuments();
  const auto lines = LinesOf(Run({"search", "--lean", "--filter", "doc.tag = 'none'", "gateway"}));
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["total"], 0);
  EXPECT_EQ(lines[0]["warnings"][0], "no results: the filter matches nothing");
}

TEST_F(ShortResultsTest, JsonIsCompactInPipesAndIndentedOnTerminals) {
  MakeDocuments();
  const std::vector<std::string> args = {"search", "--json", "gateway"};
  const RunResult compact = Run(args);
  EXPECT_EQ(std::count(compact.out.begin(), compact.out.end(), '\n'), 1);
  const RunResult pretty = Run(args, {.env = {{"RECALL_JSON", "pretty"}}});
  EXPECT_TRUE(pretty.out.starts_with("{\n  \"ok\": true,\n"));
  EXPECT_EQ(Run(args, {.terminal = true}).out, pretty.out);
  EXPECT_EQ(compact.Json(), pretty.Json());
}

TEST_F(ShortResultsTest, ContextsCiteExactlyWithinTheBudget) {
  MakeDocuments();
  const RunResult text =
      Run({"context", "--cite", "--budget-tokens", "60", "gateway retries a request"});
  ASSERT_EQ(text.exit, 0) << text;
  std::istringstream lines(text.out);
  std::string citation;
  std::getline(lines, citation);
  std::string piece;
  for (std::string line; std::getline(lines, line) && !line.empty();) piece += line + "\n";
  const RunResult got = Run({"get", citation, "--verify"});
  EXPECT_EQ(got.exit, 0) << citation << got;
  EXPECT_NE(got.out.find(piece.substr(0, piece.size() - 1)), std::string::npos) << citation;

  const auto lean = LinesOf(Run({"context", "--lean", "--budget-tokens", "60", "gateway retries"}));
  ASSERT_GE(lean.size(), 2u);
  EXPECT_EQ(KeysOf(lean[0]),
            (std::vector<std::string>{"path", "lines", "hash", "score", "heading", "text"}));
  EXPECT_LE(lean.back()["used_tokens"], 60);

  const Json limited = Run({"context", "--json", "-k", "1", "gateway retries"}).Json();
  EXPECT_EQ(limited["query"]["limit"], 1);
  EXPECT_EQ(limited["context"]["chunks"].size(), 1u);
}

TEST_F(ShortResultsTest, GetTakesSeveralTargets) {
  MakeDocuments();
  Write("a.txt", "one\ntwo");
  ASSERT_EQ(Run({"add", "a.txt"}).exit, 0);
  const RunResult text = Run({"get", "a.txt:2", "[docs/services/retries-0.md:1-1] Retry"});
  EXPECT_EQ(text.exit, 0) << text;
  EXPECT_EQ(text.out,
            "[a.txt:2-2]\ntwo\n\n[docs/services/retries-0.md:1-1]\n"
            "# Retry policy of service 0\n");
  const RunResult some = Run({"get", "none.txt", "a.txt:1", "--json"});
  EXPECT_EQ(some.exit, 1);
  const Json json = some.Json();
  EXPECT_EQ(json["error"]["code"], "not_found");
  EXPECT_EQ(json["results"][0]["error"]["code"], "not_found");
  EXPECT_EQ(json["results"][1]["chunk"]["text"], "one\n");
  const auto lines = LinesOf(Run({"get", "--lean", "a.txt:1", "a.txt:2"}));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[1]["text"], "two");
}

TEST_F(ShortResultsTest, VerifyNamesWhatDiffers) {
  Write("a.txt", "one\ntwo\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"add", "a.txt"}).exit, 0);
  const RunResult cited = Run({"get", "--cite", "a.txt:2"});
  const std::string citation = cited.out.substr(1, cited.out.find(']') - 1);
  EXPECT_EQ(Run({"get", "--verify", citation}).exit, 0);

  Write("a.txt", "zero\none\ntwo\n");
  const RunResult edited = Run({"get", "--verify", citation});
  EXPECT_EQ(edited.exit, 1);
  EXPECT_NE(edited.err.find("the citation is the same as the store"), std::string::npos) << edited;

  ASSERT_EQ(Run({"add", "a.txt"}).exit, 0);
  const RunResult moved = Run({"get", "--verify", citation});
  EXPECT_EQ(moved.exit, 1);
  EXPECT_EQ(moved.out, "two\n");
  EXPECT_NE(moved.err.find("the citation differs from the store"), std::string::npos) << moved;
  EXPECT_NE(moved.err.find("the source file is the same as the store"), std::string::npos) << moved;
  // Without --verify the moved text is an answer with a warning.
  const RunResult warned = Run({"get", citation});
  EXPECT_EQ(warned.exit, 0);
  EXPECT_NE(warned.err.find("the cited text has moved; it is now a.txt@"), std::string::npos);

  Write("a.txt", "other\n");
  ASSERT_EQ(Run({"add", "a.txt"}).exit, 0);
  ASSERT_EQ(Run({"rm", "--purge"}).exit, 0);
  const Json changed = Run({"get", "--json", citation}).Json();
  EXPECT_EQ(changed["error"]["code"], "citation_changed");
  ASSERT_EQ(Run({"rm", "--purge", "a.txt"}).exit, 0);
  EXPECT_EQ(Run({"get", "--json", citation}).Json()["error"]["code"], "citation_gone");
}

}  // namespace
}  // namespace recall
