#pragma once

#include "index/search/lexical_query/lexical_query.h"

namespace recall {

// Gives each plain word of a query the words that mean nearly the same, as the lexicon in the
// program says. Words that the query has itself are left out.
void AddRelatedWords(LexicalQuery& query);

}  // namespace recall
