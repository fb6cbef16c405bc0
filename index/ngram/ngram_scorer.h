#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/ngram/ngram_scanner.h"
#include "index/ngram/ngram_statistics.h"

namespace recall {

// BM25 (k1 1.2, b .75) over the grams of a query, computed on the texts of candidates: an index of
// grams would be larger than that of words, and ranks no better than this does.
// Deterministic: only + - * / decide. One per thread.
class GramScorer final {
 public:
  // Nothing of `statistics` is kept.
  GramScorer(std::string_view query, const GramStatistics& statistics);

  // True when no text scores.
  bool Empty() const { return terms_.empty(); }
  // 0 or more. A chunk's headings count as its text does.
  double Score(std::string_view heading, std::string_view text);
  // What a text would score that held every gram without end: scores stay below it.
  double ceiling() const { return ceiling_; }

 private:
  struct Term {
    uint32_t gram = 0;
    double weight = 0;  // count in the query * idf
    uint32_t count = 0;
  };
  Term* Find(uint32_t gram);

  std::vector<Term> terms_;      // the query's grams, in the order of the query
  std::vector<uint32_t> table_;  // open addressing: 1 + the place in terms_, 0 free
  double average_length_ = 1;
  double ceiling_ = 0;
  GramScanner scanner_;
  std::vector<uint32_t> grams_;
};

}  // namespace recall
