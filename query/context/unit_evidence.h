#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/lexical_query/lexical_query.h"
#include "index/text/tokenizer.h"
#include "query/types/search_types.h"

namespace recall {

// What units of text say about a question by their own words.
class UnitEvidence final {
 public:
  // `terms` are the query's clauses as the lexical retriever weighed them, none when it did not
  // run: then every clause weighs the same. Both pointers must outlive the object.
  UnitEvidence(const LexicalQuery* query, const std::vector<SearchExplain::Term>& terms,
               Tokenizer* tokenizer);

  // BM25 of each text with the lexical retriever's constants, over the mean length of these texts,
  // divided by the greatest: in [0, 1]. All 0 when no text has a word of the query.
  std::vector<double> Weigh(const std::vector<std::string_view>& texts);

 private:
  struct Wanted {
    const LexicalClause* clause;
    double weight;
  };
  // How often each wanted clause occurs in `text`; returns its length in index tokens.
  double Count(std::string_view text, std::vector<double>* counts);

  std::vector<Wanted> wanted_;
  Tokenizer* tokenizer_;
  LexicalText analyzed_;
};

}  // namespace recall
