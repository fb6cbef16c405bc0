// The syntax of --stages, and its errors.

#include "query/ask/stages/stage_list.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(StageListTest, ReadsNamesParametersAndSpaces) {
  EXPECT_OK(StageList::Parse(""));
  ASSERT_OK_AND_ASSIGN(const StageList none, StageList::Parse(" \n"));
  EXPECT_TRUE(none.Empty());
  std::string all;
  for (const std::string_view name : AllStageNames()) {
    all += (all.empty() ? "" : ",") + std::string(name);
    if (name == "ranker") all += ":name=mine";
  }
  ASSERT_OK_AND_ASSIGN(const StageList every, StageList::Parse(all));
  EXPECT_FALSE(every.Empty());
  for (const char* text : {"mmr:lambda=0.5", " mmr : lambda = .5 , recency:half-life=12h:weight=1",
                           "rm3:docs=3:terms=9", "per-document:max=2,near-duplicates:threshold=0.9",
                           "mmr,", "fields:title=0:body=2", "ranker:weight=0.5:name=bge-v2.1_m3"}) {
    SCOPED_TRACE(text);
    EXPECT_OK(StageList::Parse(text));
  }
}

TEST(StageListTest, OtherTextsAreOneErrorThatListsWhatThereIs) {
  struct Case {
    std::string text;
    std::string message;
    std::string hint;  // part of the hint
  };
  const Case cases[] = {
      {"foo", "unknown stage 'foo'",
       "stages are fields, freshness, hops, keywords, late-interaction, mmr, near-duplicates, "
       "per-document, proximity, ranker, recency, rm3, uses"},
      {"mmr,,rm3", "unknown stage ''", "stages are"},
      {"mmr:mu=1", "the stage mmr has no parameter 'mu'",
       "mmr has lambda=0.7 (a number from 0 to 1)"},
      {"mmr:lambda", "lambda of the stage mmr must be a number from 0 to 1, not ''", "mmr has"},
      {"mmr:lambda=1.1", "lambda of the stage mmr must be a number from 0 to 1, not '1.1'",
       "mmr has"},
      {"mmr:lambda=nan", "lambda of the stage mmr must be a number from 0 to 1, not 'nan'",
       "mmr has"},
      {"per-document:max=1.5",
       "max of the stage per-document must be a whole number from 1 to 100, not '1.5'",
       "per-document has max=1"},
      {"recency:half-life=30",
       "half-life of the stage recency must be a length of time such as 12h, 7d or 4w, not '30'",
       "recency has half-life=30d"},
      {"recency:half-life=0d",
       "half-life of the stage recency must be a length of time such as 12h, 7d or 4w, not '0d'",
       "recency has"},
      {"freshness:x=1", "the stage freshness has no parameter 'x'", "freshness has no parameters"},
      {"ranker", "the stage ranker needs a name", "ranker has name=NAME (the NAME of a [rankers."},
      {"ranker:name=../x:weight=1",
       "name of the stage ranker must be the NAME of a [rankers.NAME] in your own recall.toml, not "
       "'../x'",
       "weight=1 (a number from 0 to 1)"},
      {"ranker:name=a,ranker:name=b", "the stage ranker is given twice", "in the order given"},
      {"mmr,rm3,mmr", "the stage mmr is given twice", "in the order given"},
  };
  for (const Case& c : cases) {
    const Result<StageList> list = StageList::Parse(c.text);
    ASSERT_FALSE(list.has_value()) << c.text;
    EXPECT_EQ(list.error().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(list.error().message(), c.message);
    EXPECT_NE(list.error().hint().find(c.hint), std::string::npos) << list.error().hint();
  }
}

TEST(StageListTest, ALengthOfTimeHasTheFormsOfOtherLengths) {
  for (const char* text : {"180d", "6mo", "6 months", "180 days", "4320h"}) {
    EXPECT_TRUE(StageList::Parse("recency:half-life=" + std::string(text)).has_value()) << text;
  }
}

TEST(StageListTest, NamesComeByTheAlphabet) {
  const std::vector<std::string_view> names = AllStageNames();
  EXPECT_EQ(names.size(), 13u);
  EXPECT_TRUE(std::ranges::is_sorted(names));
}

}  // namespace
}  // namespace recall
