#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "index/search/lexical_query/lexical_query.h"

namespace recall {

// Scores units of text by the words of a query that they have. Not thread-safe.
class UnitEvidence final {
 public:
  // Both pointers must outlive the object.
  UnitEvidence(const LexicalQuery* query, Tokenizer* tokenizer);

  // A unit, and the headings above it.
  struct Unit {
    std::string_view text;
    std::string_view heading;      // of its chunk
    std::string_view own_heading;  // the nearest line that heads it
    std::string_view name;         // of its document
  };
  // Returns: for each unit the share of the query's terms, weighed by how few units have them, that
  // it contains, divided by the greatest. In [0, 1]; all 0 if no unit contains a term of the query.
  // words: null, or for each unit the clauses in its text, each with what it adds.
  struct Word {
    size_t clause = 0;
    double weight = 0;
  };
  using Words = std::vector<Word>;
  std::vector<double> Weigh(const std::vector<Unit>& units, std::vector<Words>* words = nullptr);

  // Whether the query asks for several things: in a sentence each, or to compare them.
  bool asks_for_several() const { return several_; }
  // Whether the query has one of these words, which are folded.
  bool AsksFor(const std::vector<std::string_view>& words) const;

 private:
  struct Wanted {
    const LexicalClause* clause;
    double weight;  // without the idf
  };
  // Adds the occurrences of each wanted clause among the tokens of an analysed text to `counts`.
  void CountIn(std::string_view analyzed, std::vector<double>* counts);
  // The same for a text.
  void Count(std::string_view text, std::vector<double>* counts);

  std::vector<Wanted> wanted_;
  std::bitset<256> first_bytes_;  // of the phrases of wanted_: no other token begins one
  std::vector<size_t> places_;    // of the tokens that begin like a phrase
  Tokenizer* tokenizer_;
  bool several_ = false;
  LexicalText analyzed_;
};

}  // namespace recall
