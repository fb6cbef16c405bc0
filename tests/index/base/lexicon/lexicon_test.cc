#include "index/base/lexicon/lexicon.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "index/base/lexicon/lexicon_bytes.h"
#include "index/base/lexicon/lexicon_format.h"
#include "index/base/text/porter.h"

namespace recall {
namespace {

std::vector<std::string> RelativesOf(std::string_view stem) {
  const Lexicon& lexicon = Lexicon::Builtin();
  std::vector<std::string> words;
  const auto number = lexicon.Find(stem);
  if (!number) return words;
  for (const Lexicon::Relative& relative : lexicon.RelativesOf(*number)) {
    words.push_back(lexicon.word(relative.stem));
  }
  return words;
}

// Every machine has the same lexicon, so this is the hash of the one that is made of WordNet 3.0.
// After a change of cmake/lexicon, models that were trained with the one before do not use it.
TEST(LexiconTest, HasTheSameBytesOnEveryMachine) {
  const ByteSpan bytes = LexiconBytes();
  const ByteSpan body = bytes.subspan(sizeof(lexicon_format::Header));
  EXPECT_EQ(Lexicon::Builtin().hash(), lexicon_format::HashOf(body.data(), body.size()));
  EXPECT_EQ(Lexicon::Builtin().name(), "4fea0f0ed9a2d063");
  EXPECT_LE(bytes.size(), 4u << 20);
}

TEST(LexiconTest, FindsSynonymsHypernymsAndDerivations) {
  const std::vector<std::string> car = RelativesOf("car");
  EXPECT_EQ(std::vector(car.begin(), car.begin() + 3),
            (std::vector<std::string>{"auto", "motorcar", "automobile"}));
  EXPECT_EQ(RelativesOf("wage").front(), "salary");
  EXPECT_EQ(std::ranges::count(RelativesOf("pai"), "payment"), 1);
  EXPECT_TRUE(RelativesOf("qwertz").empty());
  EXPECT_FALSE(Lexicon::Builtin().Find(""));
  EXPECT_FALSE(Lexicon::Builtin().Find("zzzz"));
}

TEST(LexiconTest, IsSound) {
  const Lexicon& lexicon = Lexicon::Builtin();
  for (uint32_t i = 0; i < lexicon.stems(); ++i) {
    ASSERT_EQ(lexicon.Find(lexicon.stem(i)), i);
    std::string stem = lexicon.word(i);
    if (stem.size() > 2) {
      stem.push_back(0);
      stem.resize(PorterStem(stem.data(), stem.size() - 1));
    }
    ASSERT_EQ(stem, lexicon.stem(i));
    double square = 0;
    for (const Lexicon::Concept& own : lexicon.ConceptsOf(i)) {
      ASSERT_LT(own.number, lexicon.concepts());
      square += own.weight * own.weight;
    }
    ASSERT_LE(square, 1.01) << stem;
    double last = 1;
    for (const Lexicon::Relative& relative : lexicon.RelativesOf(i)) {
      ASSERT_LT(relative.stem, lexicon.stems());
      ASSERT_NE(relative.stem, i);
      ASSERT_LE(relative.similarity, last);
      ASSERT_GE(relative.similarity, 0.5);
      last = relative.similarity;
    }
  }
}

TEST(LexiconTest, OtherBytesAreRefused) {
  const ByteSpan bytes = LexiconBytes();
  EXPECT_TRUE(Lexicon::Open(bytes));
  EXPECT_FALSE(Lexicon::Open({}));
  EXPECT_FALSE(Lexicon::Open(bytes.first(bytes.size() - 4)));
  EXPECT_FALSE(Lexicon::Open(bytes.subspan(4)));
}

}  // namespace
}  // namespace recall
