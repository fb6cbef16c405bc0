#pragma once

#include <string>

#include "query/answer/search.h"

namespace recall {

// Synthesises a query from the text of the target and runs it. `commit_token` as in ResolveScope,
// `store_root` as in RunGet.
//
// The query consists of the salient terms of the text (index/lexical/salient_terms.h) for the
// lexical retriever and for n-grams, and of the whole text for the semantic retriever. The target
// is ranked, too, but is not in the answer: its score defines the score 1. A document is
// represented by its chunk with the best BM25; its other chunks are not ranked.
Result<SimilarResponse> RunSimilar(const ReadTransaction& transaction, const Snapshot& snapshot,
                                   const QueryTools& tools, const SimilarRequest& request,
                                   const std::string& commit_token, const std::string& store_root);

}  // namespace recall
