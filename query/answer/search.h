#pragma once

#include <string>

#include "query/passages/snippet.h"
#include "query/retrieval/rank_explainer.h"
#include "query/retrieval/ranking.h"
#include "query/retrieval/stage_clock.h"
#include "query/rows/scope.h"

namespace recall {

// Ranks, cuts the page and reads its texts. `commit_token` as in ResolveScope.
Result<SearchResponse> RunSearch(const Snapshot& snapshot, const QueryTools& tools,
                                 const SearchRequest& request, const std::string& commit_token);

// Makes ranked rows into what answers show of them. All arguments must outlive the object.
class HitMaker final {
 public:
  HitMaker(const Snapshot& snapshot, const Ranking& ranking, const SearchRequest& request)
      : texts_(snapshot.texts()),
        ranking_(ranking),
        request_(request),
        snippets_(ranking.query(), request.snippet_bytes),
        explainer_(ranking) {}

  // With its text, and as far as the request asks for them its snippet and its explanation.
  Result<SearchHit> Make(const DocRow& doc, const ChunkRow& chunk, const ScoredChunk& fused);

 private:
  const TextsAndFacts& texts_;
  const Ranking& ranking_;
  const SearchRequest& request_;
  SnippetCutter snippets_;
  RankExplainer explainer_;
};

// The request with a time, where its stages may need one: then filter and stages count from the
// same one.
SearchRequest WithTime(SearchRequest request);

// What an answer reports of its filter, and of its ranking.
void ReportScope(const ResolvedScope& scope, bool explain, AnswerFacts& facts);
void ReportRanking(const Ranking& ranking, bool explain, AnswerFacts& facts);
// Warns when a page reaches to row `end` of a ranking that had to be cut before.
void WarnWhereCut(const Ranking& ranking, size_t end, AnswerFacts& facts);

}  // namespace recall
