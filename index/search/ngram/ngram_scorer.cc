#include "index/search/ngram/ngram_scorer.h"

#include <algorithm>
#include <bit>

namespace recall {
namespace {

// Scores the texts of candidates by the character n-grams of the query, as one feature of
// reranking.
//
//   query --NgramScanner--> n-grams --> terms_ (weight = count in the query * idf)
//                                   --> table_ (hash table of n-grams, open addressing)
//   text  --NgramScanner--> n-grams --> ++count of the term, if the table contains it
//                                   --> BM25 over terms_ in the order of the query
//
// Problem: a query with the typing error "databse" shares no stem with "database", but three of its
// six 4-grams. An inverted index of n-grams would be larger than the index of words.
//
// Idea: only the reranking window is scored, about a hundred texts, so scanning them costs less
// than an index. A text of 1000 characters has about as many n-grams, nearly all of which are not
// in the query; the table is up to 32 times larger than the query, so that most of them find a free
// slot at the first probe.
//
// The same score follows from the words of a text, without the text (forward_scorer.h).
//
// Invariants: terms are added in the order of the query, so a score depends only on query, text and
// statistics. Two n-grams with the same 32-bit hash count as
// one, in queries and texts alike. A score is always below score_upper_bound().
//
// Cost: linear in the text; O(n-grams of the query) memory.

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;

}  // namespace

NgramScorer::NgramScorer(std::string_view query, const NgramStatistics& statistics)
    : average_length_(statistics.average_length()) {
  scanner_.Append(query, &ngrams_);
  // So sparse that nearly every n-gram of a text that is not in the query finds a free slot.
  constexpr size_t kSparse = 32;
  constexpr size_t kMostSparse = 4096;
  const size_t ngrams = ngrams_.size() + 1;
  table_.resize(std::bit_ceil(std::max(2 * ngrams, std::min(kSparse * ngrams, kMostSparse))));
  for (const uint32_t ngram : ngrams_) {
    const size_t mask = table_.size() - 1;
    size_t place = ngram & mask;
    while (table_[place] != 0 && terms_[table_[place] - 1].ngram != ngram)
      place = (place + 1) & mask;
    if (table_[place] == 0) {
      terms_.push_back({.ngram = ngram});
      counts_.push_back(0);
      table_[place] = static_cast<uint32_t>(terms_.size());
    }
    ++counts_[table_[place] - 1];
  }
  for (size_t i = 0; i < terms_.size(); ++i) {
    Term& term = terms_[i];
    term.weight = static_cast<double>(counts_[i]) * statistics.Idf(term.ngram);
    score_upper_bound_ += term.weight * (kK1 + 1);
  }
}

uint32_t NgramScorer::Find(uint32_t ngram) const {
  const size_t mask = table_.size() - 1;
  for (size_t place = ngram & mask; table_[place] != 0; place = (place + 1) & mask) {
    if (terms_[table_[place] - 1].ngram == ngram) return table_[place] - 1;
  }
  return kNoTerm;
}

double NgramScorer::Score(std::string_view heading, std::string_view text) {
  ngrams_.clear();
  scanner_.Append(heading, &ngrams_);
  scanner_.Append(text, &ngrams_);
  std::ranges::fill(counts_, 0);
  for (const uint32_t ngram : ngrams_) {
    const uint32_t term = Find(ngram);
    if (term != kNoTerm) ++counts_[term];
  }
  return ScoreOf(counts_, ngrams_.size());
}

double NgramScorer::ScoreOf(std::span<const uint64_t> counts, uint64_t length) const {
  const double norm = kK1 * (1 - kB + kB * static_cast<double>(length) / average_length_);
  double score = 0;
  for (size_t i = 0; i < terms_.size(); ++i) {
    const auto count = static_cast<double>(counts[i]);
    if (count > 0) score += terms_[i].weight * count * (kK1 + 1) / (count + norm);
  }
  return score;
}

}  // namespace recall
