// The warning that possibly nothing is relevant.

#include "query/ask/answer/irrelevance.h"

#include <algorithm>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class IrrelevanceTest : public QueryFixture {
 protected:
  static bool HasWarning(const AnswerFacts& facts) {
    return std::ranges::any_of(facts.warnings, [](const std::string& warning) {
      return warning.starts_with("possibly nothing relevant: all scores are below 0.");
    });
  }
  SearchRequest Asked(const std::string& text) {
    SearchRequest request;
    request.text = text;
    return request;
  }
  bool Warns(const SearchRequest& request) {
    ContextRequest context;
    context.search = request;
    const auto packed = database_->Context(context);
    EXPECT_TRUE(packed.has_value());
    const bool warns = HasWarning(Search(request));
    EXPECT_EQ(HasWarning(packed->search), warns);  // both say the same
    return warns;
  }
  bool Warns(const std::string& text) { return Warns(Asked(text)); }

  // Texts about a subject, in words that differ.
  void WriteTexts(int count) {
    for (int i = 0; i < count; ++i) {
      const std::string number = std::to_string(i);
      WriteFile(number + ".txt", "The weaver number " + number +
                                     " cleans the loom before the warp is wound on beam " + number +
                                     ", and notes the colour of the thread.\n");
    }
  }
};

TEST_F(IrrelevanceTest, StoresOfAnySizeSayThatTheyDoNotAnswer) {
  for (const int count : {2, 9, 300}) {
    WriteTexts(count);
    Add();
    EXPECT_FALSE(Warns("when is the loom cleaned")) << count;
    EXPECT_FALSE(Warns("who notes the colour of the thread")) << count;
    EXPECT_FALSE(Warns("loom")) << count;
    EXPECT_FALSE(Warns("what happens with the loom")) << count;
    EXPECT_TRUE(Warns("which number of gluons confines a quark in lattice theory")) << count;
    EXPECT_TRUE(Warns("how is a tonsil removed before the fever notes")) << count;
  }
}

// The warning is about the store and the question, not about a page or a stage.
TEST_F(IrrelevanceTest, PagesAndStagesChangeNothing) {
  WriteTexts(9);
  Add();
  SearchRequest request = Asked("when is the loom cleaned");
  request.offset = 8;
  EXPECT_FALSE(HasWarning(Search(request)));
  request.offset = 0;
  request.ranking.stages = "recency:half-life=1h";
  request.scope.as_of = UnixNanos{4'000'000'000'000'000'000};
  EXPECT_FALSE(Warns(request));
}

// Operators, other fusions and searches without words have no such scores.
TEST_F(IrrelevanceTest, NothingIsSaidWhereScoresAreNotComparable) {
  WriteTexts(9);
  Add();
  EXPECT_FALSE(Warns("+number of gluons that confine quarks in lattice theory"));
  SearchRequest request = Asked("which number of gluons confines a quark in lattice theory");
  ASSERT_TRUE(Warns(request));
  request.ranking.fusion = FusionMethod::kReciprocalRank;
  EXPECT_FALSE(Warns(request));
  // Nothing found has its own warning.
  EXPECT_FALSE(Warns("qqzzxx"));
}

TEST(LeastRelevantScoreTest, FallsWithTheNumberOfWordsOnly) {
  EXPECT_EQ(LeastRelevantScore(1, false), LeastRelevantScore(5, false));
  EXPECT_DOUBLE_EQ(LeastRelevantScore(20, true), LeastRelevantScore(5, true) / 2);
}

}  // namespace
}  // namespace recall
