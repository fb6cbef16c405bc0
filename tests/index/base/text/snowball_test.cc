#include "index/base/text/snowball.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

namespace recall {
namespace {

// Words of Snowball's published vocabularies with their stems, in the scripts of each language.
TEST(SnowballStem, FormsOfAWordHaveOneStem) {
  const struct {
    std::u32string_view word;
    const char* stem;
  } cases[] = {
      {U"важная", "важн"},    {U"важнейшие", "важн"},  {U"вагона", "вагон"},  {U"вагонов", "вагон"},
      {U"столицы", "столиц"}, {U"столицей", "столиц"}, {U"ποταμος", "ποταμ"}, {U"ποταμων", "ποταμ"},
      {U"книгой", "книг"},    {U"войной", "воин"},     {U"लड़कियों", "लड़क"},    {U"लड़की", "लड़क"},
      {U"مدرستهم", "مدرس"},
  };
  for (const auto& [word, stem] : cases) EXPECT_EQ(SnowballStem(word), stem);
}

// No token is longer, so no stem is.
TEST(SnowballStem, WordsThatAreLongerThanTokensHaveNone) {
  EXPECT_EQ(SnowballStem(std::u32string(32, U'щ')).size(), 64u);
  EXPECT_EQ(SnowballStem(std::u32string(33, U'щ')), "");
}

// Words with letters that the language of the script lacks, words of several scripts, and Latin
// ones have none.
TEST(SnowballStem, OtherWordsHaveNone) {
  for (const std::u32string_view word :
       {U"", U"libraries", U"größe", U"київі", U"ґанок", U"utf8кодировка", U"검색은", U"東京"}) {
    EXPECT_EQ(SnowballStem(word), "");
  }
}

TEST(SnowballStem, ThreadsHaveStemmersOfTheirOwn) {
  std::array<std::string, 4> last;
  std::vector<std::thread> threads;
  for (std::string& stem : last) {
    threads.emplace_back([&stem] {
      for (int i = 0; i < 1000; ++i) stem = SnowballStem(i % 2 ? U"столицей" : U"ποταμων");
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::string& stem : last) EXPECT_EQ(stem, "столиц");
}

}  // namespace
}  // namespace recall
