#include "index/ngram/ngram_scorer.h"

#include <algorithm>
#include <bit>

namespace recall {
namespace {

constexpr double kK1 = 1.2;
constexpr double kB = 0.75;

}  // namespace

GramScorer::GramScorer(std::string_view query, const GramStatistics& statistics)
    : average_length_(statistics.average_length()) {
  scanner_.Append(query, &grams_);
  // So sparse that nearly every gram of a text, which is none of the query's, finds a free place.
  constexpr size_t kSparse = 32;
  constexpr size_t kMostSparse = 4096;
  const size_t grams = grams_.size() + 1;
  table_.resize(std::bit_ceil(std::max(2 * grams, std::min(kSparse * grams, kMostSparse))));
  for (const uint32_t gram : grams_) {
    const size_t mask = table_.size() - 1;
    size_t place = gram & mask;
    while (table_[place] != 0 && terms_[table_[place] - 1].gram != gram) place = (place + 1) & mask;
    if (table_[place] == 0) {
      terms_.push_back({.gram = gram});
      table_[place] = static_cast<uint32_t>(terms_.size());
    }
    ++terms_[table_[place] - 1].count;
  }
  for (Term& term : terms_) {
    term.weight = term.count * statistics.Idf(term.gram);
    term.count = 0;
    ceiling_ += term.weight * (kK1 + 1);
  }
}

GramScorer::Term* GramScorer::Find(uint32_t gram) {
  const size_t mask = table_.size() - 1;
  for (size_t place = gram & mask; table_[place] != 0; place = (place + 1) & mask) {
    Term& term = terms_[table_[place] - 1];
    if (term.gram == gram) return &term;
  }
  return nullptr;
}

double GramScorer::Score(std::string_view heading, std::string_view text) {
  grams_.clear();
  scanner_.Append(heading, &grams_);
  scanner_.Append(text, &grams_);
  for (const uint32_t gram : grams_) {
    if (Term* const term = Find(gram)) ++term->count;
  }
  const double length = static_cast<double>(grams_.size());
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
