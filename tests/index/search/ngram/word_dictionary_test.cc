#include "index/search/ngram/word_dictionary.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

TEST(WordDictionaryTest, HasTheWordsThatWereEncoded) {
  const std::vector<std::string> words = {"flow", "größe", "x", std::string(127, 'y')};
  ASSERT_OK_AND_ASSIGN(const auto dictionary,
                       WordDictionary::Decode(WordDictionary::Encode(words)));
  ASSERT_EQ(dictionary.size(), words.size());
  for (uint32_t i = 0; i < words.size(); ++i) EXPECT_EQ(dictionary.word(i), words[i]);
  ASSERT_OK_AND_ASSIGN(const auto empty, WordDictionary::Decode(WordDictionary::Encode({})));
  EXPECT_EQ(empty.size(), 0u);
}

TEST(WordDictionaryTest, EachWrongByteIsCorruption) {
  const std::string bytes = WordDictionary::Encode(std::vector<std::string>{"flow", "layer", "x"});
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    const auto decoded = WordDictionary::Decode(damaged);
    ASSERT_FALSE(decoded.has_value()) << i;
    EXPECT_EQ(decoded.error().code(), StatusCode::kCorruption);
    EXPECT_FALSE(WordDictionary::Decode(bytes.substr(0, i)).has_value()) << i;
  }
  EXPECT_FALSE(WordDictionary::Decode(bytes + "x").has_value());
}

TEST(WordDictionaryTest, CountsTheChunksThatHaveAWord) {
  WordCounter counter;
  counter.AddChunk("Layers", "flow flow flow, the the");
  counter.AddChunk("", "flow layers once");
  counter.AddChunk("", "flow; again ABC");
  counter.AddChunk("", "abc again");
  counter.AddChunk("", "twice twice");
  using Words = std::vector<std::string>;
  // "again" is a function word. Words of a single chunk do not count.
  EXPECT_EQ(counter.MostFrequent(10), (Words{"flow", "abc", "layers"}));
  EXPECT_EQ(counter.MostFrequent(2), (Words{"flow", "abc"}));
  EXPECT_EQ(counter.MostFrequent(0), Words());
}

}  // namespace
}  // namespace recall
