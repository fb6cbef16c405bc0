#pragma once

#include <string>

#include "query/answer/search.h"

namespace recall {

// Makes a question of what the target says and answers it. `commit_token` as in ResolveScope,
// `store_root` as in RunGet.
//
// The question is the text's most telling words (index/lexical/salient_terms.h) for the lexical
// retriever and for n-grams, and the whole text for the semantic retriever, ranked as a search. The
// source takes part in the ranking and is left out of the answer: what it scores itself is what 1
// means. Of a document that is its chunk with the best BM25; its others take no part.
Result<SimilarResponse> RunSimilar(const Snapshot& snapshot, const QueryTools& tools,
                                   const SimilarRequest& request, const std::string& commit_token,
                                   const std::string& store_root);

}  // namespace recall
