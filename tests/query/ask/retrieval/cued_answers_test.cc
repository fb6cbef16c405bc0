// Definitions, imports and roles of files in answers, from the files to the ranking.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Paths = std::vector<std::string>;

class CuedAnswersTest : public QueryFixture {
 protected:
  // A definition among words about other things, and many chunks that use the name often.
  void WriteErrors() {
    std::string header = "#define EPERM 1 /* Operation not permitted */\n";
    for (int i = 0; i < 40; ++i)
      header += "#define EOTHER" + std::to_string(i) + " 3 /* other */\n";
    WriteFile("include/errno.h", header + "#define EINVAL 22 /* Invalid argument */\n");
    for (int i = 0; i < 120; ++i) {
      const std::string number = std::to_string(i);
      WriteFile("src/user" + number + ".c", "int check" + number + "(int a) {\n  if (a < " +
                                                number +
                                                ") return -EINVAL;\n  return -EINVAL;\n}\n");
    }
  }

  SearchResponse Ask(const std::string& text, SearchMode mode, const std::string& cues = "",
                     const std::string& filter = "") {
    SearchRequest request;
    request.text = text;
    request.mode = mode;
    request.k = 8;
    request.explain = true;
    request.scope.filter = filter;
    request.ranking.cues = cues;
    auto response = database_->Search(request);
    EXPECT_TRUE(response) << response.error().message();
    return response ? *std::move(response) : SearchResponse();
  }

  static double ScoreOf(const std::string& path, const SearchResponse& response) {
    const auto found =
        std::ranges::find(response.hits, path, [](const SearchHit& hit) { return hit.doc.path; });
    return found == response.hits.end() ? 0 : found->score;
  }

  static std::string First(const SearchResponse& response) {
    return response.hits.empty() ? "" : response.hits.front().doc.path;
  }
};

constexpr SearchMode kModes[] = {SearchMode::kLexical, SearchMode::kHybrid};

TEST_F(CuedAnswersTest, ADefinitionComesBeforeItsUsers) {
  WriteErrors();
  Add();
  for (const SearchMode mode : kModes) {
    for (const char* question : {"EINVAL", "what does EINVAL mean"}) {
      EXPECT_EQ(First(Ask(question, mode)), "include/errno.h") << question;
      EXPECT_NE(First(Ask(question, mode, "none")), "include/errno.h") << question;
    }
    EXPECT_EQ(First(Ask("check77", mode)), "src/user77.c");
  }
}

// Texts with more of the other words come after the one that has the version.
TEST_F(CuedAnswersTest, AVersionOfTheQuestionCounts) {
  WriteFile("log/new.txt", "loom 3.4: what changed in the loom: what changed, changed again.\n");
  WriteFile("log/old.txt", "loom 3.3: bells are quiet, and a loom has more than one shuttle.\n");
  WriteFile("log/none.txt", "What changed in a loom? What has changed is that a loom changed.\n");
  Add();
  const SearchResponse response = Ask("what changed in loom 3.3", SearchMode::kLexical);
  ASSERT_EQ(response.hits.size(), 3u);
  EXPECT_EQ(First(response), "log/old.txt");
  EXPECT_TRUE(response.hits[0].explain->cues.empty());
  ASSERT_EQ(response.hits[1].explain->cues.size(), 1u);
  EXPECT_EQ(response.hits[1].explain->cues[0].cue, "number");
  EXPECT_EQ(response.hits[1].explain->cues[0].factor, 0.85);
  // Where no text has the number, nothing changes.
  EXPECT_TRUE(Ask("what changed in loom 9.9", SearchMode::kLexical).hits[0].explain->cues.empty());
  EXPECT_TRUE(Ask("what changed in loom 3.3", SearchMode::kLexical, "number=1")
                  .hits[1]
                  .explain->cues.empty());
}

TEST_F(CuedAnswersTest, AnExplanationHasALineForEachCue) {
  WriteErrors();
  Add();
  const SearchResponse response = Ask("EINVAL", SearchMode::kLexical);
  ASSERT_EQ(First(response), "include/errno.h");
  const HitExplain& explain = *response.hits.front().explain;
  ASSERT_GE(explain.cues.size(), 2u);
  EXPECT_EQ(explain.cues.front().cue, "definition");
  EXPECT_EQ(explain.cues.front().note, "EINVAL");
  EXPECT_EQ(explain.cues.front().definition, 1);
  // A definition needs no further hits in its file.
  EXPECT_EQ(explain.cues.back().cue, "support");
  EXPECT_EQ(explain.cues.back().note, "include/errno.h");
  EXPECT_EQ(explain.cues.back().definition, 0.6);
  ASSERT_TRUE(explain.cued);
  EXPECT_EQ(explain.cued->was, 0);  // behind a hundred users
  EXPECT_EQ(explain.cued->rank, 1);
  EXPECT_EQ(explain.cued->score, response.hits.front().score);
  EXPECT_LT(explain.cued->score_before, explain.cued->score);
  ASSERT_EQ(response.hits[1].explain->cues.size(), 1u);
  EXPECT_EQ(response.hits[1].explain->cues[0].cue, "support");
}

// 120 users are alike: cues look at the first hundred, and the others do not pass them.
TEST_F(CuedAnswersTest, WhatIsBehindTheBestHundredStaysBehind) {
  WriteErrors();
  Add();
  SearchRequest request;
  request.text = "EINVAL";
  request.mode = SearchMode::kLexical;
  request.k = 1000;
  request.identical = IdenticalChunks::kKeep;
  request.ranking.cues = "none";
  const std::vector<std::string> plain = QueryFixture::Paths(Search(request));
  request.ranking.cues = "filename=0:support=0:symbols=0";
  const std::vector<std::string> cued = QueryFixture::Paths(Search(request));
  ASSERT_EQ(cued.size(), plain.size());
  EXPECT_EQ(cued.front(), "include/errno.h");
  std::vector<std::string> users;
  for (const std::string& path : plain) {
    if (path != "include/errno.h") users.push_back(path);
  }
  std::vector<std::string> after;
  for (const std::string& path : cued) {
    if (path != "include/errno.h") after.push_back(path);
  }
  EXPECT_EQ(after, users);
}

TEST_F(CuedAnswersTest, AnOrderOfRowsKeepsAllMatches) {
  WriteErrors();
  Add();
  QueryRequest request;
  request.rql = "FROM chunk USING lexical('EINVAL') ORDER BY path SELECT path LIMIT 1000";
  ASSERT_OK_AND_ASSIGN(const QueryResponse response, database_->Query(request));
  EXPECT_EQ(static_cast<int64_t>(response.rows.size()),
            Ask("EINVAL", SearchMode::kLexical).total_hits);
}

TEST_F(CuedAnswersTest, NothingIsRemovedAndPagesFitTogether) {
  WriteErrors();
  Add();
  for (const SearchMode mode : kModes) {
    const int64_t total = Ask("EINVAL", mode, "none").total_hits;
    EXPECT_EQ(Ask("EINVAL", mode).total_hits, total);
    SearchRequest request;
    request.text = "EINVAL";
    request.mode = mode;
    request.k = 1000;
    request.identical = IdenticalChunks::kKeep;
    ASSERT_OK_AND_ASSIGN(const SearchResponse all, database_->Search(request));
    EXPECT_EQ(static_cast<int64_t>(all.hits.size()), total);
    std::vector<std::string> paged;
    for (request.k = 7; request.offset < 200; request.offset += 7) {
      ASSERT_OK_AND_ASSIGN(const SearchResponse page, database_->Search(request));
      for (const SearchHit& hit : page.hits) paged.push_back(hit.doc.path);
    }
    EXPECT_EQ(paged, QueryFixture::Paths(all));
    EXPECT_TRUE(std::ranges::is_sorted(all.hits, std::greater(), &SearchHit::score));
  }
}

TEST_F(CuedAnswersTest, FiltersAndOperatorsAreStrict) {
  WriteErrors();
  Add();
  for (const SearchMode mode : kModes) {
    for (const SearchHit& hit : Ask("EINVAL", mode, "", "doc.path LIKE 'src/%'").hits) {
      EXPECT_TRUE(hit.doc.path.starts_with("src/"));
    }
    for (const SearchHit& hit : Ask("EINVAL -EPERM", mode).hits) {
      EXPECT_TRUE(hit.doc.path.starts_with("src/"));
    }
  }
  WriteFile("include/errno.h", "nothing is defined any more\n");
  Add();
  EXPECT_TRUE(First(Ask("EINVAL", SearchMode::kLexical)).starts_with("src/"));
}

TEST_F(CuedAnswersTest, TestsComeAfterWhatTheyTestUnlessAskedFor) {
  WriteFile("src/cart.py", "# The cart computes the discount of an order of many articles.\n");
  WriteFile("tests/test_cart.py", "# discount of an order: check the discount, and an order\n");
  WriteFile("notes.txt", "something else\n");
  Add();
  for (const SearchMode mode : kModes) {
    EXPECT_EQ(First(Ask("discount of an order", mode, "none")), "tests/test_cart.py");
    const SearchResponse cued = Ask("discount of an order", mode);
    EXPECT_EQ(First(cued), "src/cart.py");
    ASSERT_GE(cued.hits.size(), 2u);
    EXPECT_EQ(cued.hits[1].explain->cues.at(0).cue, "tests");
    EXPECT_EQ(First(Ask("test of the discount of an order", mode)), "tests/test_cart.py");
    EXPECT_EQ(First(Ask("discount of an order", mode, "tests=1")), "tests/test_cart.py");
    EXPECT_EQ(First(Ask("discount of an order", mode, "", "doc.path LIKE 'tests/%'")),
              "tests/test_cart.py");
  }
}

TEST_F(CuedAnswersTest, ImportsCountForLittle) {
  WriteFile("src/app.py", "import discount\nfrom discount import discount, order\n");
  WriteFile("src/cart.py",
            "# An order has a discount when there are many articles of a kind in it.\n");
  WriteFile("notes.txt", "something else\n");
  Add();
  for (const SearchMode mode : kModes) {
    EXPECT_EQ(First(Ask("discount order", mode, "none")), "src/app.py");
    EXPECT_EQ(First(Ask("discount order", mode)), "src/cart.py");
  }
}

// Where code is among the hits, files that are named after the question come first.
TEST_F(CuedAnswersTest, FilesCountByTheirNames) {
  WriteFile("src/ring_buffer.c", "/* A buffer of a ring, and of other things that are kept. */\n");
  WriteFile("src/log.c", "/* ring buffer: the ring buffer has a ring and a buffer */\n");
  WriteFile("notes/ring_buffer.txt", "A buffer of a ring, and of other things that are put.\n");
  Add();
  for (const SearchMode mode : kModes) {
    const SearchResponse plain = Ask("ring buffers", mode, "none");
    const SearchResponse cued = Ask("ring buffers", mode);
    ASSERT_EQ(cued.hits.size(), plain.hits.size());
    EXPECT_EQ(QueryFixture::Paths(cued).back(), "src/log.c");
    EXPECT_LT(cued.hits.back().score, ScoreOf("src/log.c", plain));
    EXPECT_EQ(cued.hits.front().score, plain.hits.front().score);
    for (const SearchHit& hit : cued.hits) {
      const bool named = std::ranges::find(hit.explain->cues, "filename", &CueEffect::cue) !=
                         hit.explain->cues.end();
      EXPECT_EQ(named, hit.doc.path != "src/log.c") << hit.doc.path;
    }
  }
}

// The oracle is the sum of the scores before: it counts for the best chunk of the file alone.
TEST_F(CuedAnswersTest, TheBestChunkOfAFileHasTheSupportOfTheOthers) {
  Create({.embedder = "hash", .dim = 64, .chunk_tokens = 16, .overlap_tokens = 0});
  std::string many;
  for (int i = 0; i < 6; ++i) {
    many += "// The valve is closed by hand " + std::to_string(i) +
            " and the other words of this line are many and long.\n";
  }
  WriteFile("src/many.zz.c", many);
  WriteFile("src/one.zz.c", "// A valve that is closed.\n");
  Add();
  SearchRequest request;
  request.text = "closed valve";
  request.mode = SearchMode::kLexical;
  request.explain = true;
  request.identical = IdenticalChunks::kKeep;
  request.ranking.cues = "none";
  EXPECT_EQ(First(Search(request)), "src/one.zz.c");
  request.ranking.cues = "filename=0:symbols=0";
  const SearchResponse cued = Search(request);
  EXPECT_EQ(First(cued), "src/many.zz.c");
  EXPECT_EQ(cued.hits.front().explain->cues.at(0).cue, "support");
  EXPECT_EQ(cued.hits.front().explain->cues.at(0).definition, 0.6);
  int supported = 0;
  for (const SearchHit& hit : cued.hits) supported += hit.explain->cues.empty() ? 0 : 1;
  EXPECT_EQ(supported, 2);
}

// Else the manual would disappear behind the program.
TEST_F(CuedAnswersTest, APageHasTheCuesOfItsFileWhereCodeIsAmongTheHits) {
  WriteFile("docs/valve.md", "# Valve\n\nHow a valve is closed: turn the wheel of the valve.\n");
  WriteFile("src/valve.c", "/* closes a valve */\nint close_it(int a) { return a + 1; }\n");
  WriteFile("src/other.c", "/* a valve */\nint open_it(int a) { return a + 2; }\n");
  Add();
  for (const SearchMode mode : kModes) {
    const SearchResponse response = Ask("how is a valve closed", mode);
    const auto page = std::ranges::find(response.hits, "docs/valve.md",
                                        [](const SearchHit& hit) { return hit.doc.path; });
    ASSERT_NE(page, response.hits.end());
    std::vector<std::string> cues;
    for (const CueEffect& effect : page->explain->cues) cues.push_back(effect.cue);
    EXPECT_EQ(cues, (std::vector<std::string>{"filename", "support"}));
  }
}

// A backtrace says where to look, whatever words the other files have.
TEST_F(CuedAnswersTest, AFileThatTheQuestionNamesComesFirst) {
  WriteFile("src/valve.c", "int close_it(int turns) { return turns + 1; }\n");
  WriteFile("old/valve.c", "int close_it(int turns) { return turns - 1; }\n");
  WriteFile("src/wheel.c", "/* fails: turns of the wheel, turns, turns */ int turns = 3;\n");
  WriteFile("docs/turns.md", "# Turns\n\nWhen the count of turns fails, the turns are wrong.\n");
  Add();
  const std::string trace =
      "the count of turns fails\nturns = 3\n  #1 close_it (turns=3) at /home/me/src/valve.c:1\n";
  for (const SearchMode mode : kModes) {
    EXPECT_NE(First(Ask(trace, mode, "path=0:definition=0")), "src/valve.c");
    const SearchResponse response = Ask(trace, mode, "definition=0");
    ASSERT_EQ(First(response), "src/valve.c");
    const std::vector<CueEffect>& cues = response.hits.front().explain->cues;
    const auto path = std::ranges::find(cues, "path", &CueEffect::cue);
    ASSERT_NE(path, cues.end());
    EXPECT_EQ(path->note, "src/valve.c");
    EXPECT_EQ(path->definition, 1);
    EXPECT_EQ(First(Ask("turns, as docs/turns.md says", mode)), "docs/turns.md");
    EXPECT_EQ(First(Ask("turns in wheel.c", mode)), "src/wheel.c");
  }
}

// What is pasted has any word somewhere.
TEST_F(CuedAnswersTest, TheFirstLineOfAPastedTextAsksForRolesAndNames) {
  WriteFile("src/valve.c", "int valve_closes(int a) { return a + 1; }\n");
  WriteFile("tests/valve_test.c", "/* the valve closes */ int valve_closes_is_right(int a);\n");
  Add();
  const std::string text = "valve closes late\nwe ran the test of the valve\n";
  for (const SearchMode mode : kModes) {
    EXPECT_EQ(First(Ask(text, mode)), "src/valve.c");
    EXPECT_EQ(First(Ask("test of the valve closes late\nwe ran it\n", mode)), "tests/valve_test.c");
  }
}

TEST_F(CuedAnswersTest, ADefinitionInTheCaseOfTheQuestionComesFirst) {
  WriteFile("src/a.py", "def session():\n    return session_of(session, session, session)\n");
  WriteFile("src/b.py",
            "class Session:\n    # What a client keeps between two requests to a host\n"
            "    pass\n");
  Add();
  for (const SearchMode mode : kModes) {
    EXPECT_EQ(First(Ask("Session", mode)), "src/b.py");
    EXPECT_EQ(First(Ask("session", mode)), "src/a.py");
    EXPECT_EQ(First(Ask("class Session", mode)), "src/b.py");
  }
}

TEST_F(CuedAnswersTest, ALongerNameSaysNothingOfTheCase) {
  WriteFile("docs/a.md", "# session\n\nSee SessionStore, and what else there is of it.\n");
  WriteFile("docs/b.md", "# Session\n\nWhat a client keeps between two requests to a host.\n");
  WriteFile("docs/c.md", "# Other\n\nA text of another thing.\n");
  Add();
  for (const SearchMode mode : kModes) {
    EXPECT_EQ(First(Ask("Session", mode)), "docs/b.md");
    EXPECT_EQ(First(Ask("session", mode)), "docs/a.md");
  }
}

// The oracle is the same store without cues: no bit of a score changes.
TEST_F(CuedAnswersTest, ProseKeepsItsScores) {
  for (int i = 0; i < 30; ++i) {
    WriteFile("texts/" + std::to_string(i) + ".txt",
              "Text " + std::to_string(i) + " about apples and pears in autumn.\n");
  }
  Add();
  for (const SearchMode mode : kModes) {
    const SearchResponse cued = Ask("apples in autumn 7", mode);
    const SearchResponse plain = Ask("apples in autumn 7", mode, "none");
    ASSERT_EQ(cued.hits.size(), plain.hits.size());
    for (size_t i = 0; i < cued.hits.size(); ++i) {
      EXPECT_EQ(cued.hits[i].doc.path, plain.hits[i].doc.path);
      EXPECT_EQ(cued.hits[i].score, plain.hits[i].score);
      EXPECT_TRUE(cued.hits[i].explain->cues.empty());
    }
  }
}

TEST_F(CuedAnswersTest, AStoreOfAnEarlierTokenizerHasNoCues) {
  database_.reset();
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
    ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
    ASSERT_OK(transaction->connection().Execute(
        "UPDATE meta SET value = 2 WHERE key = 'tokenizer_version'; COMMIT"));
  }
  Reopen();
  WriteErrors();
  WriteFile("tests/check.c", "EINVAL EINVAL EINVAL EINVAL\n");
  Add();
  EXPECT_EQ(Number("SELECT count(*) FROM lexicon WHERE lexicon MATCH '\"\uE009einval\"'"), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM lexicon WHERE lexicon MATCH '\"\uE00B\"'"), 0);
  EXPECT_EQ(First(Ask("EINVAL", SearchMode::kLexical)), "tests/check.c");
}

}  // namespace
}  // namespace recall
