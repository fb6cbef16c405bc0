#include "index/base/text/folded_words.h"

#include <gtest/gtest.h>

#include <vector>

namespace recall {
namespace {

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words;
  FoldedWordReader reader;
  reader.Read("words of an earlier text: Köl");
  reader.Next();
  reader.Read(text);
  while (reader.Next()) words.emplace_back(reader.word());
  EXPECT_FALSE(reader.Next());
  return words;
}

using Words = std::vector<std::string>;

TEST(FoldedWordsTest, FoldsAndDoesNotStem) {
  EXPECT_EQ(WordsOf("CORS timeouts, in Safari-17"),
            (Words{"cors", "timeouts", "in", "safari", "17"}));
  EXPECT_EQ(WordsOf("Köln STRASSE ＡＢＣ"), (Words{"koln", "strasse", "abc"}));
  EXPECT_EQ(WordsOf("soft\u00ADhyphen"), (Words{"softhyphen"}));
}

TEST(FoldedWordsTest, KeepsIdentifiersWhole) {
  EXPECT_EQ(WordsOf("user_id ResizeObserver Größe_2"),
            (Words{"user_id", "resizeobserver", "große_2"}));
}

TEST(FoldedWordsTest, ScriptsWithoutSpacesAreRuns) {
  EXPECT_EQ(WordsOf("山田x東京 です"), (Words{"山田", "x", "東京", "です"}));
}

TEST(FoldedWordsTest, NeverFails) {
  EXPECT_EQ(WordsOf(""), Words());
  EXPECT_EQ(WordsOf(" -- \xFF\xFE ++"), Words());
  EXPECT_EQ(WordsOf("a\xFFz"), (Words{"a", "z"}));
  EXPECT_EQ(WordsOf("½"), (Words{"1", "2"}));  // folds to 1, a separator and 2
  EXPECT_EQ(WordsOf("\u0301"), Words());       // a mark without a letter
}

}  // namespace
}  // namespace recall
