#pragma once

#include <cstddef>

#include "index/bitmap/bitmap.h"
#include "index/interface/term_statistics.h"
#include "index/lexical_query/lexical_query.h"

namespace recall {

// Reduces a query made of a whole text to the at most `most` clauses that tell it from other texts:
// those with the largest count * idf; equal ones go by their place in the text. Clauses that only
// `own` chunks hold find nothing, so they are kept only while there is room: they still count in
// what a full match would score. Function words never stay. The order of the text is kept, and
// `wanted` becomes the words kept.
//
// `query` is as ParseLiteralQuery makes it; `removed` are the chunks that count nowhere. Clauses
// that stand less often in a long text than 256 others are left out unseen.
// Cost: as reading the postings of these 256.
Result<LexicalQuery> KeepSalientTerms(const TermStatistics& statistics, LexicalQuery query,
                                      size_t most, const Bitmap& removed, const Bitmap& own);

}  // namespace recall
