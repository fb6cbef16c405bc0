#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "index/search/lexical_query/lexical_query.h"
#include "query/types/explanations.h"

namespace recall {

// Scores units of text by BM25 for a query. Not thread-safe.
class UnitEvidence final {
 public:
  // `terms`: one for each clause of the query, with the idf that the lexical retriever used. If the
  // retriever did not run, `terms` is empty and all clauses have the same weight. Both pointers
  // must outlive the object.
  UnitEvidence(const LexicalQuery* query, const std::vector<SearchExplain::Term>& terms,
               Tokenizer* tokenizer);

  // Returns: for each text its BM25 score, with the constants of the lexical retriever and the mean
  // length of these texts, divided by the greatest score. In [0, 1]; all 0 if no text contains a
  // term of the query.
  std::vector<double> Weigh(const std::vector<std::string_view>& texts);

 private:
  struct Wanted {
    const LexicalClause* clause;
    double weight;
  };
  // Adds the occurrences of each wanted clause among the tokens of an analysed text to `counts`.
  void CountIn(std::string_view analyzed, std::vector<double>* counts, size_t* length);
  // The same for a text; `counts` begins with 0. Returns: the number of its indexed tokens.
  double Count(std::string_view text, std::vector<double>* counts);

  std::vector<Wanted> wanted_;
  std::bitset<256> first_bytes_;  // of the phrases of wanted_: no other token begins one
  std::vector<size_t> places_;    // of the tokens that begin like a phrase
  Tokenizer* tokenizer_;
  LexicalText analyzed_;
};

}  // namespace recall
