#include "query/types/fusion_choice.h"

#include <gtest/gtest.h>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(FusionChoiceTest, NamesAndTheirMethods) {
  for (const std::string& name : FusionNames()) {
    ASSERT_OK_AND_ASSIGN(const FusionChoice choice, ParseFusion(name));
    const std::string printed = name == "parts"     ? "parts:words=0.5:meaning=0.3:triggers=0.2"
                                : name == "grouped" ? "grouped:words=0.4:meaning=0.6"
                                                    : name;
    EXPECT_EQ(PrintFusion(choice), printed);
  }
  EXPECT_EQ(ParseFusion("rrf")->method, FusionMethod::kReciprocalRank);
  EXPECT_EQ(FusionNames().front(), "default");
}

TEST(FusionChoiceTest, WeightsThatAreLeftOutKeepTheirDefaults) {
  ASSERT_OK_AND_ASSIGN(FusionChoice choice, ParseFusion("parts:triggers=0"));
  EXPECT_EQ(choice.parts, (PartWeights{.5, .3, 0}));
  ASSERT_OK_AND_ASSIGN(choice, ParseFusion(" parts : meaning = 2 : words=1e-1 "));
  EXPECT_EQ(choice.parts, (PartWeights{.1, 2, .2}));
  ASSERT_OK_AND_ASSIGN(choice, ParseFusion(PrintFusion(choice)));
  EXPECT_EQ(choice.parts, (PartWeights{.1, 2, .2}));
}

TEST(FusionChoiceTest, GroupsHaveNoTriggers) {
  ASSERT_OK_AND_ASSIGN(FusionChoice choice, ParseFusion("grouped:words=1"));
  EXPECT_EQ(choice.parts, (PartWeights{1, .6, 0}));
  ASSERT_OK_AND_ASSIGN(choice, ParseFusion(PrintFusion(choice)));
  EXPECT_EQ(choice.parts, (PartWeights{1, .6, 0}));
  const auto parsed = ParseFusion("grouped:triggers=1");
  ASSERT_FALSE(parsed.has_value());
  EXPECT_NE(parsed.error().hint().find("words and meaning"), std::string::npos);
}

TEST(FusionChoiceTest, ErrorsListTheParts) {
  for (const char* text :
       {"parts:word=1", "parts:words", "parts:words=", "parts:words=x", "parts:words=-1",
        "parts:words=1000001", "parts:words=nan", "parts:words=inf", "parts:words=1:words=2",
        "parts:words=1 2", "parts:=1", "parts:words=0:meaning=0:triggers=0"}) {
    const auto parsed = ParseFusion(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_NE(parsed.error().hint().find("words, meaning and triggers"), std::string::npos) << text;
  }
}

TEST(FusionChoiceTest, OtherNamesAreErrors) {
  for (const char* text : {"", "PARTS", "rrf:k=60", "default:", "sum"}) {
    EXPECT_FALSE(ParseFusion(text).has_value()) << text;
  }
  EXPECT_NE(ParseFusion("sum").error().hint().find("parts"), std::string::npos);
  EXPECT_NE(ParseFusion("weigthed").error().hint().find("weighted"), std::string::npos);
}

}  // namespace
}  // namespace recall
