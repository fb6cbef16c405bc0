#include "index/search/lexical_query/field_weights.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(ParseFieldWeightsTest, NamesFieldsOnceAndLeavesOthersAtOne) {
  ASSERT_OK_AND_ASSIGN(const FieldWeights none, ParseFieldWeights(" "));
  EXPECT_TRUE(none.AllOne());
  ASSERT_OK_AND_ASSIGN(const FieldWeights all,
                       ParseFieldWeights("trigger=5:title=4:tags=3:topic=2.5:summary=2:body=0.5"));
  EXPECT_EQ(all.of(CardField::kTrigger), 5);
  EXPECT_EQ(all.of(CardField::kTitle), 4);
  EXPECT_EQ(all.of(CardField::kTags), 3);
  EXPECT_EQ(all.of(CardField::kTopic), 2.5);
  EXPECT_EQ(all.of(CardField::kSummary), 2);
  EXPECT_EQ(all.body, 0.5);
  ASSERT_OK_AND_ASSIGN(const FieldWeights some, ParseFieldWeights(" summary = 3 : title=1"));
  EXPECT_EQ(some.of(CardField::kSummary), 3);
  EXPECT_EQ(some.of(CardField::kTitle), 1);
  EXPECT_EQ(some.body, 1);
}

TEST(ParseFieldWeightsTest, SaysWhatIsWrongAndWhatToDo) {
  struct Case {
    std::string text;
    std::string message;
    std::string hint;
  };
  const std::string fields = "fields are trigger, title, tags, topic, summary, body";
  const std::string example = "for example trigger=5:title=4:tags=3:topic=2:summary=2:body=1";
  const std::vector<Case> cases = {
      {"titel=2", "unknown field 'titel' in field weights", "did you mean title?"},
      {"5", "unknown field '5' in field weights", fields},
      {"title=2:", "", ""},
      {"title=2::body=1", "unknown field '' in field weights", fields},
      {"title=2:title=3", "the field title has two weights", "name each field once"},
      {"title", "the weight of the field title must be a number from 0.01 to 100, not ''", example},
      {"title=0", "the weight of the field title must be a number from 0.01 to 100, not '0'",
       example},
      {"body=101", "the weight of the field body must be a number from 0.01 to 100, not '101'",
       example},
      {"tags=nan", "the weight of the field tags must be a number from 0.01 to 100, not 'nan'",
       example},
      {"tags=2x", "the weight of the field tags must be a number from 0.01 to 100, not '2x'",
       example},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.text);
    const auto parsed = ParseFieldWeights(each.text);
    EXPECT_EQ(parsed.has_value(), each.message.empty());
    if (parsed) continue;
    EXPECT_EQ(parsed.error().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(parsed.error().message(), each.message);
    EXPECT_EQ(parsed.error().hint(), each.hint);
  }
}

}  // namespace
}  // namespace recall
