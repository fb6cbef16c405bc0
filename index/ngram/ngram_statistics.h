#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// The part of a model that holds them (storage/tables/model_table.h).
inline constexpr std::string_view kNgramPart = "grams";

// How common each n-gram is among the chunks of a store: what a n-gram is worth as evidence.
// N-grams share a table of buckets by their hash, and a bucket keeps the logarithm of its count in
// eighths of a power of two, so the whole is at most 64 KiB (docs/format/model.md, "n-grams"). A
// few chunks stand for all: what is counted is a sample. Immutable; thread-safe.
class NgramStatistics final {
 public:
  // The bytes of a part `n-grams`. Corruption when they contradict themselves.
  static Result<NgramStatistics> Decode(ByteSpan bytes);
  std::string Encode() const;

  // ln(1 + (N - df + .5) / (df + .5))
  double Idf(uint32_t ngram) const;
  // N-grams of a chunk, on average; above 0.
  double average_length() const { return average_length_; }
  uint32_t chunks() const { return chunks_; }

 private:
  friend class NgramCounter;

  uint32_t chunks_ = 0;
  uint64_t ngrams_ = 0;
  double average_length_ = 1;
  std::vector<uint8_t> buckets_;  // a power of two of them: 0 for none, else 1 + 8 log2(chunks)
};

// Counts the chunks of a sample.
class NgramCounter final {
 public:
  // `chunks` that will come, at most: decides on the size of the table.
  explicit NgramCounter(uint32_t chunks);
  // The n-grams of one chunk, in any order.
  void Add(std::span<const uint32_t> ngrams);
  NgramStatistics Finish() const;

 private:
  uint32_t chunks_ = 0;
  uint64_t ngrams_ = 0;
  std::vector<uint32_t> counts_;  // chunks by bucket
  std::vector<uint32_t> last_;    // by bucket: the chunk counted last, from 1
};

}  // namespace recall
