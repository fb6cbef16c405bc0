#pragma once

#include <string>

#include "query/ask/answer/search.h"

namespace recall {

// Ranks chunks by their similarity to the target. `commit_token` as in ResolveScope, `store_root`
// as in RunGet. Errors: as RunGet for the target; those of ResolveScope and Rank.
//
// The query is synthesised from the text of the target: its salient terms
// (index/search/lexical/salient_terms.h) for the lexical retriever and for n-grams, and the whole
// text for the semantic retriever. The target is ranked as well, because all scores are divided by
// the best one, normally its own; it is removed from the answer. A document is represented by its
// chunk with the best BM25; its other chunks are excluded.
Result<SimilarResponse> RunSimilar(const Snapshot& snapshot, const QueryDependencies& deps,
                                   const SimilarRequest& request, const std::string& commit_token,
                                   const std::string& store_root);

}  // namespace recall
