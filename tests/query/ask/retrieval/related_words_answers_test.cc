// Words that mean nearly the same as words of the query count, too.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class RelatedWordsAnswersTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64});
    WriteFile("vehicle.md", "The automobile stands before the house.\n");
    WriteFile("word.md", "The car stands before the house.\n");
    WriteFile("money.md", "The salary arrives on Friday.\n");
    WriteFile("other.md", "Nothing of these is mentioned.\n");
    Add();
  }

  using Files = std::vector<std::string>;

  SearchResponse Ask(const std::string& text, bool expand = true) {
    SearchRequest request;
    request.text = text;
    request.mode = SearchMode::kLexical;
    request.expand_words = expand;
    return Search(request);
  }
  using QueryFixture::Search;
};

TEST_F(RelatedWordsAnswersTest, AreFoundBehindTheWordItselfAndNamed) {
  const SearchResponse found = Ask("car");
  EXPECT_EQ(Paths(found), (Files{"word.md", "vehicle.md"}));
  EXPECT_EQ(found.related_words, (std::vector<RelatedWords>{{"car", {"automobile"}}}));
  EXPECT_LT(found.hits[1].score, 0.5 * found.hits[0].score);
  EXPECT_EQ(Paths(Ask("wage")), Files{"money.md"});
  EXPECT_EQ(Paths(Ask("wages on friday")), Files{"money.md"});
}

TEST_F(RelatedWordsAnswersTest, AreLeftOutWhereTheWordIsMeantAsItIs) {
  for (const char* text : {"\"car\"", "+car", "car*"}) {
    EXPECT_EQ(Paths(Ask(text)), Files{"word.md"}) << text;
  }
  EXPECT_EQ(Paths(Ask("car", false)), Files{"word.md"});
  EXPECT_TRUE(Ask("car", false).related_words.empty());
  EXPECT_EQ(Paths(Ask("house -car")), Files{"vehicle.md"});
  EXPECT_EQ(Paths(Ask("\"the car\" friday")), (Files{"word.md", "money.md"}));
  EXPECT_EQ(Paths(Ask("wage \"wage\"")), Files{});
}

TEST_F(RelatedWordsAnswersTest, ConditionsHoldForThem) {
  EXPECT_EQ(Paths(Ask("car -automobile")), Files{"word.md"});
  EXPECT_EQ(Paths(Ask("car +house")), (Files{"word.md", "vehicle.md"}));
  SearchRequest request;
  request.text = "car";
  request.mode = SearchMode::kLexical;
  request.scope.filter = "doc.path GLOB '**/vehicle.md'";
  EXPECT_EQ(Paths(Search(request)), Files{"vehicle.md"});
}

TEST_F(RelatedWordsAnswersTest, OnesThatAreAskedThemselvesCountOnce) {
  EXPECT_TRUE(Ask("car automobile").related_words.empty());
}

// What many chunks have is found without other words, and is none for another word.
TEST_F(RelatedWordsAnswersTest, FrequentWordsHaveNone) {
  EXPECT_EQ(Ask("car").related_words.size(), 1u);
  for (int i = 0; i <= 2000; ++i) {
    WriteFile("many/" + std::to_string(i) + ".md", "A car, number " + std::to_string(i) + ".\n");
  }
  Add();
  EXPECT_TRUE(Ask("car").related_words.empty());
  EXPECT_TRUE(Ask("automobile").related_words.empty());
}

// A store with a trained model, in which no text has the word that is asked.
class UnknownWordsAnswersTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "lsa", .dim = 64});
    for (int i = 0; i < 10; ++i) {
      const std::string number = std::to_string(i);
      WriteFile("baby" + number + ".md", "The baby sleeps in the cradle, day " + number + ".\n");
      WriteFile("ship" + number + ".md", "Harbours and anchors of vessels, day " + number + ".\n");
    }
    Add();
  }
  using QueryFixture::Search;
};

TEST_F(UnknownWordsAnswersTest, AreNearTextsThatMeanTheSame) {
  SearchRequest request;
  request.text = "infant";
  request.mode = SearchMode::kSemantic;
  const SearchResponse found = Search(request);
  ASSERT_FALSE(found.hits.empty());
  EXPECT_TRUE(found.hits[0].doc.path.starts_with("baby"));
  EXPECT_GT(found.hits[0].score, 0.5);
  request.expand_words = false;
  EXPECT_TRUE(Search(request).hits.empty());
  request.expand_words = true;
  request.text = "qwertz asdf";
  EXPECT_TRUE(Search(request).hits.empty());
}

}  // namespace
}  // namespace recall
