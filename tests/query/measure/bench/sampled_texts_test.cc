// Sampling queries from the texts of a store.

#include "query/measure/bench/sampled_texts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "index/write/training/space_fill.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Texts = std::vector<std::string>;
using Words = std::vector<std::string_view>;

TEST(SalientWords, AreThoseThatSayWhatATextIsAbout) {
  EXPECT_EQ(SalientWords("The heron, of 2026, stands in the *cold* water."),
            (Words{"heron", "stands", "cold", "water"}));
  EXPECT_EQ(SalientWords("call foo_bar(baz) - or fooBar"),
            (Words{"call", "foo_bar", "baz", "fooBar"}));
  EXPECT_EQ(SalientWords("of the and 12 345 \xff\xfe"), Words{});
  EXPECT_EQ(SalientWords(""), Words{});
}

TEST(SalientWords, OfATextWithoutSpacesAreAFewCharacters) {
  EXPECT_EQ(SalientWords("東京都の図書館にて"), (Words{"東京都の"}));
}

class SampledTextsTest : public QueryFixture {
 protected:
  void AddAnimals() {
    WriteFile("heron.txt", "the grey heron stands in cold water and waits for fish\n");
    WriteFile("swift.txt", "the common swift sleeps while flying above old towns\n");
    WriteFile("owl.txt", "the barn owl hunts voles by night over open fields\n");
    WriteFile("same.txt", "the barn owl hunts voles by night over open fields\n");
    WriteFile("empty.txt", "of the\n");
    Add();
  }

  Texts Sample(size_t most, uint64_t seed, bool whole = false) {
    auto store = Store::Open(database_->path(), {.read_only = true});
    EXPECT_TRUE(store.has_value());
    auto transaction = (*store)->BeginRead();
    EXPECT_TRUE(transaction.has_value());
    const auto live = LiveChunks(**transaction);
    EXPECT_TRUE(live.has_value());
    auto texts = whole ? SampleChunks(**transaction, *live, most, seed)
                       : SampleQuestions(**transaction, *live, most, seed);
    EXPECT_TRUE(texts.has_value()) << texts.error().ToString();
    return texts ? *texts : Texts();
  }
};

TEST_F(SampledTextsTest, TheSeedDecides) {
  AddAnimals();
  const Texts once = Sample(8, 42);
  EXPECT_EQ(once.size(), 8u);
  EXPECT_EQ(Sample(8, 42), once);
  EXPECT_NE(Sample(8, 43), once);
  // A smaller sample is a prefix of a larger one.
  EXPECT_EQ(Sample(3, 42), Texts(once.begin(), once.begin() + 3));
}

TEST_F(SampledTextsTest, QuestionsAreNeighbouringWordsOfOneText) {
  AddAnimals();
  const Texts told = {" grey heron stands cold water waits fish ",
                      " common swift sleeps flying old towns ",
                      " barn owl hunts voles night open fields "};
  for (const std::string& question : Sample(12, 7)) {
    const auto count = std::ranges::count(question, ' ') + 1;
    EXPECT_GE(count, 2) << question;
    EXPECT_LE(count, 5) << question;
    EXPECT_TRUE(std::ranges::any_of(told, [&](const std::string& text) {
      return text.find(" " + question + " ") != std::string::npos;
    })) << question;
  }
}

TEST_F(SampledTextsTest, NoTwoAreEqualAndFewerWhereThereAreNoMore) {
  AddAnimals();
  const Texts chunks = Sample(100, 1, true);
  EXPECT_EQ(std::set<std::string>(chunks.begin(), chunks.end()).size(), chunks.size());
  EXPECT_EQ(chunks.size(), 4u);  // five documents, two with equal texts
}

TEST_F(SampledTextsTest, RemovedTextsAreNotAskedFor) {
  AddAnimals();
  RemoveRequest remove;
  remove.targets = {"heron.txt", "empty.txt"};
  ASSERT_TRUE(database_->Remove(remove).has_value());
  for (const std::string& text : Sample(50, 1)) {
    EXPECT_EQ(text.find("heron"), std::string::npos) << text;
  }
  EXPECT_EQ(Sample(50, 1, true).size(), 2u);
}

}  // namespace
}  // namespace recall
