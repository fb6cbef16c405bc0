#include "index/search/vocabulary/replacement.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "index/search/vocabulary/edit_variants.h"

namespace recall {
namespace {

TEST(ReplacementTest, TypingErrorsInProportionToTheLength) {
  EXPECT_EQ(ReplacementDistance("databse", "database"), 1u);
  EXPECT_EQ(ReplacementDistance("gatway", "gateway"), 1u);
  EXPECT_EQ(ReplacementDistance("gatwya", "gateway"), 2u);
  EXPECT_EQ(ReplacementDistance("redis", "redid"), 1u);
  EXPECT_EQ(ReplacementDistance("redis", "ready"), std::nullopt);
  EXPECT_EQ(ReplacementDistance("redis", "red"), std::nullopt);
  EXPECT_EQ(ReplacementDistance("misissipi", "mississippi"), 2u);
  EXPECT_EQ(ReplacementDistance("accomodatoin", "accommodation"), 2u);
}

TEST(ReplacementTest, TheFirstLetterIsRightOrSwapped) {
  EXPECT_EQ(ReplacementDistance("adtabase", "database"), 1u);
  EXPECT_EQ(ReplacementDistance("garfield", "airfield"), std::nullopt);
  EXPECT_EQ(ReplacementDistance("muller", "fuller"), std::nullopt);
  EXPECT_EQ(ReplacementDistance("muller", "miller"), 1u);
}

TEST(ReplacementTest, InflectionsHaveTheSameBeginning) {
  EXPECT_TRUE(ReplacementDistance("hypertensive", "hypertension"));
  EXPECT_TRUE(ReplacementDistance("catalogue", "catalogs"));
  EXPECT_FALSE(ReplacementDistance("redirect", "redis"));
  EXPECT_FALSE(ReplacementDistance("photosynthesis", "photographers"));
}

TEST(ReplacementTest, PartsOfCompoundsAreWhole) {
  EXPECT_TRUE(ReplacementDistance("bundesregierung", "regierung"));
  EXPECT_TRUE(ReplacementDistance("kraftwerk", "kohlekraftwerke"));
  EXPECT_TRUE(ReplacementDistance("datenbankserver", "datenbank"));
  EXPECT_TRUE(ReplacementDistance("spannungen", "spannungstensor"));
  EXPECT_TRUE(ReplacementDistance("schmalspurbahnen", "schmalspurschienen"));
  EXPECT_FALSE(ReplacementDistance("photosynthesis", "synthesised"));
  EXPECT_FALSE(ReplacementDistance("kohlekraftwerke", "kraft"));
}

// Every word that one error makes, and whose beginning is right, may be replaced by the right one.
TEST(ReplacementTest, AnySingleErrorIsUndone) {
  for (const std::string word : {"snapshot", "größe", "документ"}) {
    size_t tried = 0;
    for (const std::string& variant : OneEditVariants(word)) {
      if (variant.substr(0, 2) != word.substr(0, 2)) continue;
      EXPECT_EQ(ReplacementDistance(variant, word), 1u) << variant;
      ++tried;
    }
    EXPECT_GT(tried, 100u);
  }
}

TEST(ReplacementTest, AnyTextsCanBeCompared) {
  const std::string long_text(100'000, 'a');
  EXPECT_EQ(ReplacementDistance(long_text, long_text), std::nullopt);
  EXPECT_EQ(ReplacementDistance("", "a"), std::nullopt);
  EXPECT_EQ(ReplacementDistance("", ""), std::nullopt);
  EXPECT_NO_FATAL_FAILURE(ReplacementDistance("\xff\xfe", "\x80"));
}

}  // namespace
}  // namespace recall
