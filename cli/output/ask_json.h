#pragma once

// The `query` and `explain` objects: what was asked, and how it was answered.

#include <optional>
#include <string>

#include "cli/output/json.h"
#include "cli/settings/config.h"
#include "query/types/search_types.h"
#include "query/types/store_types.h"

namespace recall {

// A question as its answer repeats it.
struct Question {
  std::string text;                // "" for a query that ranks nothing
  std::optional<std::string> rql;  // canonical
  std::optional<int64_t> limit;    // unset for a context, which takes as many as fit
  int64_t offset = 0;
  LexicalMode lexical_mode = LexicalMode::kQuery;
  std::string snapshot;                  // as the user gave it, "" when not given
  std::optional<SearchMode> mode;        // unset: nothing is ranked
  std::optional<FusionWeights> weights;  // unset: the embedder's
  RankingChoice ranking;
  bool exact = false;

  // What a search or a context asks; `limit` stays unset.
  static Question FromRequest(const SearchRequest& request);
  // The same with limit and offset.
  static Question OfPage(const SearchRequest& request);
};

// "default", "weighted", "rrf".
const char* FusionName(FusionMethod fusion);

Json QueryJson(const Question& question, const AnswerFacts& facts);

// With the settings that were in force.
Json ExplainJson(const Question& question, const AnswerFacts& facts, const StatsReport& store,
                 const Config& config);

}  // namespace recall
