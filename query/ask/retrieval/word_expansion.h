#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/ask/retrieval/retrieval_plan.h"

namespace recall {

// A lexical query in which terms of the store stand for the words that no chunk contains.
struct ExpandedQuery {
  // All clauses of the original one, then the terms; `wanted` ends with `corrections`.
  LexicalQuery query;
  // The words that one typing error separates from a missing one, at most two for each: the text
  // for the vectors and for the n-grams should contain them. Each is preceded by a space.
  std::string corrections;
  std::vector<WordExpansion> expansions;
};

// Expands the words of the plan's query that no chunk contains. `found`: the matches of this query.
// Returns: nothing if there is no such word or nothing is similar to it. Errors: Corruption.
Result<std::optional<ExpandedQuery>> ExpandMissingWords(const Snapshot& snapshot,
                                                        const RetrievalPlan& plan,
                                                        const LexicalCandidates& found,
                                                        Tokenizer& tokenizer);

// The words of the store that a person would accept for the word of a clause, which no chunk
// contains; at most four, as a chunk writes them, the most similar first. Empty if the clause is
// not one word.
Result<std::vector<std::string>> SimilarWords(const Snapshot& snapshot, const RetrievalPlan& plan,
                                              const LexicalClause& missing, Tokenizer& tokenizer);

// "no chunk contains 'databse'; searched for 'database'".
std::string DescribeExpansion(const WordExpansion& expansion);

}  // namespace recall
