#include "index/search/ngram/forward_record.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "index/search/ngram/forward_scorer.h"
#include "index/search/ngram/ngram_scorer.h"
#include "index/search/ngram/ngram_statistics.h"
#include "storage/base/bytes.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Counts = std::map<std::string, uint32_t>;

// Random text of prose, identifiers, numbers and several scripts, with ill-formed bytes.
class RandomTexts final {
 public:
  explicit RandomTexts(uint64_t seed) : random_(seed) {
    for (int i = 0; i < 400; ++i) vocabulary_.push_back(NewWord());
  }

  std::string Make(size_t words) {
    std::string text;
    for (size_t i = 0; i < words; ++i) {
      // Most words are among the first ones of the vocabulary, some occur once.
      const size_t range = size_t{1} << random_() % 9;
      text += random_() % 12 == 0 ? NewWord() : vocabulary_[random_() % range];
      text += kJoints[random_() % std::size(kJoints)];
    }
    return text;
  }

 private:
  std::string NewWord() {
    std::string word;
    const size_t parts = 1 + random_() % 4;
    for (size_t i = 0; i < parts; ++i) word += kParts[random_() % std::size(kParts)];
    if (random_() % 50 == 0) word += std::string(random_() % 90, 'x');
    return word;
  }

  static constexpr const char* kParts[] = {"boundary", "Layer", "flow",  "HTTP",  "_id", "größe",
                                           "日本語の", "ΣΙΣ",   "42",    "x",     "the", "naïve",
                                           "é",        "q",     "index", "Zahl7", "кот", "ab",
                                           "\xff",     "ing",   "한국"};
  static constexpr const char* kJoints[] = {" ", " ", " ", "\n", ", ", "-", "(", "\u3000"};

  std::mt19937_64 random_;
  std::vector<std::string> vocabulary_;
};

WordDictionary DictionaryOf(const std::vector<std::string>& texts, size_t most) {
  WordCounter counter;
  for (const std::string& text : texts) counter.AddChunk("", text);
  auto dictionary = WordDictionary::Decode(WordDictionary::Encode(counter.MostFrequent(most)));
  EXPECT_TRUE(dictionary.has_value());
  return *std::move(dictionary);
}

NgramStatistics StatisticsFor(const std::vector<std::string>& texts) {
  NgramCounter counter(static_cast<uint32_t>(texts.size()));
  NgramScanner scanner;
  for (const std::string& text : texts) {
    std::vector<uint32_t> ngrams;
    scanner.Append(text, &ngrams);
    counter.Add(ngrams);
  }
  return counter.Finish();
}

Counts WordCounts(std::string_view heading, std::string_view text) {
  Counts counts;
  WordScanner scanner;
  for (const std::string_view part : {heading, text}) {
    scanner.ForEach(part, [&](std::string_view word) {
      ++counts[std::string(word.substr(1, word.size() - 2))];
    });
  }
  return counts;
}

class ForwardRecordTest : public ::testing::Test {
 protected:
  ForwardRecordTest() : random_texts_(TestSeed(3)) {
    for (int i = 0; i < 120; ++i) texts_.push_back(random_texts_.Make(1 + i % 200));
  }

  RandomTexts random_texts_;
  std::vector<std::string> texts_;
};

TEST_F(ForwardRecordTest, HasTheWordsOfHeadingAndText) {
  for (const size_t most : {size_t{0}, size_t{3}, size_t{100}, WordDictionary::kMostWords}) {
    const WordDictionary dictionary = DictionaryOf(texts_, most);
    const WordNumbers numbers(dictionary);
    ForwardRecordWriter writer(numbers);
    for (size_t i = 0; i < texts_.size(); ++i) {
      const std::string heading = i % 3 == 0 ? random_texts_.Make(3) : "";
      const std::string record = writer.Write(heading, texts_[i]);
      Counts found;
      const auto add = [&](std::string_view word, uint32_t occurrences) {
        EXPECT_TRUE(found.emplace(word, occurrences).second) << "twice: " << word;
      };
      ASSERT_OK_AND_ASSIGN(
          const uint64_t ngrams,
          ForwardRecordReader(AsBytes(record), dictionary.size())
              .Read([&](uint32_t number, uint32_t count) { add(dictionary.word(number), count); },
                    [&](std::string_view word, uint32_t count) {
                      EXPECT_EQ(numbers.Find(word), WordNumbers::kNone) << word;
                      add(word, count);
                    }));
      EXPECT_EQ(found, WordCounts(heading, texts_[i]));
      std::vector<uint32_t> expected;
      NgramScanner scanner;
      scanner.Append(heading, &expected);
      scanner.Append(texts_[i], &expected);
      EXPECT_EQ(ngrams, expected.size());
      EXPECT_EQ(writer.Write(heading, texts_[i]), record) << "depends on what was written before";
      EXPECT_EQ(ForwardRecordWriter(numbers).Write(heading, texts_[i]), record);
    }
  }
}

TEST_F(ForwardRecordTest, ScoresAsTheTextDoesToTheBit) {
  const NgramStatistics statistics = StatisticsFor(texts_);
  for (const size_t most : {size_t{0}, size_t{20}, WordDictionary::kMostWords}) {
    const WordDictionary dictionary = DictionaryOf(texts_, most);
    const WordNumbers numbers(dictionary);
    ForwardRecordWriter writer(numbers);
    for (int round = 0; round < 20; ++round) {
      const std::string query = random_texts_.Make(1 + static_cast<size_t>(round));
      NgramScorer by_text(query, statistics);
      ForwardScorer by_words(by_text, dictionary);
      size_t scored = 0;
      for (const std::string& text : texts_) {
        const std::string heading = scored % 2 == 0 ? random_texts_.Make(2) : "";
        const double expected = by_text.Score(heading, text);
        ASSERT_OK_AND_ASSIGN(const double score,
                             by_words.Score(AsBytes(writer.Write(heading, text))));
        ASSERT_EQ(std::bit_cast<uint64_t>(score), std::bit_cast<uint64_t>(expected))
            << query << " | " << heading << " | " << text;
        scored += expected > 0 ? 1 : 0;
      }
    }
  }
}

TEST_F(ForwardRecordTest, IsRefusedIfItIsDamaged) {
  const WordDictionary dictionary = DictionaryOf(texts_, 50);
  const WordNumbers numbers(dictionary);
  const auto read = [&](std::string_view record) {
    uint64_t next = 0;
    return ForwardRecordReader(AsBytes(record), dictionary.size())
        .Read(
            [&](uint32_t number, uint32_t count) {
              EXPECT_GE(number, next);
              EXPECT_LT(number, dictionary.size());
              EXPECT_GT(count, 0u);
              next = uint64_t{number} + 1;
            },
            [](std::string_view word, uint32_t count) {
              EXPECT_GT(word.size(), 0u);
              EXPECT_LE(word.size(), forward_format::kMostWordBytes);
              EXPECT_GT(count, 0u);
            });
  };
  EXPECT_EQ(read("").error().code(), StatusCode::kCorruption);
  EXPECT_FALSE(read(std::string_view("\x05\x01", 2)).has_value()) << "a list that ends early";
  EXPECT_FALSE(read(std::string_view("\x05\x01\x7e", 3)).has_value()) << "a number too high";
  EXPECT_FALSE(read(std::string_view("\x05\x00\x03\x61\x62", 5)).has_value()) << "a short word";
  EXPECT_FALSE(read(std::string_view("\x05\x00\x00", 3)).has_value()) << "an empty word";
  EXPECT_FALSE(read(std::string_view("\x05\x01\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12)))
      << "a count too high";
  EXPECT_TRUE(read(std::string_view("\x05\x00\x02\x61\x62", 5)).has_value());
  std::mt19937_64 random(TestSeed(4));
  ForwardRecordWriter writer(numbers);
  for (const std::string& text : texts_) {
    std::string record = writer.Write("", text);
    for (size_t size = 0; size < record.size(); size += 1 + random() % 9) {
      static_cast<void>(read(std::string_view(record).substr(0, size)));  // must not crash
    }
    record[random() % record.size()] = static_cast<char>(random());
    static_cast<void>(read(record));
  }
}

}  // namespace
}  // namespace recall
