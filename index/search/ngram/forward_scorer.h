#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/search/ngram/forward_record.h"
#include "index/search/ngram/ngram_scorer.h"
#include "index/search/ngram/word_dictionary.h"

namespace recall {

// Scores chunks by the character n-grams of a query, from their records in the forward index. The
// score of a record is, to the bit, what NgramScorer::Score gives for the heading and the text that
// it was made from. One per thread.
class ForwardScorer final {
 public:
  // `scorer` must outlive it.
  ForwardScorer(const NgramScorer& scorer, WordDictionary dictionary);

  // Errors: Corruption if the record is damaged.
  Result<double> Score(ByteSpan record);

 private:
  // A word contains a query n-gram this often.
  struct Share {
    uint32_t term = 0;
    uint32_t count = 0;
  };
  void FindShares(std::string_view word);
  uint32_t Learn(uint32_t number);

  const NgramScorer& scorer_;
  const WordDictionary dictionary_;
  std::vector<uint32_t> known_;  // by word number: kUnknown, kNothing, or an index in groups_
  std::vector<std::vector<Share>> groups_;  // the shares of the words that have some
  std::vector<Share> shares_;               // of the word looked at last
  std::vector<uint64_t> counts_;            // occurrences in the chunk, by term
  std::string marked_;
  std::u32string characters_;
  std::vector<uint32_t> ngrams_;
};

}  // namespace recall
