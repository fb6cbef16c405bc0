#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/ngram/ngram_scanner.h"
#include "index/ngram/ngram_statistics.h"

namespace recall {

// BM25 (k1 1.2, b .75) over the n-grams of a query, computed on the texts of candidates: an index
// of n-grams would be larger than that of words, and ranks no better than this does. Deterministic:
// only + - * / decide. One per thread.
class NgramScorer final {
 public:
  // Nothing of `statistics` is kept.
  NgramScorer(std::string_view query, const NgramStatistics& statistics);

  // True when no text scores.
  bool Empty() const { return terms_.empty(); }
  // 0 or more. A chunk's headings count as its text does.
  double Score(std::string_view heading, std::string_view text);
  // What a text would score that held every n-gram without end: scores stay below it.
  double score_upper_bound() const { return score_upper_bound_; }

 private:
  struct Term {
    uint32_t ngram = 0;
    double weight = 0;  // count in the query * idf
    uint32_t count = 0;
  };
  Term* Find(uint32_t ngram);

  std::vector<Term> terms_;      // the query's n-grams, in the order of the query
  std::vector<uint32_t> table_;  // open addressing: 1 + the place in terms_, 0 free
  double average_length_ = 1;
  double score_upper_bound_ = 0;
  NgramScanner scanner_;
  std::vector<uint32_t> ngrams_;
};

}  // namespace recall
