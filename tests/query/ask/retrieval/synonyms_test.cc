// Words that the user calls the same find the same texts.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class SynonymsTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64});
    WriteFile("handbook.md", "Paid time off: twenty days in each year.\n");
    WriteFile("memo.md", "Ask for PTO a week before.\n");
    WriteFile("clock.md", "What time it is, the clock says. Paid by the hour.\n");
    WriteFile("ops.md", "Pods of k8s restart at night.\n");
    WriteFile("cluster.md", "The Kubernetes cluster has nine nodes.\n");
    Add();
  }

  using Files = std::vector<std::string>;

  SearchRequest RequestFor(const std::string& text, const std::string& groups) {
    SearchRequest request;
    request.text = text;
    request.mode = SearchMode::kLexical;
    request.ranking.synonyms = groups;
    return request;
  }
  SearchResponse Ask(const std::string& text, const std::string& groups) {
    return Search(RequestFor(text, groups));
  }
  using QueryFixture::Search;
};

TEST_F(SynonymsTest, OfOneWordAreOneTermWithIt) {
  const std::string groups = "k8s, Kubernetes";
  EXPECT_EQ(Paths(Ask("k8s", "")), Files{"ops.md"});
  const SearchResponse found = Ask("k8s", groups);
  EXPECT_EQ(Paths(found), (Files{"cluster.md", "ops.md"}));
  EXPECT_EQ(found.synonyms, (std::vector<QuerySynonyms>{{"k8s", {"Kubernetes"}}}));
  // The other way round nothing is different.
  const SearchResponse back = Ask("kubernetes", groups);
  ASSERT_EQ(Paths(back), Paths(found));
  for (size_t i = 0; i < found.hits.size(); ++i) EXPECT_EQ(back.hits[i].score, found.hits[i].score);
  // The forms of a word are that word.
  EXPECT_EQ(Paths(Ask("clusters", "cluster, pod")), (Files{"cluster.md", "ops.md"}));
}

TEST_F(SynonymsTest, MayBeSeveralWords) {
  const std::string groups = "pto, paid time off";
  EXPECT_EQ(Paths(Ask("pto", groups)), (Files{"memo.md", "handbook.md"}));
  const SearchResponse found = Ask("how much paid time off", groups);
  EXPECT_EQ(Paths(found), (Files{"handbook.md", "memo.md", "clock.md"}));
  EXPECT_EQ(found.synonyms, (std::vector<QuerySynonyms>{{"paid time off", {"pto"}}}));
  // Words that are a term only together, function words included, and next to each other.
  for (const char* text : {"time", "off", "paid off time", "time paid", "paid at a time off"}) {
    EXPECT_TRUE(Ask(text, groups).synonyms.empty()) << text;
  }
}

TEST_F(SynonymsTest, OfTheLeftSideDoNotFindIt) {
  const std::string groups = "k8s => Kubernetes, nodes";
  EXPECT_EQ(Paths(Ask("k8s", groups)), (Files{"cluster.md", "ops.md"}));
  EXPECT_EQ(Paths(Ask("kubernetes", groups)), Files{"cluster.md"});
}

TEST_F(SynonymsTest, AreLeftOutWhereTheWordIsMeantAsItIs) {
  const std::string groups = "k8s, kubernetes\npto, paid time off";
  for (const char* text : {"\"k8s\"", "+k8s", "k8s*", "nodes \"k8s\"", "\"paid time off\""}) {
    EXPECT_TRUE(Ask(text, groups).synonyms.empty()) << text;
  }
  SearchRequest unexpanded = RequestFor("k8s", groups);
  unexpanded.expand_words = false;
  EXPECT_EQ(Paths(Search(unexpanded)), Files{"ops.md"});
  EXPECT_TRUE(Ask("k8s kubernetes", groups).synonyms.empty());
  EXPECT_EQ(Paths(Ask("k8s -cluster", groups)), Files{"ops.md"});
}

TEST_F(SynonymsTest, ConditionsHoldForThem) {
  SearchRequest request = RequestFor("k8s", "k8s, kubernetes");
  request.scope.filter = "doc.path GLOB '**/ops.md'";
  EXPECT_EQ(Paths(Search(request)), Files{"ops.md"});
}

TEST_F(SynonymsTest, GroupsOfOneTermAreReported) {
  for (const char* group : {"k8s", "k8s,", "k8s =>", "=> k8s", ", =>,"}) {
    const auto found = database_->Search(RequestFor("night", std::string("# names\n\n") + group));
    ASSERT_FALSE(found.has_value()) << group;
    EXPECT_EQ(found.error().code(), StatusCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace recall
