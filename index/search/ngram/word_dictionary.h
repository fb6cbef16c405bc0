#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/search/ngram/word_scanner.h"
#include "storage/base/result.h"

namespace recall {

// The words that the records of the forward index number (forward_record.h). Immutable;
// thread-safe.
class WordDictionary final {
 public:
  // More words make records shorter, and take longer to read for each query. With half as many, the
  // records of English text and code are an eighth longer; with twice as many, a twelfth shorter.
  static constexpr size_t kMostWords = size_t{1} << 14;

  // Errors: Corruption if the bytes are inconsistent.
  static Result<WordDictionary> Decode(std::string bytes);
  // Requires: at most kMostWords words, each of 1 .. 127 bytes.
  static std::string Encode(std::span<const std::string> words);

  uint32_t size() const { return static_cast<uint32_t>(ends_.size() - 1); }
  // Requires: number < size().
  std::string_view word(uint32_t number) const {
    return std::string_view(bytes_).substr(ends_[number], ends_[number + 1] - ends_[number]);
  }

 private:
  std::string bytes_;           // as they are stored
  std::vector<uint32_t> ends_;  // by word: the end of the word before it, in bytes_; then the end
};

// Counts the chunks of a sample that contain each word.
class WordCounter final {
 public:
  void AddChunk(std::string_view heading, std::string_view text);
  // The most frequent words of two chunks or more, at most `most`, the most frequent first.
  std::vector<std::string> MostFrequent(size_t most) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view word) const { return std::hash<std::string_view>()(word); }
  };
  struct Count {
    uint32_t chunks = 0;
    uint32_t last = 0;  // the number of the chunk counted last, from 1
  };

  WordScanner scanner_;
  std::unordered_map<std::string, Count, Hash, std::equal_to<>> counts_;
  uint32_t chunk_ = 0;
};

}  // namespace recall
