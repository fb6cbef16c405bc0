#pragma once

// The words of a chunk, from which the counts of all its character n-grams follow. The forward
// index of a store has such a record for each chunk (docs/format/store.md, "word_dictionary,
// chunk_words"):
//
//   varint          n-grams of the chunk, including repetitions
//   varint          number of listed words, then for each, in ascending order of their numbers:
//     varint        (number - number of the word before - 1) * 2 + (1 if it occurs twice or more);
//                   the first: number * 2 + ...
//     varint        if so: its occurrences - 2
//   until the end, the words that are not in the dictionary, in ascending byte order:
//     byte          its length, + 128 if it occurs twice or more
//     bytes         the word
//     varint        if so: its occurrences - 2
//
// The dictionary is ordered by frequency, so the numbers of most words are small and close to each
// other. Varints are those of SQLite (storage/base/varint.h).

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/ngram/forward_format.h"
#include "index/search/ngram/word_dictionary.h"
#include "index/search/ngram/word_scanner.h"
#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/base/varint.h"

namespace recall {

// Reads a record. The bytes are untrusted. One per record.
class ForwardRecordReader final {
 public:
  // `words`: the size of the dictionary.
  ForwardRecordReader(ByteSpan record, uint32_t words)
      : at_(record.data()), end_(record.data() + record.size()), words_(words) {}

  // Calls listed(number, occurrences) for each word of the dictionary that the chunk contains, then
  // spelt(word, occurrences) for each other word, and returns the number of n-grams of the chunk.
  // Numbers are less than the size of the dictionary and ascend; occurrences are 1 .. 2^32 - 1; a
  // word has 1 .. 127 bytes. Errors: Corruption, after some of the words may have been visited.
  template <typename Listed, typename Spelt>
  Result<uint64_t> Read(const Listed& listed, const Spelt& spelt) {
    const uint64_t ngrams = ReadNumber();
    const uint64_t count = ReadNumber();
    uint64_t next = 0;  // the least possible number
    for (uint64_t i = 0; i < count && sound_; ++i) {
      const uint64_t entry = ReadNumber();
      const uint64_t number = next + (entry >> 1);
      const uint64_t occurrences = ReadOccurrences((entry & 1) != 0);
      sound_ = sound_ && number < words_;
      if (!sound_) break;
      listed(static_cast<uint32_t>(number), static_cast<uint32_t>(occurrences));
      next = number + 1;
    }
    while (sound_ && at_ != end_) {
      const std::string_view word = ReadWord();
      const uint64_t occurrences = ReadOccurrences(repeated_);
      if (sound_) spelt(word, static_cast<uint32_t>(occurrences));
    }
    if (!sound_) return Fail(Damaged());
    return ngrams;
  }

 private:
  static Status Damaged();

  // Returns 0 if the bytes end before, or if the number does not fit into 32 bits.
  uint64_t ReadNumber() {
    if (at_ != end_ && *at_ < 0x80) return *at_++;
    uint64_t value = 0;
    const uint8_t* const after = ReadVarint(at_, end_, &value);
    sound_ = sound_ && after != nullptr && value <= std::numeric_limits<uint32_t>::max();
    if (!sound_) return 0;
    at_ = after;
    return value;
  }

  uint64_t ReadOccurrences(bool repeated) {
    if (!repeated) return 1;
    const uint64_t occurrences = ReadNumber() + 2;
    sound_ = sound_ && occurrences <= std::numeric_limits<uint32_t>::max();
    return occurrences;
  }

  // Requires: at_ != end_.
  std::string_view ReadWord() {
    const size_t length = *at_ & (forward_format::kRepeated - 1);
    repeated_ = (*at_ & forward_format::kRepeated) != 0;
    ++at_;
    sound_ = length > 0 && length <= static_cast<size_t>(end_ - at_);
    if (!sound_) return {};
    const std::string_view word(reinterpret_cast<const char*>(at_), length);
    at_ += length;
    return word;
  }

  const uint8_t* at_;
  const uint8_t* const end_;
  const uint32_t words_;
  bool sound_ = true;
  bool repeated_ = false;  // of the word read last
};

// The numbers of the words of a dictionary. Immutable; thread-safe.
class WordNumbers final {
 public:
  // `dictionary` must outlive it.
  explicit WordNumbers(const WordDictionary& dictionary);

  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  // Returns: kNone if the dictionary does not have the word.
  uint32_t Find(std::string_view word) const;
  const WordDictionary& dictionary() const { return dictionary_; }
  uint32_t ngrams(uint32_t number) const { return ngrams_[number]; }

 private:
  const WordDictionary& dictionary_;
  std::vector<uint32_t> slots_;  // open addressing: part of the hash, 1 + number; 0 is free
  std::vector<uint8_t> ngrams_;  // by number: the number of n-grams of the word
};

// Makes records. The record of a chunk depends only on its heading, its text and the dictionary.
// One per thread.
class ForwardRecordWriter final {
 public:
  // `numbers` must outlive it.
  explicit ForwardRecordWriter(const WordNumbers& numbers);
  ~ForwardRecordWriter();

  // A heading counts like text.
  std::string Write(std::string_view heading, std::string_view text);

 private:
  struct Spelt {
    uint32_t begin = 0;  // in spelt_text_
    uint32_t size = 0;
  };
  struct Remembered;
  struct CacheLine;
  void CountText(std::string_view text);
  struct Pending;
  void CountPending();
  bool Analyse(std::string_view segment, Remembered* entry);
  uint32_t Count(std::string_view marked);
  void CountListed(uint32_t number);
  void AppendListed(std::string* record);
  void AppendSpelt(std::string* record);
  std::string_view TextOf(const Spelt& word) const {
    return std::string_view(spelt_text_).substr(word.begin, word.size);
  }

  const WordNumbers& numbers_;
  WordScanner scanner_;
  std::vector<CacheLine> segments_;    // by hash: the words of recent segments
  std::vector<Pending> pending_;       // segments that are not counted yet
  std::vector<uint32_t> occurrences_;  // by number; all 0 between calls
  std::vector<uint64_t> listed_;       // a bit for each number that occurs; all 0 between calls
  uint32_t listed_count_ = 0;          // the number of these bits
  std::vector<Spelt> spelt_;           // the other words, including repetitions
  std::string spelt_text_;
  uint64_t ngrams_ = 0;
};

}  // namespace recall
