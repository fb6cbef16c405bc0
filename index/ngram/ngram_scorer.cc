#include "index/ngram/ngram_scorer.h"

#include <algorithm>
#include <bit>

namespace recall {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;

}  // namespace

NgramScorer::NgramScorer(std::string_view query, const NgramStatistics& statistics)
    : average_length_(statistics.average_length()) {
  scanner_.Append(query, &ngrams_);
  // So sparse that nearly every n-gram of a text, which is none of the query's, finds a free place.
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
      table_[place] = static_cast<uint32_t>(terms_.size());
    }
    ++terms_[table_[place] - 1].count;
  }
  for (Term& term : terms_) {
    term.weight = term.count * statistics.Idf(term.ngram);
    term.count = 0;
    score_upper_bound_ += term.weight * (kK1 + 1);
  }
}

NgramScorer::Term* NgramScorer::Find(uint32_t ngram) {
  const size_t mask = table_.size() - 1;
  for (size_t place = ngram & mask; table_[place] != 0; place = (place + 1) & mask) {
    Term& term = terms_[table_[place] - 1];
    if (term.ngram == ngram) return &term;
  }
  return nullptr;
}

double NgramScorer::Score(std::string_view heading, std::string_view text) {
  ngrams_.clear();
  scanner_.Append(heading, &ngrams_);
  scanner_.Append(text, &ngrams_);
  for (const uint32_t ngram : ngrams_) {
    if (Term* const term = Find(ngram)) ++term->count;
  }
  const double length = static_cast<double>(ngrams_.size());
  const double norm = kK1 * (1 - kB + kB * length / average_length_);
  double score = 0;
  for (Term& term : terms_) {
    const double count = term.count;
    term.count = 0;
    if (count > 0) score += term.weight * count * (kK1 + 1) / (count + norm);
  }
  return score;
}

}  // namespace recall
