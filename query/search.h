#pragma once

#include <string>

#include "query/retrieval.h"
#include "query/scope.h"
#include "storage/document_store.h"

namespace recall {

// Retrieves, orders, cuts the page and reads its texts. `commit_token` as in ResolveScope.
Result<SearchResponse> RunSearch(const ReadTransaction& transaction, const QueryTools& tools,
                                 const SearchRequest& request, const std::string& commit_token);

// One ranked row as answers show it, with its text.
Result<SearchHit> MakeHit(const ReadTransaction& transaction, const DocRow& doc,
                          const ChunkRow& chunk, const FusedCandidate& fused);

// What an answer tells of its filter, and of the retrieval (null: there was none).
void ReportScope(const ResolvedScope& scope, bool explain, AnswerFacts& facts);
void ReportRetrieval(const Retrieval& retrieval, bool explain, AnswerFacts& facts);
// Warns when a page reaches to row `end` of a ranking that had to be cut before.
void WarnWhereCut(const Retrieval& retrieval, size_t end, AnswerFacts& facts);

}  // namespace recall
