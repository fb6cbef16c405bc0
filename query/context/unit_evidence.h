#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/lexical_query/lexical_query.h"
#include "index/text/tokenizer.h"
#include "query/types/search_types.h"

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
  // Counts the occurrences of each wanted clause in `text`. Returns: the number of indexed tokens
  // of `text`.
  double Count(std::string_view text, std::vector<double>* counts);

  std::vector<Wanted> wanted_;
  Tokenizer* tokenizer_;
  LexicalText analyzed_;
};

}  // namespace recall
