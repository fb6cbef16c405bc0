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

void Append(uint32_t value, std::string* bytes) {
  for (int shift = 0; shift < 32; shift += 8) *bytes += static_cast<char>(value >> shift);
}

// The tables that the hash of a lexicon is of (cmake/lexicon/make_lexicon.cc).
std::string TablesOf(const Lexicon& lexicon) {
  std::string text, starts, concepts, relatives;
  for (uint32_t i = 0; i <= lexicon.stems(); ++i) {
    Append(static_cast<uint32_t>(text.size()), &starts);
    Append(static_cast<uint32_t>(concepts.size() / 4), &starts);
    Append(static_cast<uint32_t>(relatives.size() / 4), &starts);
    if (i == lexicon.stems()) break;
    const std::string stem = lexicon.stem(i);
    const std::string word = lexicon.word(i);
    const size_t shared = std::ranges::mismatch(stem, word).in1 - stem.begin();
    text += {static_cast<char>(stem.size() - shared), static_cast<char>(word.size() - shared)};
    text += stem + word.substr(shared);
    for (const Lexicon::Concept& of : lexicon.ConceptsOf(i)) {
      Append(of.number << 8 | static_cast<uint32_t>(of.weight * 255 + .5f), &concepts);
    }
    for (const Lexicon::Relative& of : lexicon.RelativesOf(i)) {
      Append(of.stem << 8 | static_cast<uint32_t>(of.similarity * 255 + .5), &relatives);
    }
  }
  text.resize((text.size() + 3) / 4 * 4);
  return text + starts + concepts + relatives;
}

// Every machine has the same lexicon, so this is the hash of the one that is made of WordNet 3.0.
// After a change of what it says, models that were trained with the one before do not use it.
TEST(LexiconTest, SaysTheSameOnEveryMachine) {
  const Lexicon& lexicon = Lexicon::Builtin();
  const std::string tables = TablesOf(lexicon);
  EXPECT_EQ(lexicon.hash(),
            lexicon_format::HashOf(reinterpret_cast<const uint8_t*>(tables.data()), tables.size()));
  EXPECT_EQ(lexicon.name(), "4fea0f0ed9a2d063");
  EXPECT_LE(LexiconBytes().size(), 2'100'000u);
}

TEST(LexiconTest, SharingConceptsIsTheProductOfTheConcepts) {
  const Lexicon& lexicon = Lexicon::Builtin();
  const uint32_t car = *lexicon.Find("car");
  const auto weight_of = [&](uint32_t stem, uint32_t number) {
    for (const Lexicon::Concept& of : lexicon.ConceptsOf(stem)) {
      if (of.number == number) return double{of.weight};
    }
    return 0.0;
  };
  const std::vector<Lexicon::Relative> sharing = lexicon.SharingConcepts(car);
  ASSERT_GT(sharing.size(), 20u);
  for (const Lexicon::Relative& other : sharing) {
    double product = 0;
    for (const Lexicon::Concept& of : lexicon.ConceptsOf(car)) {
      product += of.weight * weight_of(other.stem, of.number);
    }
    ASSERT_NEAR(other.similarity, product, 1e-6) << lexicon.stem(other.stem);
  }
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
  EXPECT_FALSE(Lexicon::Builtin().Find("0"));
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
