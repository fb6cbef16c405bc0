#pragma once

// The `query` and `explain` objects: what was asked, and how it was answered.

#include <optional>
#include <string>

#include "cli/settings/config.h"
#include "query/types/search_types.h"
#include "query/types/store_types.h"
#include "storage/base/json_writer.h"

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

// How it was answered, with the settings that were in force. It views them.
struct Explanation {
  const Question& question;
  const AnswerFacts& facts;
  const StatsReport& store;
  const Config& config;

  const SearchExplain& search() const;  // one that tells nothing where nothing was explained
  FusionWeights weights() const;
  // What the answer is of: what the user pinned, else the commit that was found.
  const std::string& snapshot() const;
};

// "structured" where nothing is ranked, else "lexical", "semantic", "hybrid".
const char* ModeName(std::optional<SearchMode> mode);
// "default", "weighted", "rrf".
const char* FusionName(FusionMethod fusion);

void WriteQuery(const Question& question, const AnswerFacts& facts, JsonWriter& json);
void WriteExplain(const Explanation& explanation, JsonWriter& json);

}  // namespace recall
