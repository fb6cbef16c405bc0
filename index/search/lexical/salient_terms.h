#pragma once

#include <cstddef>

#include "index/search/bitmap/bitmap.h"
#include "index/search/lexical_query/lexical_query.h"
#include "index/search/snapshot/term_statistics.h"

namespace recall {

// Reduces a query made of a whole text to at most `most` salient terms: the clauses with the
// largest count * idf; ties are broken by their order in the text. Clauses that only chunks of
// `own` match find nothing else, so they are kept only if there is room; they still count in the
// score of a full match. Function words are removed. The order of the text is kept, and `wanted`
// becomes the kept words.
//
// `query` must come from ParseLiteralQuery; `removed` are the chunks that do not count. In a long
// text, only the 256 most frequent clauses are considered. Cost: counting the postings of these
// clauses.
Result<LexicalQuery> KeepSalientTerms(const TermStatistics& statistics, LexicalQuery query,
                                      size_t most, const Bitmap& removed, const Bitmap& own);

}  // namespace recall
