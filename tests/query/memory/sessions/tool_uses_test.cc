// Sessions are found by commands that were run and by outputs of tools, on request.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "query/types/search_types.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

// Transcripts of Claude Code, a file for each session.
class ToolUsesTest : public QueryFixture {
 protected:
  void SetUp() override { Create({.embedder = "hash", .dim = 64}); }

  nlohmann::json LineOfSession(const std::string& id, const std::string& type) {
    const int second = seconds_++;
    const std::string at = "2026-02-25T10:" + std::to_string(10 + second / 60) + ":" +
                           std::to_string(10 + second % 50) + ".000Z";
    return {{"type", type},
            {"sessionId", id},
            {"uuid", "u" + std::to_string(second)},
            {"timestamp", at},
            {"cwd", "/work"}};
  }
  void Add(const std::string& id, const std::string& type, const nlohmann::json& content) {
    nlohmann::json line = LineOfSession(id, type);
    line["message"] = {{"role", type}, {"id", line["uuid"]}, {"content", content}};
    transcripts_[id] += line.dump() + "\n";
  }
  void Asks(const std::string& id, const std::string& text) { Add(id, "user", text); }
  void Says(const std::string& id, const std::string& text) {
    Add(id, "assistant", nlohmann::json::array({{{"type", "text"}, {"text", text}}}));
  }
  // A command and what it printed.
  void Runs(const std::string& id, const std::string& command, const std::string& output) {
    Add(id, "assistant",
        nlohmann::json::array({{{"type", "tool_use"},
                                {"id", "t" + std::to_string(seconds_)},
                                {"name", "Bash"},
                                {"input", {{"command", command}}}}}));
    Add(id, "user", nlohmann::json::array({{{"type", "tool_result"}, {"content", output}}}));
  }

  void CaptureAll(bool keep_transcripts = true) {
    for (const auto& [id, lines] : transcripts_) WriteFile("transcripts/" + id + ".jsonl", lines);
    CaptureRequest request;
    request.paths = {dir_ / "transcripts"};
    request.agents = {"claude-code"};
    request.project = dir_.path();
    request.keep_transcripts = keep_transcripts;
    ASSERT_OK(database_->Capture(request));
  }

  static SearchRequest With(const std::string& ran, const std::string& outputs,
                            const std::string& text = "") {
    SearchRequest request;
    request.text = text;
    request.newest = text.empty();
    request.scope.filter = "doc.kind = 'session'";
    request.ranking.fusion = FusionMethod::kGrouped;
    request.ranking.parts = {0.4, 0.6, 0};
    request.expand_words = false;
    request.snippet_bytes = 240;
    request.k = 100;
    request.tool_uses.ran = ran;
    request.tool_uses.outputs = outputs;
    return request;
  }

  std::vector<std::string> IdsOf(const SearchResponse& found) {
    std::vector<std::string> ids;
    for (const SearchHit& hit : found.hits) ids.push_back(hit.doc.path.substr(21));
    std::ranges::sort(ids);
    return ids;
  }

  std::map<std::string, std::string> transcripts_;
  int seconds_ = 0;
};

using IdList = std::vector<std::string>;

TEST_F(ToolUsesTest, ChooseTheSessionsThatAreRanked) {
  Asks("built", "Does the gateway build?");
  Says("built", "I try it.");
  Runs("built", "make test 2>&1", "undefined reference to Gate::Open\nmake: *** Error 1");
  Says("built", "It does not.");
  Asks("talked", "Is make test the gateway command?");
  Says("talked", "It is. An undefined reference is an error.");
  Asks("listed", "Which files has the gateway?");
  Says("listed", "These.");
  Runs("listed", "ls src", "gate.cc\nReference.cc");
  CaptureAll();
  const SearchResponse ran = Search(With("Make TEST", ""));
  ASSERT_EQ(IdsOf(ran), (IdList{"built"})) << "what was said is no command";
  ASSERT_EQ(ran.hits[0].ran.size(), 1u);
  EXPECT_EQ(ran.hits[0].ran[0].turn, 1u);
  EXPECT_EQ(ran.hits[0].ran[0].tool, "Bash");
  EXPECT_EQ(ran.hits[0].ran[0].command, "make test 2>&1");
  EXPECT_TRUE(ran.hits[0].outputs.empty());
  EXPECT_EQ(ran.total_hits, 1);

  const SearchResponse printed = Search(With("", "reference GATE"));
  ASSERT_EQ(IdsOf(printed), (IdList{"built", "listed"}));
  for (const SearchHit& hit : printed.hits) {
    ASSERT_EQ(hit.outputs.size(), 1u);
    EXPECT_EQ(hit.outputs[0].turn, 1u);
    EXPECT_EQ(hit.outputs[0].line, 4);
  }
  EXPECT_EQ(IdsOf(Search(With("", "reference undefined"))), (IdList{"built"}));
  const SearchResponse apart = Search(With("", "gate.cc undefined"));
  EXPECT_TRUE(apart.hits.empty()) << "in no single output";
  ASSERT_EQ(apart.warnings.size(), 1u);
  EXPECT_TRUE(apart.warnings[0].starts_with("no results: "));
  EXPECT_EQ(IdsOf(Search(With("ls", "reference"))), (IdList{"listed"}));
  EXPECT_TRUE(Search(With("ls", "undefined")).hits.empty());

  // The order is that of the ranking, and nothing is found that the question does not find.
  EXPECT_EQ(IdsOf(Search(With("make test", "", "gateway build"))), (IdList{"built"}));
  SearchRequest none = With("make test", "");
  none.scope.filter += " AND doc.session.id = 'listed'";
  EXPECT_TRUE(Search(none).hits.empty());
}

TEST_F(ToolUsesTest, DoNotChangeAQuestionWithoutThem) {
  Asks("built", "Does the gateway build?");
  Runs("built", "zebra --test", "unicorn");
  Says("built", "Yes.");
  CaptureAll();
  SearchRequest plain;
  plain.text = "zebra unicorn";
  plain.expand_words = false;
  plain.mode = SearchMode::kLexical;
  EXPECT_TRUE(Search(plain).hits.empty());
  for (const SearchHit& hit : Search(With("", "", "gateway")).hits) {
    EXPECT_TRUE(hit.ran.empty());
    EXPECT_TRUE(hit.outputs.empty());
  }
}

TEST_F(ToolUsesTest, AFewAreShownAndLongOutputsAreCut) {
  Asks("many", "Run it.");
  Says("many", "I do.");
  for (int i = 0; i < 5; ++i) {
    Runs("many", "make step" + std::to_string(i),
         std::string(5000, 'x') + " needle äöü " + std::string(5000, 'y'));
  }
  CaptureAll();
  const SearchResponse found = Search(With("make step", "needle"));
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_EQ(found.hits[0].ran.size(), kMostToolUses);
  ASSERT_EQ(found.hits[0].outputs.size(), kMostToolUses);
  const std::string& text = found.hits[0].outputs[0].text;
  EXPECT_LE(text.size(), 240u);
  EXPECT_NE(text.find("needle äöü"), text.npos);
}

TEST_F(ToolUsesTest, SecretsOfOutputsAreNotFound) {
  const std::string key = std::string("AKIA") + "Q3ZT7WPLX5RDKM2V";
  Asks("leaked", "Print the key.");
  Says("leaked", "Here.");
  Runs("leaked", "env", "AWS_ACCESS_KEY_ID=" + key + " and marmalade");
  CaptureAll();
  EXPECT_TRUE(Search(With("", key)).hits.empty());
  const SearchResponse found = Search(With("", "marmalade"));
  ASSERT_EQ(found.hits.size(), 1u);
  EXPECT_EQ(found.hits[0].outputs[0].text.find(key), std::string::npos);
}

TEST_F(ToolUsesTest, WhatCouldNotBeSearchedIsSaid) {
  for (const char* id : {"one", "two", "three"}) {
    Asks(id, "Run it.");
    Says(id, "I do.");
    Runs(id, "make", "needle");
  }
  CaptureAll();
  EXPECT_TRUE(Search(With("make", "")).warnings.empty());
  EXPECT_TRUE(Search(With("", "needle")).warnings.empty());
  SearchRequest little = With("", "needle");
  little.tool_uses.most_bytes = 1;
  const SearchResponse first = Search(little);
  EXPECT_EQ(IdsOf(first), (IdList{"three"})) << "the newest";
  ASSERT_EQ(first.warnings.size(), 1u);
  EXPECT_NE(first.warnings[0].find("outputs of 2 sessions were not searched"), std::string::npos);
  // Where a scope hides documents, transcripts are not read.
  Reopen({.scope = "doc.session.id != 'one'"});
  const SearchResponse hidden = Search(With("", "needle"));
  EXPECT_TRUE(hidden.hits.empty());
  ASSERT_FALSE(hidden.warnings.empty());
  EXPECT_NE(hidden.warnings[0].find("outputs of 2 sessions"), std::string::npos);
  EXPECT_EQ(IdsOf(Search(With("make", ""))), (IdList{"three", "two"}));
  // Without transcripts there are no outputs.
  Create({.embedder = "hash", .dim = 64});
  CaptureAll(false);
  const SearchResponse without = Search(With("", "needle"));
  EXPECT_TRUE(without.hits.empty());
  EXPECT_NE(without.warnings.at(0).find("outputs of 3 sessions"), std::string::npos);
}

}  // namespace
}  // namespace recall
