#pragma once

#include <string>

#include "query/passages/snippet.h"
#include "query/retrieval/retrieval.h"
#include "query/rows/scope.h"
#include "storage/documents/document_store.h"

namespace recall {

// Retrieves, orders, cuts the page and reads its texts. `commit_token` as in ResolveScope.
Result<SearchResponse> RunSearch(const ReadTransaction& transaction, const QueryTools& tools,
                                 const SearchRequest& request, const std::string& commit_token);

// Makes ranked rows into what answers show of them. All arguments must outlive the object.
class HitMaker final {
 public:
  HitMaker(const ReadTransaction& transaction, Retrieval& retrieval, const SearchRequest& request)
      : transaction_(transaction),
        retrieval_(retrieval),
        request_(request),
        snippets_(retrieval.query(), request.snippet_bytes) {}

  // With its text, and as far as the request asks for them its snippet and its explanation.
  Result<SearchHit> Make(const DocRow& doc, const ChunkRow& chunk, const FusedCandidate& fused);

 private:
  const ReadTransaction& transaction_;
  Retrieval& retrieval_;
  const SearchRequest& request_;
  SnippetCutter snippets_;
};

// The request with a time, where its stages may need one: then filter and stages count from the
// same one.
SearchRequest WithTime(SearchRequest request);

// What an answer tells of its filter, and of the retrieval (null: there was none).
void ReportScope(const ResolvedScope& scope, bool explain, AnswerFacts& facts);
void ReportRetrieval(const Retrieval& retrieval, bool explain, AnswerFacts& facts);
// Warns when a page reaches to row `end` of a ranking that had to be cut before.
void WarnWhereCut(const Retrieval& retrieval, size_t end, AnswerFacts& facts);

}  // namespace recall
