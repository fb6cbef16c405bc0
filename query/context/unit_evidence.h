#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/lexical_query/lexical_query.h"
#include "index/text/tokenizer.h"
#include "query/types/search_types.h"

namespace recall {

// The lexical relevance of units of text to a query.
class UnitEvidence final {
 public:
  // `terms`: the clauses of the query with the weights of the lexical retriever. If it is empty
  // because that retriever did not run, all clauses have the same weight. Both pointers must
  // outlive the object.
  UnitEvidence(const LexicalQuery* query, const std::vector<SearchExplain::Term>& terms,
               Tokenizer* tokenizer);

  // Returns: for each text its BM25 score with the constants of the lexical retriever and the mean
  // length of these texts, divided by the greatest, so in [0, 1]. All 0 when no text contains a
  // term of the query.
  std::vector<double> Weigh(const std::vector<std::string_view>& texts);

 private:
  struct Wanted {
    const LexicalClause* clause;
    double weight;
  };
  // Counts the occurrences of each wanted clause in `text`. Returns: its length in index tokens.
  double Count(std::string_view text, std::vector<double>* counts);

  std::vector<Wanted> wanted_;
  Tokenizer* tokenizer_;
  LexicalText analyzed_;
};

}  // namespace recall
