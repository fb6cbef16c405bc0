// WordDictionary and ForwardRecordReader: the forward index of an untrusted store. A dictionary
// that opens has the words that it was encoded from. A record is refused, or has ascending numbers
// within the dictionary and words of valid lengths; its score is a number. Input: one byte, the
// words of a small dictionary (at most 64); then a record. The same bytes are also opened as a
// dictionary, and read as a text, whose record must have its words.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/search/ngram/forward_scorer.h"
#include "index/search/ngram/ngram_statistics.h"
#include "storage/base/bytes.h"

namespace recall {
namespace {

using Words = std::map<std::string, uint64_t>;

void CheckDictionary(ByteSpan input) {
  const auto dictionary = WordDictionary::Decode(std::string(AsText(input)));
  if (!dictionary) return;
  std::vector<std::string> words;
  for (uint32_t i = 0; i < dictionary->size(); ++i) words.emplace_back(dictionary->word(i));
  RECALL_CHECK(WordDictionary::Encode(words) == AsText(input));
}

WordDictionary SmallDictionary(uint32_t words) {
  std::vector<std::string> list;
  for (uint32_t i = 0; i < words; ++i) list.push_back("word" + std::to_string(i));
  auto dictionary = WordDictionary::Decode(WordDictionary::Encode(list));
  RECALL_CHECK(dictionary.has_value());
  return *std::move(dictionary);
}

NgramScorer SmallScorer() {
  NgramCounter counter(2);
  counter.Add(std::vector<uint32_t>{1, 2, 3});
  return NgramScorer("words of index", counter.Finish());
}

void CheckRecord(ByteSpan record, const WordDictionary& dictionary) {
  uint64_t least = 0;
  const auto read =
      ForwardRecordReader(record, dictionary.size())
          .Read(
              [&](uint32_t number, uint32_t count) {
                RECALL_CHECK(number >= least && number < dictionary.size() && count > 0);
                least = uint64_t{number} + 1;
              },
              [](std::string_view word, uint32_t count) {
                RECALL_CHECK(!word.empty() && word.size() <= forward_format::kMostWordBytes);
                RECALL_CHECK(count > 0);
              });
  const NgramScorer scorer = SmallScorer();
  const auto score = ForwardScorer(scorer, dictionary).Score(record);
  RECALL_CHECK(score.has_value() == read.has_value());
  RECALL_CHECK(!score || (*score >= 0 && std::isfinite(*score)));
}

void CheckText(std::string_view text, const WordDictionary& dictionary) {
  const WordNumbers numbers(dictionary);
  const std::string record = ForwardRecordWriter(numbers).Write("", text);
  Words expected;
  WordScanner().ForEach(text, [&](std::string_view word) {
    ++expected[std::string(word.substr(1, word.size() - 2))];
  });
  Words found;
  const auto read =
      ForwardRecordReader(AsBytes(record), dictionary.size())
          .Read([&](uint32_t number,
                    uint32_t count) { found[std::string(dictionary.word(number))] += count; },
                [&](std::string_view word, uint32_t count) { found[std::string(word)] += count; });
  RECALL_CHECK(read.has_value() && found == expected);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  CheckDictionary(input);
  if (input.empty()) return;
  const WordDictionary dictionary = SmallDictionary(input[0] % 65);
  CheckRecord(input.subspan(1), dictionary);
  CheckText(AsText(input.subspan(1)), dictionary);
}

}  // namespace recall
