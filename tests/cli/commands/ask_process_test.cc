// The commands that answer questions: search, similar, context, get, stats.

#include <algorithm>
#include <set>
#include <sstream>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using AskTest = RecallTest;
using Json = nlohmann::ordered_json;

size_t CountWords(const std::string& text) {
  std::istringstream words(text);
  size_t count = 0;
  for (std::string word; words >> word;) ++count;
  return count;
}

TEST_F(AskTest, SearchTextIsBlocks) {
  MakeSmallStore();
  const RunResult result = Run({"search", "--bm25", "install"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("  docs/guide.md:"), std::string::npos) << result;
  EXPECT_NE(result.out.find("Guide > Install\n"), std::string::npos) << result;
  EXPECT_NE(result.out.find("\n    Run make install.\n"), std::string::npos) << result;
}

TEST_F(AskTest, SearchJsonHasThePublishedShape) {
  MakeSmallStore();
  const RunResult result = Run({"search", "merged segments", "--json"});
  const Json json = result.Json();
  EXPECT_EQ(KeysOf(json),
            (std::vector<std::string>{"ok", "schema_version", "query", "results", "stats"}));
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["schema_version"], "2");
  EXPECT_EQ(KeysOf(json["query"]),
            (std::vector<std::string>{"text", "rql", "filters", "limit", "offset", "lexical_mode",
                                      "snapshot", "mode"}));
  EXPECT_EQ(json["query"]["text"], "merged segments");
  EXPECT_EQ(json["query"]["limit"], 8);
  ASSERT_FALSE(json["results"].empty());
  const Json& best = json["results"][0];
  EXPECT_EQ(best["doc"]["path"], "docs/merge.md");
  for (const char* key : {"id", "path", "mtime", "hash", "tag", "source"}) {
    EXPECT_TRUE(best["doc"].contains(key)) << key;
  }
  for (const char* key : {"id", "doc_id", "offset", "tokens", "text", "start_byte", "end_byte",
                          "start_line", "end_line", "heading"}) {
    EXPECT_TRUE(best["chunk"].contains(key)) << key;
  }
  EXPECT_GT(best["score"], 0.0);
  EXPECT_LE(best["score"], 1.0);
  for (const char* key : {"took_ms", "total_hits", "doc_count", "chunk_count", "db_size_bytes",
                          "snapshot", "corpus"}) {
    EXPECT_TRUE(json["stats"].contains(key)) << key;
  }
  EXPECT_TRUE(result.out.starts_with("{\"ok\":true,\"schema_version\":\"2\","));
}

TEST_F(AskTest, ChunksAreBytesOfTheirFiles) {
  MakeSmallStore();
  const Json json = Run({"search", "segments", "--json"}).Json();
  ASSERT_FALSE(json["results"].empty());
  for (const Json& result : json["results"]) {
    const std::string file = Read(result["doc"]["path"]);
    const size_t start = result["chunk"]["start_byte"];
    const size_t end = result["chunk"]["end_byte"];
    EXPECT_EQ(result["chunk"]["text"], file.substr(start, end - start));
  }
}

TEST_F(AskTest, SnippetsAreBytesOfTheirFiles) {
  MakeSmallStore();
  const Json json = Run({"search", "segments merge", "--snippet", "30", "--json"}).Json();
  ASSERT_FALSE(json["results"].empty());
  size_t highlights = 0;
  for (const Json& result : json["results"]) {
    const std::string file = Read(result["doc"]["path"]);
    const Json& snippet = result["snippet"];
    const size_t start = snippet["start_byte"];
    const size_t end = snippet["end_byte"];
    EXPECT_LE(end - start, 30u);
    EXPECT_GE(start, result["chunk"]["start_byte"].get<size_t>());
    EXPECT_LE(end, result["chunk"]["end_byte"].get<size_t>());
    EXPECT_EQ(snippet["text"], file.substr(start, end - start));
    highlights += snippet["highlights"].size();
  }
  EXPECT_GT(highlights, 0u);
  EXPECT_FALSE(Run({"search", "segments", "--snippet", "0", "--json"})
                   .Json()["results"][0]
                   .contains("snippet"));
  const RunResult text = Run({"search", "segments", "--snippet", "0", "-k", "1"});
  EXPECT_EQ(std::ranges::count(text.out, '\n'), 1) << text;
  EXPECT_EQ(Run({"search", "segments", "--snippet", "-1"}).exit, 2);
}

TEST_F(AskTest, JsonLinesCarryTheSameAnswer) {
  MakeSmallStore();
  const Json document = Run({"search", "segments", "--json"}).Json();
  std::istringstream lines(Run({"search", "segments", "--jsonl"}).out);
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  const Json meta = Json::parse(line);
  EXPECT_EQ(meta["type"], "meta");
  EXPECT_EQ(meta["query"], document["query"]);
  EXPECT_EQ(meta["stats"], document["stats"]);
  size_t count = 0;
  while (std::getline(lines, line)) {
    const Json result = Json::parse(line);
    EXPECT_EQ(result["type"], "result");
    EXPECT_EQ(result["item"], document["results"][count++]);
  }
  EXPECT_EQ(count, document["results"].size());
}

TEST_F(AskTest, SimilarTakesWhatGetTakesAndPrintsWhatSearchPrints) {
  MakeSmallStore();
  const Json hit = Run({"search", "merged segments", "--json"}).Json()["results"][0];
  const std::string chunk = hit["chunk"]["id"];
  const std::string doc = hit["doc"]["id"];
  for (const std::string& target : {chunk, chunk.substr(0, 12), doc, std::string("docs/merge.md"),
                                    std::string("docs/merge.md:1:2")}) {
    const RunResult result = Run({"similar", target, "--json", "--explain"});
    ASSERT_EQ(result.exit, 0) << result;
    const Json json = result.Json();
    EXPECT_EQ(json["similar"]["target"], target);
    EXPECT_EQ(json["similar"]["doc_id"], doc);
    EXPECT_EQ(json["similar"]["path"], "docs/merge.md");
    const bool is_chunk = target.starts_with(chunk.substr(0, 12));
    EXPECT_EQ(json["similar"]["chunk_id"], is_chunk ? Json(chunk) : Json(nullptr));
    for (const Json& row : json["results"]) {
      EXPECT_NE(row["chunk"]["id"], chunk);
      EXPECT_EQ(KeysOf(row),
                (std::vector<std::string>{"score", "doc", "chunk", "snippet", "explain"}));
    }
    EXPECT_EQ(Run({"similar", target, "--jsonl"}).exit, 0);
    EXPECT_EQ(Run({"similar", "--json", target}).out,
              Run({"similar", "--json", "--threads", "4", target}).out);
  }
  const Json missing = Run({"similar", "nowhere", "--json"}).Json();
  EXPECT_EQ(missing["error"]["code"], "not_found");
  EXPECT_EQ(Run({"similar", "nowhere"}).exit, 1);
  EXPECT_EQ(Run({"similar"}).exit, 2);
  EXPECT_EQ(Run({"similar", "docs/merge.md", "-k", "1001"}).exit, 2);
}

TEST_F(AskTest, TheSameQuestionGivesTheSameBytes) {
  MakeSmallStore();
  for (const std::string mode : {"--bm25", "--vector", "--exact"}) {
    for (const std::string form : {"--json", "--jsonl", "--quiet"}) {
      const std::string once = Run({"search", "merge segments", mode, form}).out;
      EXPECT_EQ(Run({"search", "merge segments", mode, form}).out, once);
      EXPECT_EQ(Run({"search", "merge segments", mode, form, "--threads", "8"}).out, once);
    }
  }
  const std::string context = Run({"context", "merge segments", "--json"}).out;
  EXPECT_EQ(Run({"context", "merge segments", "--json"}).out, context);
}

TEST_F(AskTest, PagesJoinIntoOneLongPage) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  for (int i = 0; i < 25; ++i) {
    Write("n/" + std::to_string(i) + ".md", "needle " + std::string(static_cast<size_t>(i), 'x') +
                                                " hay " + std::to_string(i * i) + "\n");
  }
  ASSERT_EQ(Run({"add"}).exit, 0);
  const Json all = Run({"search", "needle", "-k", "100", "--json"}).Json();
  EXPECT_EQ(all["results"].size(), 25u);
  EXPECT_FALSE(all.contains("next_offset"));
  Json joined = Json::array();
  Json offset = 0;
  while (true) {
    const Json page =
        Run({"search", "needle", "-k", "10", "--offset", offset.dump(), "--json"}).Json();
    for (const Json& result : page["results"]) joined.push_back(result);
    if (!page.contains("next_offset")) break;
    EXPECT_GT(page["next_offset"], offset);
    offset = page["next_offset"];
  }
  EXPECT_EQ(joined, all["results"]);
  EXPECT_EQ(Run({"search", "needle", "--offset", "1000", "--json"}).Json()["results"].size(), 0u);
}

TEST_F(AskTest, QueriesFromStdinAndSeveralWords) {
  MakeSmallStore();
  const std::string answer = Run({"search", "merged segments", "--json"}).out;
  EXPECT_EQ(Run({"search", "merged", "segments", "--json"}).out, answer);
  EXPECT_EQ(Run({"search", "--json", "-"}, {.input = "merged segments\n"}).out, answer);
  EXPECT_EQ(Run({"search", "--json", "-"}, {.input = " \n"}).exit, 2);
  EXPECT_EQ(Run({"search", "-"}, {.input = std::string(2 << 20, 'x')}).exit, 2);
  EXPECT_EQ(Run({"search", "-"}, {.input = std::string(100'000, 'x')}).exit, 0);
}

TEST_F(AskTest, NoTextBreaksASearch) {
  MakeSmallStore();
  for (const std::string query : {"\"",
                                  "\"unclosed phrase",
                                  "foo:bar",
                                  "error: x",
                                  "AND",
                                  "a AND",
                                  "NOT",
                                  "NEAR(a b)",
                                  "*",
                                  "+",
                                  "(((",
                                  "'; DROP TABLE doc; --",
                                  "^",
                                  "{",
                                  "\\",
                                  "a\"b\"c",
                                  "+-+-",
                                  "\xff\xfe",
                                  "\xF0\x9F\x98\x80",
                                  "%s%n",
                                  "OR OR OR"}) {
    for (const std::string mode : {"query", "fts5", "literal"}) {
      const RunResult result = Run({"search", "--json", "--lexical-mode", mode, "--", query});
      EXPECT_EQ(result.exit, 0) << query << "\n" << result;
      EXPECT_EQ(result.Json()["ok"], true);
    }
  }
}

TEST_F(AskTest, OperatorsOfTheQueryLanguage) {
  MakeSmallStore();
  const auto paths = [&](const std::string& query) {
    std::set<std::string> found;
    const Json json = Run({"search", "--bm25", "--json", "--", query}).Json();
    for (const Json& result : json["results"]) found.insert(result["doc"]["path"]);
    return found;
  };
  using Set = std::set<std::string>;
  EXPECT_EQ(paths("merged OR install"), (Set{"docs/guide.md", "docs/merge.md", "src/main.c"}));
  EXPECT_EQ(paths("\"larger segments\""), (Set{"docs/merge.md"}));
  EXPECT_EQ(paths("\"segments larger\""), Set{});
  EXPECT_EQ(paths("segments -merged -main"), (Set{"docs/guide.md"}));
  EXPECT_EQ(paths("+install segments"), (Set{"docs/guide.md"}));
  EXPECT_EQ(paths("instal*"), (Set{"docs/guide.md"}));
  EXPECT_EQ(paths("mergeSegments"), (Set{"docs/merge.md", "docs/guide.md", "src/main.c"}));
}

TEST_F(AskTest, AnEmptyStoreHasNoAnswersAndNoErrors) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult text = Run({"search", "anything"});
  EXPECT_EQ(text.exit, 0);
  EXPECT_EQ(text.out, "");
  EXPECT_EQ(text.err, "warning: no results: the store has no documents\n");
  EXPECT_EQ(Run({"search", "anything", "--quiet"}).err, "");
  const Json json = Run({"search", "anything", "--json"}).Json();
  EXPECT_EQ(json["results"], Json::array());
  EXPECT_EQ(json["stats"]["total_hits"], 0);
  EXPECT_EQ(Run({"search", "anything", "--jsonl"}).exit, 0);
  const Json context = Run({"context", "anything", "--json"}).Json();
  EXPECT_EQ(context["context"]["text"], "");
  EXPECT_EQ(context["context"]["used_tokens"], 0);
  EXPECT_EQ(Run({"context", "anything"}).out, "");
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["corpus"]["docs"], 0);
  // The text output says why there are no results.
  EXPECT_NE(Run({"search", "x"}, {.terminal = true}).out.find("store is empty"), std::string::npos);
}

TEST_F(AskTest, ExplainTellsHow) {
  MakeSmallStore();
  const Json json = Run({"search", "segments", "--explain", "--json"}).Json();
  const Json& explain = json["explain"];
  for (const char* key : {"mode", "candidates", "cache", "resolved_config", "lexical"}) {
    EXPECT_TRUE(explain.contains(key)) << key;
  }
  EXPECT_EQ(explain["mode"], "hybrid");
  EXPECT_EQ(explain["lexical"]["original"], "segments");
  EXPECT_EQ(explain["resolved_config"]["embedding"], "lsa");
  EXPECT_TRUE(json["results"][0]["explain"].contains("lexical"));
  EXPECT_FALSE(json["stats"]["timings"].empty());
  EXPECT_TRUE(json["stats"]["memory"].contains("rss_bytes"));
  EXPECT_EQ(Run({"search", "x", "--bm25", "--explain", "--json"}).Json()["explain"]["mode"],
            "lexical");
  EXPECT_EQ(Run({"search", "x", "--vector", "--explain", "--json"}).Json()["explain"]["mode"],
            "semantic");
  EXPECT_EQ(
      Run({"search", "x", "--vector", "--bm25", "--explain", "--json"}).Json()["explain"]["mode"],
      "hybrid");
  EXPECT_NE(Run({"search", "segments", "--explain"}).out.find("candidates  "), std::string::npos);
}

TEST_F(AskTest, ExplainedScoresAreBarsOnATerminal) {
  MakeSmallStore();
  const std::vector<std::string> search = {"search", "segments", "--explain"};
  const auto on_terminal = [&](const std::string& name, const std::string& locale) {
    return Run(search, {.env = {{"NO_COLOR", "1"}, {name, locale}}, .terminal = true}).out;
  };
  const std::string columns = "    lexical     rank 1 ";
  const std::string blocks = "    lexical \u2588\u2588";
  for (const char* locale : {"C.UTF-8", "de_DE.utf8"}) {
    const std::string text = on_terminal("LC_ALL", locale);
    EXPECT_NE(text.find(blocks), std::string::npos) << text;
    EXPECT_EQ(text.find(columns), std::string::npos) << text;
    EXPECT_EQ(text.find("lexical #"), std::string::npos) << text;
  }
  EXPECT_NE(on_terminal("LANG", "en_US.UTF-8").find(blocks), std::string::npos);
  for (const char* locale : {"C", "POSIX", "de_DE.ISO-8859-1"}) {
    const std::string text = on_terminal("LC_ALL", locale);
    EXPECT_NE(text.find("    lexical ##"), std::string::npos) << text;
    EXPECT_EQ(text.find(blocks), std::string::npos) << text;
  }
  // A pipe receives the numbers, whatever the locale.
  const RunResult piped = Run(search, {.env = {{"LC_ALL", "C.UTF-8"}}});
  EXPECT_NE(piped.out.find(columns), std::string::npos) << piped;
  EXPECT_EQ(piped.out.find(blocks), std::string::npos) << piped;
}

class ContextTest : public RecallTest {
 protected:
  void MakeLongStore() {
    std::string text = "# Book\n\n";
    for (int i = 0; i < 2000; ++i)
      text += (i % 7 ? "filler" : "segments") + std::to_string(i) + " segments words\n";
    Write("book.md", text);
    Write("other.md", "# Other\n\nsegments elsewhere\n");
    ASSERT_EQ(Run({"init", "--chunk-tokens", "64", "--overlap-tokens", "16"}).exit, 0);
    ASSERT_EQ(Run({"add"}).exit, 0);
  }
};

TEST_F(ContextTest, TheBudgetCountsEverythingThatIsPrinted) {
  MakeLongStore();
  for (const int budget : {1, 2, 5, 17, 100, 1200, 5000}) {
    const std::string tokens = std::to_string(budget);
    const std::vector<std::string> ask = {"context", "segments",        "--token-counter",
                                          "words",   "--budget-tokens", tokens};
    const RunResult text = Run(ask);
    EXPECT_EQ(text.exit, 0) << text;
    EXPECT_LE(CountWords(text.out), static_cast<size_t>(budget));
    std::vector<std::string> ask_json = ask;
    ask_json.push_back("--json");
    const Json context = Run(ask_json).Json()["context"];
    EXPECT_EQ(context["token_counter"], "whitespace");
    EXPECT_EQ(context["budget_tokens"], budget);
    EXPECT_EQ(context["used_tokens"], CountWords(context["text"]));
    EXPECT_LE(context["used_tokens"], budget);
  }
}

// A word of these texts has at least one token and often more.
TEST_F(ContextTest, AnEstimateOfTheTokensOfAModelIsTheDefault) {
  MakeLongStore();
  const std::vector<std::string> ask = {"context", "segments", "--budget-tokens", "100"};
  const RunResult text = Run(ask);
  EXPECT_EQ(text.exit, 0) << text;
  EXPECT_LE(CountWords(text.out), 80u);
  EXPECT_GE(CountWords(text.out), 30u);
  const RunOptions terminal = {.terminal = true};
  EXPECT_NE(Run(ask, terminal).out.find(" of 100 tokens (estimate), "), std::string::npos);
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), ask.begin(), ask.end());
    return more;
  };
  EXPECT_NE(Run(with({"--token-counter", "words"}), terminal).out.find(" of 100 words, "),
            std::string::npos);
  const auto context = [&](const std::string& counter) {
    return Run(with({"--json", "--token-counter", counter})).Json()["context"];
  };
  const Json estimate = Run(with({"--json"})).Json()["context"];
  EXPECT_EQ(estimate["token_counter"], "estimate");
  EXPECT_EQ(estimate["vocabulary_sha256"], nullptr);
  EXPECT_EQ(context("estimate"), estimate);
  EXPECT_EQ(context("whitespace"), context("words"));
  // A file with such a name is named by a path.
  Write("words", "no vocabulary");
  EXPECT_EQ(Run({"context", "segments", "--token-counter", "./words"}).exit, 2);
}

// Every byte is a token of this rank file.
TEST_F(ContextTest, TheBudgetCountsTheTokensOfAVocabulary) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  MakeLongStore();
  std::string ranks;
  for (int byte = 0; byte < 256; ++byte) {
    ranks += {kDigits[byte >> 2], kDigits[(byte & 3) << 4], '=', '=', ' '};
    ranks += std::to_string(byte) + "\n";
  }
  Write("models/bytes.ranks", ranks);
  const auto ask = [&](std::vector<std::string> more, const RunOptions& options = {}) {
    more.insert(more.begin(), {"context", "segments"});
    return Run(more, options);
  };
  for (const int budget : {40, 200, 1000}) {
    const RunResult text =
        ask({"--token-counter", "models/bytes.ranks", "--budget-tokens", std::to_string(budget)});
    EXPECT_EQ(text.exit, 0) << text;
    EXPECT_LE(text.out.size(), static_cast<size_t>(budget));
    EXPECT_GE(text.out.size(), static_cast<size_t>(budget) / 2);
  }
  const Json words = ask({"--json", "--token-counter", "words"}).Json()["context"];
  EXPECT_EQ(words["token_counter"], "whitespace");
  EXPECT_EQ(words["vocabulary_sha256"], nullptr);
  const Json bytes = ask({"--json", "--token-counter", "models/bytes.ranks"}).Json()["context"];
  EXPECT_EQ(bytes["token_counter"], "ranks/gpt2");
  EXPECT_EQ(bytes["vocabulary_sha256"].get<std::string>().size(), 64u);
  EXPECT_EQ(bytes["used_tokens"], bytes["text"].get<std::string>().size());

  // A path in a settings file is relative to that file; one in a flag or variable to the working
  // directory.
  Write("recall.toml", "token_counter = \"models/bytes.ranks\"\n");
  Write("deep/down/file", "");
  const RunOptions below = {.directory = Path("deep/down")};
  EXPECT_EQ(ask({"--json"}, below).Json()["context"], bytes);
  EXPECT_EQ(ask({"--json", "--token-counter", "words"}, below).Json()["context"], words);
  EXPECT_EQ(ask({"--json", "--token-counter", "models/bytes.ranks"}, below).exit, 1);
  EXPECT_EQ(ask({"--json"}, {.env = {{"RECALL_TOKEN_COUNTER", "words"}}}).Json()["context"], words);

  const auto code = [&](const std::string& file) {
    return ask({"--json", "--token-counter", file}).Json()["error"]["code"].get<std::string>();
  };
  EXPECT_EQ(code("absent"), "not_found");
  EXPECT_EQ(code("other.md"), "invalid_argument");
  Write("new.json", R"({"model": {"type": "Telepathy"}})");
  EXPECT_EQ(code("new.json"), "unsupported");
  const RunResult refused = ask({"--token-counter", "other.md"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_EQ(refused.out, "");
  EXPECT_NE(refused.err.find("other.md is not a vocabulary"), std::string::npos) << refused.err;
}

TEST_F(ContextTest, NoByteAppearsTwiceAndEveryPieceIsOfItsFile) {
  MakeLongStore();
  const Json context =
      Run({"context", "segments", "--json", "--budget-tokens", "4000"}).Json()["context"];
  std::set<std::pair<std::string, size_t>> bytes;
  ASSERT_FALSE(context["chunks"].empty());
  for (const Json& piece : context["chunks"]) {
    const std::string file = Read(piece["path"]);
    const size_t start = piece["start_byte"];
    const size_t end = piece["end_byte"];
    EXPECT_EQ(piece["text"], file.substr(start, end - start));
    EXPECT_FALSE(piece["chunk_ids"].empty());
    for (size_t i = start; i < end; ++i) {
      ASSERT_TRUE(bytes.emplace(piece["path"], i).second) << piece["path"] << " byte " << i;
    }
    for (const char* key : {"id", "doc_id", "offset", "tokens", "text", "path", "hash", "mtime",
                            "start_line", "end_line", "heading", "score", "truncated"}) {
      EXPECT_TRUE(piece.contains(key)) << key;
    }
  }
}

TEST_F(ContextTest, CitationsCanBeLeftOut) {
  MakeSmallStore();
  EXPECT_NE(Run({"context", "install"}).out.find("docs/guide.md:"), std::string::npos);
  EXPECT_EQ(Run({"context", "install", "--no-citations"}).out.find("docs/guide.md"),
            std::string::npos);
}

TEST_F(ContextTest, DiversityLimitsPiecesOfOneDocument) {
  MakeLongStore();
  const Json context = Run({"context", "segments", "--diversity", "1", "--json"}).Json()["context"];
  std::set<std::string> documents;
  for (const Json& piece : context["chunks"]) {
    EXPECT_TRUE(documents.insert(piece["doc_id"]).second);
  }
}

TEST_F(ContextTest, ShapeAndExplain) {
  MakeSmallStore();
  const Json json = Run({"context", "segments", "--format", "json"}).Json();
  EXPECT_EQ(KeysOf(json),
            (std::vector<std::string>{"ok", "schema_version", "query", "context", "stats"}));
  const RunResult text = Run({"context", "segments", "--explain"});
  EXPECT_EQ(text.out, Run({"context", "segments"}).out);
  EXPECT_NE(text.err.find("candidates"), std::string::npos);
}

using GetTest = RecallTest;

TEST_F(GetTest, DocumentsComeBackByteForByte) {
  const std::string odd = "no newline at the end\r\nand\ttabs  \n\n\xE6\x97\xA5";
  Write("odd.txt", odd);
  MakeSmallStore();
  EXPECT_EQ(Run({"get", "odd.txt"}).out, odd);
  Erase("odd.txt");
  EXPECT_EQ(Run({"get", "odd.txt"}).out, odd);
}

TEST_F(GetTest, ByIdPrefixChunkAndLines) {
  MakeSmallStore();
  const Json best = Run({"search", "install", "--bm25", "--json"}).Json()["results"][0];
  const std::string doc_id = best["doc"]["id"];
  const std::string chunk_id = best["chunk"]["id"];
  EXPECT_EQ(Run({"get", doc_id}).out, Read("docs/guide.md"));
  EXPECT_EQ(Run({"get", "id:" + doc_id.substr(0, 4)}).out, Read("docs/guide.md"));
  EXPECT_EQ(Run({"get", chunk_id}).out, best["chunk"]["text"].get<std::string>());
  EXPECT_EQ(Run({"get", chunk_id, "--json"}).Json()["get"]["chunk"], best["chunk"]);
  EXPECT_EQ(Run({"get", "docs/guide.md:3:1"}).out, "Recall keeps segments in one file.\n");
  EXPECT_EQ(Run({"get", "docs/guide.md:5:3"}).out, "## Install\n\nRun make install.\n");
  const Json json = Run({"get", "docs/guide.md:5:100", "--json"}).Json()["get"];
  EXPECT_EQ(json["chunk"]["start_line"], 5);
  EXPECT_EQ(json["chunk"]["end_line"], 7);
  EXPECT_EQ(json["whole_doc"], false);
  EXPECT_EQ(json["verify"], nullptr);
  EXPECT_EQ(Run({"get", "docs/guide.md", "--json"}).Json()["get"]["whole_doc"], true);
}

TEST_F(GetTest, WhatIsNotThereExitsOne) {
  MakeSmallStore();
  for (const std::string target :
       {"nowhere.md", "ffffffffffff", "docs/none.md:1:2", "zz", "docs"}) {
    const RunResult result = Run({"get", target, "--json"});
    EXPECT_EQ(result.exit, 1) << target << result;
    EXPECT_EQ(result.Json()["error"]["code"], "not_found");
    EXPECT_EQ(Run({"get", target}).out, "");
  }
}

TEST_F(GetTest, VerifyComparesWithTheFile) {
  MakeSmallStore();
  const RunResult same = Run({"get", "--verify", "docs/guide.md", "--json"});
  EXPECT_EQ(same.exit, 0) << same;
  EXPECT_EQ(same.Json()["get"]["verify"], "same");

  Write("docs/guide.md", "changed\n");
  const RunResult changed = Run({"get", "--verify", "docs/guide.md", "--json"});
  EXPECT_EQ(changed.exit, 1);
  EXPECT_EQ(changed.Json()["get"]["verify"], "changed");
  EXPECT_EQ(changed.Json()["error"]["code"], "verify_failed");
  EXPECT_EQ(changed.Json()["ok"], false);

  Erase("docs/guide.md");
  const RunResult missing = Run({"get", "--verify", "docs/guide.md"});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_NE(missing.err.find("is missing"), std::string::npos) << missing;
  EXPECT_TRUE(missing.out.starts_with("# Guide")) << "the stored text is still the answer";
}

TEST_F(GetTest, FromASubdirectory) {
  MakeSmallStore();
  const RunResult result = Run({"get", "docs/guide.md", "--verify"}, {.directory = Path("src")});
  EXPECT_EQ(result.exit, 0) << result;
}

TEST_F(AskTest, StatsTextAndJson) {
  MakeSmallStore();
  const RunResult text = Run({"stats"});
  EXPECT_NE(text.out.find("Docs:        3\n"), std::string::npos) << text;
  EXPECT_NE(text.out.find("Embedding:   lsa, 256 dimensions\n"), std::string::npos) << text;
  const Json json = Run({"stats", "--json"}).Json();
  EXPECT_EQ(json["stats"]["doc_count"], 3);
  EXPECT_EQ(json["stats"]["corpus"]["docs"], 3);
  EXPECT_GT(json["stats"]["memory"]["rss_bytes"], 0);
  EXPECT_EQ(json["stats"]["db_size_bytes"], std::filesystem::file_size(Path("recall.db")));
}

TEST_F(AskTest, ThereIsOneFileAtRest) {
  MakeSmallStore();
  Run({"search", "segments"});
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(directory())) {
    names.insert(entry.path().filename());
  }
  EXPECT_EQ(names, (std::set<std::string>{"docs", "recall.db", "src"}));
}

}  // namespace
}  // namespace recall
