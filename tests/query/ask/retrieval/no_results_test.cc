// An answer without results says why.

#include "query/ask/retrieval/no_results.h"

#include <gtest/gtest.h>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class NoResultsTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64});
    WriteFile("a.md", "# Alpha\n\nmemory index vector\n");
    WriteFile("b.md", "# Beta\n\nsearch budget chunk\n");
    Add();
  }

  std::string Why(SearchRequest request) {
    const auto response = database_->Search(request);
    EXPECT_TRUE(response.has_value());
    EXPECT_TRUE(response->hits.empty());
    return response->warnings.empty() ? "" : response->warnings.back();
  }
  std::string Why(const std::string& text, const std::string& filter = "") {
    SearchRequest request;
    request.text = text;
    request.mode = SearchMode::kLexical;
    request.scope.filter = filter;
    return Why(request);
  }
};

TEST_F(NoResultsTest, TheReasonIsNamed) {
  EXPECT_EQ(Why("databse"), "no results: no chunk contains 'databse'");
  EXPECT_EQ(Why("databse qqqq zzzz"), "no results: no chunk contains 'databse', 'qqqq' or 'zzzz'");
  EXPECT_EQ(Why("a1 a2 a3 a4 a5 a6 a7"),
            "no results: no chunk contains 'a1', 'a2', 'a3', 'a4', 'a5' or 2 others");
  EXPECT_EQ(Why("\"index memory\""),
            "no results: no chunk contains \"index memory\", which must occur");
  EXPECT_EQ(Why("memory +databse"), "no results: no chunk contains 'databse', which must occur");
  EXPECT_EQ(Why("+memory +budget"), "no results: no chunk contains all that must occur");
  EXPECT_EQ(Why("memory -vector"), "no results: every match is excluded");
  EXPECT_EQ(Why("-vector"), "no results: the query only excludes");
  EXPECT_EQ(Why("memory", "doc.path = 'none'"), "no results: the filter matches nothing");
  EXPECT_EQ(Why("memory", "doc.path GLOB '*b.md'"),
            "no results: nothing that passes the filter matches the query");
}

TEST_F(NoResultsTest, InEachMode) {
  SearchRequest request;
  request.text = "\"index memory\"";
  EXPECT_EQ(Why(request), "no results: no chunk contains \"index memory\", which must occur");
  request.mode = SearchMode::kSemantic;
  EXPECT_EQ(Why(request), "no results: no chunk contains all that must occur");
  request.text = "memory";
  request.ranking.min_score = 1;
  request.mode = SearchMode::kLexical;
  EXPECT_EQ(Why(request), "no results: the minimum score or a stage leaves nothing");
}

TEST_F(NoResultsTest, NoReasonIsGivenTwice) {
  SearchRequest request;
  request.text = "?!";
  request.mode = SearchMode::kLexical;
  ASSERT_OK_AND_ASSIGN(const SearchResponse response, database_->Search(request));
  EXPECT_EQ(response.warnings, std::vector<std::string>{"the query has no words to search for; "
                                                        "skipping lexical search"});
}

TEST_F(NoResultsTest, ResultsHaveNoReason) {
  for (const auto mode : {SearchMode::kHybrid, SearchMode::kLexical, SearchMode::kSemantic}) {
    EXPECT_TRUE(Search("memory", mode, 5).warnings.empty());
  }
}

TEST_F(NoResultsTest, AnEmptyStoreIsNamed) {
  RemoveRequest remove;
  remove.targets = {dir_ / "a.md", dir_ / "b.md"};
  ASSERT_OK(database_->Remove(remove));
  EXPECT_EQ(Why("memory"), "no results: the store has no documents");
}

}  // namespace
}  // namespace recall
