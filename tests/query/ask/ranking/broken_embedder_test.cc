// Useless or wrong vectors must not spoil what the lexical search finds.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "index/embed/vector_space/delta_record.h"
#include "storage/base/bytes.h"
#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr int kTopics = 150;
constexpr int kTextsOfATopic = 6;
constexpr uint32_t kBrokenDim = 64;

// Texts on topics. A third of the words are topic words, half of those of a random topic.
class BrokenEmbedderTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = kBrokenDim});
    for (int topic = 0; topic < kTopics; ++topic) {
      for (int i = 0; i < kTextsOfATopic; ++i) {
        WriteFile(std::to_string(topic) + "/" + std::to_string(i) + ".txt", Text(topic));
      }
    }
    Add();
  }

  // Words without similarities, so that character n-grams add nothing to the lexical search.
  static std::string Word(uint64_t number) {
    std::mt19937_64 letters(number);
    std::string word;
    for (int i = 0; i < 9; ++i) word += static_cast<char>('a' + letters() % 26);
    return word;
  }
  static std::string WordOf(int topic, uint64_t number) {
    return Word(static_cast<uint64_t>(topic) * 12 + number % 12);
  }
  static std::string Common(uint64_t number) { return Word(1'000'000 + number); }

  std::string TopicWord(int topic) { return WordOf(topic, random_()); }
  // A smaller number is more frequent.
  std::string CommonWord() {
    const double share = static_cast<double>(random_() % 10'000 + 1) / 10'000;
    return Common(static_cast<uint64_t>(std::pow(400, share)));
  }
  std::string Text(int topic) {
    std::string text;
    for (int i = 0; i < 40; ++i) {
      const bool of_topic = random_() % 3 == 0;
      const bool own = random_() % 2 != 0;
      text +=
          of_topic ? TopicWord(own ? topic : static_cast<int>(random_() % kTopics)) : CommonWord();
      text += ' ';
    }
    return text;
  }

  // Replaces every vector by the result of `change`.
  template <typename Change>
  void ChangeVectors(Change change) {
    database_.reset();
    {
      ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath()));
      ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginWrite());
      const VectorSpace space(kBrokenDim, CreateOptions().ann_seed);
      ASSERT_OK_AND_ASSIGN(const auto tail, transaction->Delta());
      ASSERT_EQ(tail.size(), size_t{kTopics} * kTextsOfATopic);
      for (const auto& record : tail) {
        ASSERT_OK_AND_ASSIGN(ChunkVector vector,
                             DecodeDeltaRecord(record.chunk, AsBytes(record.data), space));
        change(vector.vector.values);
        vector.vector.scale = UnitScale(vector.vector.values);
        ASSERT_OK(transaction->DeleteDelta(record.chunk, record.chunk));
        ASSERT_OK(transaction->InsertDelta(record.chunk, AsBytes(EncodeDeltaRecord(vector))));
      }
      ASSERT_OK(transaction->Commit());
    }
    Reopen();
  }

  // The mean nDCG@10 of two queries per topic. The texts of the topic are the relevant ones.
  double Measure(SearchMode mode) {
    std::mt19937_64 questions(99);
    double sum = 0;
    for (int q = 0; q < 2 * kTopics; ++q) {
      const int topic = q / 2;
      SearchRequest request;
      request.mode = mode;
      request.k = 10;
      request.weights = FusionWeights();  // the weights for good vectors
      for (int i = 0; i < 2; ++i) {
        request.text += WordOf(topic, questions()) + " " + Common(questions() % 50 + 1) + " ";
      }
      double gain = 0, best = 0;
      const SearchResponse response = Search(request);
      for (size_t rank = 0; rank < 10; ++rank) {
        const double discount = 1 / std::log2(static_cast<double>(rank) + 2);
        best += discount;
        const bool right = rank < response.hits.size() &&
                           response.hits[rank].doc.path.starts_with(std::to_string(topic) + "/");
        if (right) gain += discount;
      }
      sum += gain / best;
    }
    return sum / (2 * kTopics);
  }

  std::mt19937_64 random_{TestSeed(5)};
};

TEST_F(BrokenEmbedderTest, TheHybridLosesNextToNothing) {
  const double words = Measure(SearchMode::kLexical);
  EXPECT_GT(words, .3) << "the questions can be answered";
  EXPECT_LT(words, .98) << "and there is something to lose";

  ChangeVectors([this](std::vector<int8_t>& values) {
    for (int8_t& value : values) value = static_cast<int8_t>(random_() % 255 - 127);
  });
  EXPECT_LT(Measure(SearchMode::kSemantic), .1) << "random vectors find nothing";
  EXPECT_GE(Measure(SearchMode::kHybrid), words - .005) << "random vectors";

  ChangeVectors([](std::vector<int8_t>& values) { std::ranges::fill(values, int8_t{1}); });
  EXPECT_GE(Measure(SearchMode::kHybrid), words - .005) << "all vectors alike";
}

TEST_F(BrokenEmbedderTest, NorDoVectorsThatSayTheContrary) {
  const double words = Measure(SearchMode::kLexical);
  ChangeVectors([](std::vector<int8_t>& values) {
    for (int8_t& value : values) value = static_cast<int8_t>(-value);
  });
  EXPECT_GE(Measure(SearchMode::kHybrid), words - .005);
}

}  // namespace
}  // namespace recall
