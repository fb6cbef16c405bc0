#include "index/search/ngram/forward_scorer.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

// The n-gram score of chunks, from their words.
//
//   record --> word numbers --known_--> shares of the word --> counts_ of the query's n-grams
//          --> spelt words  --n-grams--> shares             --> BM25 (NgramScorer::ScoreOf)
//
// Idea: the chunks that a query selects have many words in common, nearly all of which share no
// n-gram with the query. So each word of the dictionary is cut into n-grams once, when the first
// chunk has it; afterwards it costs one look-up in an array of 64 KiB.
//
// Invariant: counts are sums of integers, so they do not depend on the order of the words.
//
// Cost: a window of a hundred chunks has about 10,000 entries and 3,000 different words.

// Values of known_ that are no index.
constexpr uint32_t kUnknown = 0;
constexpr uint32_t kNothing = 1;
constexpr uint32_t kFirstGroup = 2;

}  // namespace

ForwardScorer::ForwardScorer(const NgramScorer& scorer, WordDictionary dictionary)
    : scorer_(scorer),
      dictionary_(std::move(dictionary)),
      known_(dictionary_.size(), kUnknown),
      counts_(scorer.terms()) {}

// Sets shares_.
void ForwardScorer::FindShares(std::string_view word) {
  marked_.assign(1, '<').append(word).push_back('>');
  ngrams_.clear();
  AppendWordNgrams(marked_, &characters_, &ngrams_);
  shares_.clear();
  for (const uint32_t ngram : ngrams_) {
    const uint32_t term = scorer_.Find(ngram);
    if (term == NgramScorer::kNoTerm) continue;
    const auto known = std::ranges::find(shares_, term, &Share::term);
    if (known == shares_.end()) {
      shares_.push_back({term, 1});
    } else {
      ++known->count;
    }
  }
}

// Returns: the value of known_ for a word that was unknown.
uint32_t ForwardScorer::Learn(uint32_t number) {
  FindShares(dictionary_.word(number));
  if (shares_.empty()) return kNothing;
  groups_.push_back(shares_);
  return kFirstGroup + static_cast<uint32_t>(groups_.size() - 1);
}

Result<double> ForwardScorer::Score(ByteSpan record) {
  std::ranges::fill(counts_, 0);
  const auto add = [this](const std::vector<Share>& shares, uint32_t occurrences) {
    for (const Share& share : shares) counts_[share.term] += uint64_t{share.count} * occurrences;
  };
  RECALL_ASSIGN(const uint64_t length, ForwardRecordReader(record, dictionary_.size())
                                           .Read(
                                               [&](uint32_t number, uint32_t occurrences) {
                                                 uint32_t& known = known_[number];
                                                 if (known == kUnknown) known = Learn(number);
                                                 if (known != kNothing)
                                                   add(groups_[known - kFirstGroup], occurrences);
                                               },
                                               [&](std::string_view word, uint32_t occurrences) {
                                                 FindShares(word);
                                                 add(shares_, occurrences);
                                               }));
  return scorer_.ScoreOf(counts_, length);
}

}  // namespace recall
