// BM25 of sentences and lines (Robertson and Zaragoza, 2009, "The Probabilistic Relevance
// Framework: BM25 and Beyond").
//
// The full-text index scores chunks, not sentences, so the units of a context are analysed and
// counted here with the tokenizer of the index:
//
//   score(unit) = sum over clauses of  count * idf * tf / (tf + k1 * (1 - b + b * length / mean))
//
// The idf is that of the whole store, as the lexical retriever computed it, because a few dozen
// units are too small a sample. The mean length is that of the units, because they are much shorter
// than chunks. The factor (k1 + 1) of the usual form is omitted, because the scores are divided by
// the greatest. -not clauses are ignored; phrases and prefixes count where they match.
//
// Cost: one analysis of each text, and O(tokens), because few tokens begin like one of the query.

#include "query/ask/context/unit_evidence.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "index/search/lexical/phrase_match.h"

namespace recall {
namespace {

constexpr double kSaturation = 1.5;    // BM25's k1
constexpr double kLengthShare = 0.75;  // BM25's b

using Words = std::vector<std::string_view>;

Words SplitAtSpaces(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

// Counts where a clause stands among these places.
double CountAt(const LexicalClause& clause, const Words& words, std::span<const size_t> places) {
  double count = 0;
  for (const FtsPhrase& phrase : clause.any_of) {
    for (const size_t at : places) count += StandsAt(phrase, words, at) ? 1 : 0;
  }
  return count;
}

}  // namespace

UnitEvidence::UnitEvidence(const LexicalQuery* query, const std::vector<SearchExplain::Term>& terms,
                           Tokenizer* tokenizer)
    : tokenizer_(tokenizer) {
  const bool weighed = terms.size() == query->clauses.size();
  for (size_t i = 0; i < query->clauses.size(); ++i) {
    const LexicalClause& clause = query->clauses[i];
    if (clause.occur == LexicalClause::Occur::kMustNot) continue;
    wanted_.push_back({&clause, clause.count * clause.boost * (weighed ? terms[i].idf : 1.0)});
    for (const FtsPhrase& phrase : clause.any_of) {
      first_bytes_.set(static_cast<uint8_t>(phrase.tokens.front().front()));
    }
  }
}

void UnitEvidence::CountIn(std::string_view analyzed, std::vector<double>* counts, size_t* length) {
  const Words words = SplitAtSpaces(analyzed);
  *length = words.size();
  places_.clear();
  for (size_t at = 0; at < words.size(); ++at) {
    if (first_bytes_.test(static_cast<uint8_t>(words[at].front()))) places_.push_back(at);
  }
  for (size_t i = 0; i < wanted_.size(); ++i) {
    (*counts)[i] += CountAt(*wanted_[i].clause, words, places_);
  }
}

double UnitEvidence::Count(std::string_view text, std::vector<double>* counts) {
  tokenizer_->Analyze({}, text, &analyzed_);
  size_t length = 0;
  size_t compounds = 0;
  CountIn(analyzed_.body, counts, &length);
  CountIn(analyzed_.compound, counts, &compounds);
  return static_cast<double>(length);
}

std::vector<double> UnitEvidence::Weigh(const std::vector<std::string_view>& texts) {
  std::vector<std::vector<double>> counts(texts.size(), std::vector<double>(wanted_.size()));
  std::vector<double> lengths(texts.size());
  double total = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    lengths[i] = Count(texts[i], &counts[i]);
    total += lengths[i];
  }
  std::vector<double> evidence(texts.size());
  double greatest = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    const double relative = lengths[i] * static_cast<double>(texts.size());
    // total is 0 only if no text contains a token; then no count is above 0.
    const double length = total > 0 ? relative / total : 1;
    const double damping = kSaturation * (1 - kLengthShare + kLengthShare * length);
    for (size_t t = 0; t < wanted_.size(); ++t) {
      const double count = counts[i][t];
      if (count > 0) evidence[i] += wanted_[t].weight * count / (count + damping);
    }
    greatest = std::max(greatest, evidence[i]);
  }
  if (greatest > 0) {
    for (double& value : evidence) value /= greatest;
  }
  return evidence;
}

}  // namespace recall
