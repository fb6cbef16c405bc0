#pragma once

#include <string_view>

#include "index/base/text/tokenizer.h"
#include "index/search/lexical_query/lexical_query.h"
#include "storage/base/status.h"

namespace recall {

// Gives the words of a query the synonyms that the user names. `groups` has one group per line:
//   car, automobile, motor car     each finds the others
//   pto, leave => paid time off    those on the left also find those on the right
// Empty lines, and those that begin with #, are none. Words in quotes and after + or - mean
// themselves alone. `tokenizer` is that of the query.
// Errors: InvalidArgument for a group without two terms, whether or not the query has one of them.
Status AddSynonyms(std::string_view groups, Tokenizer& tokenizer, LexicalQuery& query);

}  // namespace recall
