#include "index/search/vocabulary/term_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "index/search/vocabulary/term_index_check.h"
#include "index/search/vocabulary/term_index_pieces.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// A reproducible source of small numbers.
class Numbers final {
 public:
  explicit Numbers(uint64_t seed) : state_(seed) {}
  size_t Below(size_t end) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<size_t>(state_ >> 33) % end;
  }

 private:
  uint64_t state_;
};

// Words of syllables, so that many of them are similar.
std::string MakeWord(Numbers& numbers) {
  static const std::vector<std::string> kSyllables = {"ra", "ma", "ti",  "con", "ver", "sion", "da",
                                                      "ta", "ba", "se",  "o",   "le",  "ar",   "ка",
                                                      "то", "aa", "ing", "ed",  "s",   "x1"};
  std::string word;
  for (size_t i = 0, count = 1 + numbers.Below(6); i < count; ++i) {
    word += kSyllables[numbers.Below(kSyllables.size())];
  }
  return word;
}

std::vector<std::string> MakeTerms(size_t count) {
  Numbers numbers(7);
  std::vector<std::string> terms;
  for (size_t i = 0; i < count; ++i) terms.push_back(MakeWord(numbers));
  return terms;
}

using Parts = std::map<std::string, std::string>;

Parts ByKind(const std::vector<ModelPart>& parts) {
  Parts by_kind;
  for (const ModelPart& part : parts) by_kind[part.kind] = part.data;
  return by_kind;
}

Result<std::string> ReadPart(const Parts& parts, const std::string& kind) {
  const auto found = parts.find(kind);
  if (found != parts.end()) return found->second;
  return Fail(Status::Corruption("no part " + kind, ""));
}

Result<TermIndex> Open(const Parts& parts) {
  return TermIndex::Open(parts.at("terms"),
                         [&](const std::string& kind) { return ReadPart(parts, kind); });
}

Status Check(const Parts& parts) {
  std::set<std::string> kinds;
  for (const auto& [kind, data] : parts) kinds.insert(kind);
  return CheckTermIndex(kinds, [&](const std::string& kind) { return ReadPart(parts, kind); });
}

std::vector<std::string> Described(const std::vector<NearTerm>& terms) {
  std::vector<std::string> texts;
  for (const NearTerm& term : terms) {
    texts.push_back(term.term + " " + std::to_string(term.similarity));
  }
  return texts;
}

// The reference: every term is compared.
std::vector<NearTerm> FindByComparingAll(const std::set<std::string>& terms,
                                         const TermSimilarity& similarity, size_t most) {
  std::vector<NearTerm> near;
  for (const std::string& term : terms) {
    if (!IsExpansionTerm(term)) continue;
    if (const auto value = similarity.Of(term)) near.push_back({term, *value});
  }
  std::ranges::sort(near, IsNearer);
  near.resize(std::min(near.size(), most));
  return near;
}

TEST(TermIndexTest, FindsWhatComparingAllTermsFinds) {
  const std::vector<std::string> terms = MakeTerms(20'000);
  const Parts parts = ByKind(TermIndex::Build(terms));
  EXPECT_GT(parts.size(), 20u) << "the index must have many pieces for this test";
  const std::set<std::string> different(terms.begin(), terms.end());
  Tokenizer tokenizer;
  Numbers numbers(11);
  size_t found_some = 0;
  for (int i = 0; i < 150; ++i) {
    const std::string word = MakeWord(numbers);
    const auto words = tokenizer.AnalyzeQuery(word);
    if (words.size() != 1 || words.front().stems.size() != 1) continue;
    const TermSimilarity similarity(word, words.front().stems.front(), tokenizer);
    const std::vector<NearTerm> all = FindByComparingAll(different, similarity, 64);
    for (const size_t most : {1u, 4u, 64u}) {
      ASSERT_OK_AND_ASSIGN(TermIndex index, Open(parts));
      ASSERT_OK_AND_ASSIGN(const std::vector<NearTerm> near, index.Find(similarity, most));
      const std::vector<NearTerm> expected(
          all.begin(), all.begin() + static_cast<ptrdiff_t>(std::min(most, all.size())));
      EXPECT_EQ(Described(near), Described(expected)) << word;
      found_some += near.size() == most ? 1 : 0;
    }
  }
  EXPECT_GT(found_some, 150u) << "most words must be similar to some term";
}

TEST(TermIndexTest, TheSameTermsGiveTheSameBytes) {
  std::vector<std::string> terms = MakeTerms(3'000);
  const Parts parts = ByKind(TermIndex::Build(terms));
  terms.insert(terms.end(), terms.begin(), terms.begin() + 100);
  std::ranges::reverse(terms);
  EXPECT_EQ(ByKind(TermIndex::Build(terms)), parts);
  EXPECT_OK(Check(parts));
}

TEST(TermIndexTest, AnEmptyVocabularyHasNoSimilarTerms) {
  const Parts parts = ByKind(TermIndex::Build({"a", "12345", "日本"}));
  EXPECT_OK(Check(parts));
  Tokenizer tokenizer;
  ASSERT_OK_AND_ASSIGN(TermIndex index, Open(parts));
  ASSERT_OK_AND_ASSIGN(const auto near,
                       index.Find(TermSimilarity("databse", "databs", tokenizer), 4));
  EXPECT_TRUE(near.empty());
}

TEST(TermIndexTest, EveryChangedByteIsFound) {
  const Parts parts = ByKind(TermIndex::Build(MakeTerms(400)));
  Tokenizer tokenizer;
  const TermSimilarity similarity("databsae", "databsa", tokenizer);
  Numbers numbers(3);
  for (const auto& [kind, data] : parts) {
    for (size_t at = 0; at < data.size(); at += 1 + numbers.Below(7)) {
      Parts damaged = parts;
      damaged[kind][at] = static_cast<char>(data[at] ^ (1 << numbers.Below(8)));
      EXPECT_FALSE(Check(damaged).ok()) << kind << " " << at;
      // A search fails or does not need the part; it never crashes.
      auto index = Open(damaged);
      if (index) (void)index->Find(similarity, 64);
    }
    Parts without = parts;
    without.erase(kind);
    EXPECT_FALSE(Check(without).ok()) << kind;
    Parts cut = parts;
    cut[kind].pop_back();
    EXPECT_FALSE(Check(cut).ok()) << kind;
  }
  Parts more = parts;
  more["terms/99"] = "";
  EXPECT_FALSE(Check(more).ok());
}

// Checksums do not protect from a program that wrote wrong lists.
TEST(TermIndexTest, WrongListsWithRightChecksumsAreFound) {
  const Parts parts = ByKind(TermIndex::Build(MakeTerms(400)));
  Numbers numbers(5);
  for (const auto& [kind, data] : parts) {
    if (kind == kTermsPart) continue;
    ASSERT_OK_AND_ASSIGN(const std::string_view body, VerifiedPiece(kind, data));
    for (size_t at = 0; at < body.size(); at += 1 + numbers.Below(7)) {
      std::string changed(body);
      changed[at] = static_cast<char>(changed[at] ^ (1 << numbers.Below(7)));
      AppendPieceChecksum(&changed);
      Parts damaged = parts;
      damaged[kind] = changed;
      EXPECT_FALSE(Check(damaged).ok()) << kind << " " << at;
    }
  }
}

TEST(TermSimilarityTest, EvidenceOfEachKind) {
  Tokenizer tokenizer;
  const auto of = [&](const std::string& word, const std::string& term) {
    const auto stem = tokenizer.AnalyzeQuery(word).front().stems.front();
    const auto term_stem = tokenizer.AnalyzeQuery(term).front().stems.front();
    return TermSimilarity(word, stem, tokenizer).Of(term_stem).value_or(0);
  };
  EXPECT_EQ(of("databse", "database"), 0.9);
  EXPECT_EQ(of("runnign", "running"), 0.9) << "the stem of the word is lost";
  EXPECT_EQ(of("colour", "color"), 0.9);
  EXPECT_GT(of("universitaeten", "universitaten"), 0.7);
  EXPECT_GT(of("bundesregierung", "regierung"), 0.6) << "part of a compound";
  EXPECT_GT(of("regierung", "unionsregierung"), 0.6) << "a compound";
  EXPECT_EQ(of("kohle", "regierung"), 0);
}

}  // namespace
}  // namespace recall
