#include "index/base/text/stop_words.h"

#include <gtest/gtest.h>

#include <string>

namespace recall {
namespace {

TEST(StopWordsTest, AreFunctionWordsAndNothingElse) {
  for (const char* word :
       {"a", "i", "an", "the", "them", "yours", "cannot", "shouldn", "without"}) {
    EXPECT_TRUE(IsStopWord(word)) << word;
  }
  for (const char* word : {"", "th", "thee", "eht", "yourss", "withou", "withouts", "kernel",
                           "themselves", "\xff\xff\xff\xff\xff\xff\xff", "The"}) {
    EXPECT_FALSE(IsStopWord(word)) << word;
  }
}

TEST(StopWordsTest, AreWholeWords) {
  const std::string zeros(12, '\0');
  for (size_t length = 0; length <= zeros.size(); ++length) {
    EXPECT_FALSE(IsStopWord({zeros.data(), length})) << length;
  }
  EXPECT_FALSE(IsStopWord(std::string("\0the", 4)));
  EXPECT_FALSE(IsStopWord(std::string("the\0", 4)));
}

}  // namespace
}  // namespace recall
