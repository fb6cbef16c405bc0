#pragma once

// The JSON objects `query` and `explain` of an answer: the question, and how it was answered.

#include <optional>
#include <string>

#include "cli/options/settings/config.h"
#include "query/types/search_types.h"
#include "query/types/store_types.h"
#include "storage/base/json_writer.h"

namespace recall {

// A question, as the object `query` of its answer repeats it.
struct Question {
  std::string text;                // "" if nothing is ranked
  std::optional<std::string> rql;  // canonical text of an RQL query
  std::optional<int64_t> limit;    // unset for a context, which has a budget instead
  int64_t offset = 0;
  LexicalMode lexical_mode = LexicalMode::kQuery;
  std::string snapshot;                  // as in the request; "" if it has none
  std::optional<SearchMode> mode;        // unset: nothing is ranked
  std::optional<FusionWeights> weights;  // unset: the default weights
  RankingChoice ranking;
  bool exact = false;
  const View* view = nullptr;  // must outlive the object

  // Returns: the question of a search or a context; `limit` stays unset.
  static Question FromRequest(const SearchRequest& request);
  // Returns: the question of one page, with limit and offset.
  static Question OfPage(const SearchRequest& request);
};

// How a question was answered, with the settings that applied. All members must outlive the object.
struct Explanation {
  const Question& question;
  const AnswerFacts& facts;
  const StatsReport& store;
  const Config& config;
  std::string_view query_cache;  // as in Session

  const SearchExplain& search() const;  // an empty explanation if the answer has none
  // The weights that were used, or would be used if something were ranked.
  FusionWeights weights() const;
  // The requested snapshot, else the token of the commit that was searched.
  const std::string& snapshot() const;
};

// Returns: "structured" if nothing is ranked, else "lexical", "semantic" or "hybrid".
const char* ModeName(std::optional<SearchMode> mode);

// Writes name, origin and the values of a view.
void WriteFields(const View& view, JsonWriter& json);
void WriteQuery(const Question& question, const AnswerFacts& facts, JsonWriter& json);
void WriteExplain(const Explanation& explanation, JsonWriter& json);

}  // namespace recall
