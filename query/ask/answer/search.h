#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "query/ask/passages/snippet.h"
#include "query/ask/retrieval/rank_explainer.h"
#include "query/ask/retrieval/ranking.h"
#include "query/ask/rows/locators.h"
#include "query/ask/rows/scope.h"
#include "query/types/stage_clock.h"
#include "storage/base/clock.h"

namespace recall {

// Ranks the chunks, selects the page and reads its texts. `commit_token` as in ResolveScope.
// Errors: those of ResolveScope and Rank.
Result<SearchResponse> RunSearch(const Snapshot& snapshot, const QueryDependencies& deps,
                                 const SearchRequest& request, const std::string& commit_token);

// Makes hits of ranked rows. All arguments must outlive the object.
class HitMaker final {
 public:
  HitMaker(const Snapshot& snapshot, const QueryDependencies& deps, const Ranking& ranking,
           const SearchRequest& request)
      : texts_(snapshot.texts()),
        deps_(deps),
        ranking_(ranking),
        request_(request),
        snippets_(ranking.query(), request.snippet_bytes),
        explainer_(ranking),
        locators_(snapshot.texts()),
        as_of_(request.scope.as_of ? *request.scope.as_of : WallClockNanos()) {}

  // Returns: the hit with its text, and with its snippet and its explanation if the request has
  // them. `text`: that of the chunk, if the caller has read it.
  Result<SearchHit> Make(const DocRow& doc, const ChunkRow& chunk, const ScoredChunk& fused,
                         std::optional<std::string> text = {});
  UnixNanos as_of() const { return as_of_; }

 private:
  const TextsAndFacts& texts_;
  const QueryDependencies& deps_;
  const Ranking& ranking_;
  const SearchRequest& request_;
  SnippetCutter snippets_;
  RankExplainer explainer_;
  LocatorReader locators_;
  UnixNanos as_of_;  // the states of notes are those of this time
};

// Returns: the request, with the current time as as_of if it has stages and no as_of. Filter and
// stages then use the same time.
SearchRequest WithTime(SearchRequest request);

// Fill the fields of an answer that describe its filter and its ranking.
void ReportScope(const ResolvedScope& scope, bool explain, AnswerFacts& facts);
Status ReportRanking(const Ranking& ranking, bool explain, AnswerFacts& facts);
// Removes the documents of the shown rows from the neighbours, so that none is shown twice.
template <typename Row>
void LeaveOutShown(const std::vector<Row>& shown, AnswerFacts& facts) {
  if (!facts.related) return;
  std::erase_if(*facts.related, [&](const RelatedDoc& related) {
    return std::ranges::any_of(shown,
                               [&](const Row& row) { return row.doc.path == related.doc.path; });
  });
}
// Adds a warning if a page reaches to row `end`, beyond a ranking that was cut off.
void WarnWhereCut(const Ranking& ranking, size_t end, AnswerFacts& facts);

}  // namespace recall
