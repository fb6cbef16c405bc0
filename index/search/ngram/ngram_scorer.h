#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "index/search/ngram/ngram_scanner.h"
#include "index/search/ngram/ngram_statistics.h"

namespace recall {

// BM25 (k1 1.2, b 0.75) over the n-grams of a query, computed on the texts of candidates. An index
// of n-grams would be larger than the index of words, and its ranking would be no better.
// Deterministic: only + - * / are used. One per thread.
class NgramScorer final {
 public:
  // Keeps no reference to `statistics`.
  NgramScorer(std::string_view query, const NgramStatistics& statistics);

  // Whether the query has no n-grams, so that no text can score.
  bool Empty() const { return terms_.empty(); }
  // The score of a text, 0 or more. A chunk's heading counts like its text.
  double Score(std::string_view heading, std::string_view text);
  // An upper bound of all scores: the limit for a text that contains every n-gram infinitely often.
  double score_upper_bound() const { return score_upper_bound_; }

  // The number of different n-grams of the query.
  size_t terms() const { return terms_.size(); }
  static constexpr uint32_t kNoTerm = std::numeric_limits<uint32_t>::max();
  // The place of an n-gram among those of the query; kNoTerm if it is not one of them.
  uint32_t Find(uint32_t ngram) const;
  // The score of a text that has `length` n-grams, and each n-gram of the query as often as
  // `counts` says at its place.
  double ScoreOf(std::span<const uint64_t> counts, uint64_t length) const;

 private:
  struct Term {
    uint32_t ngram = 0;
    double weight = 0;  // count in the query * idf
  };

  std::vector<Term> terms_;      // the query's n-grams, in the order of the query
  std::vector<uint32_t> table_;  // open addressing: 1 + index in terms_; 0 is free
  double average_length_ = 1;
  double score_upper_bound_ = 0;
  NgramScanner scanner_;
  std::vector<uint32_t> ngrams_;
  std::vector<uint64_t> counts_;  // parallel to terms_
};

}  // namespace recall
