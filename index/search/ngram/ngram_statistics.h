#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

// The part of a model that contains n-gram statistics (storage/tables/model_table.h).
inline constexpr std::string_view kNgramPart = "grams";

// The document frequencies of n-grams among the chunks of a store, from which their idf follows.
// N-grams share a table of buckets by their hash, and a bucket stores the logarithm of its count in
// eighths of a power of two, so the table has at most 64 KiB (docs/format/model.md, part `grams`).
// Counts are those of a sample of the chunks. Immutable; thread-safe.
class NgramStatistics final {
 public:
  // Decodes the bytes of a part `grams`. Errors: Corruption if they are inconsistent.
  static Result<NgramStatistics> Decode(ByteSpan bytes);
  std::string Encode() const;

  // ln(1 + (N - df + .5) / (df + .5))
  double Idf(uint32_t ngram) const;
  // The average number of n-grams of a chunk; at least 1.
  double average_length() const { return average_length_; }
  uint32_t chunks() const { return chunks_; }

 private:
  friend class NgramCounter;

  uint32_t chunks_ = 0;
  uint64_t ngrams_ = 0;
  double average_length_ = 1;
  std::vector<uint8_t> buckets_;  // a power of two of buckets: 0 for none, else 1 + 8 log2(chunks)
};

// Counts, for each bucket, the chunks of a sample that contain one of its n-grams.
class NgramCounter final {
 public:
  // `chunks`: the maximum number of chunks; it determines the size of the table.
  explicit NgramCounter(uint32_t chunks);
  // Adds the n-grams of one chunk, in any order.
  void Add(std::span<const uint32_t> ngrams);
  NgramStatistics Finish() const;

 private:
  uint32_t chunks_ = 0;
  uint64_t ngrams_ = 0;
  std::vector<uint32_t> counts_;  // number of chunks, by bucket
  std::vector<uint32_t> last_;    // by bucket: the number of the chunk counted last, from 1
};

}  // namespace recall
