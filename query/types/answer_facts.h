#pragma once

// The part of an answer that all kinds of queries share: everything but the rows.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/types/explanations.h"
#include "query/types/row_views.h"
#include "query/types/store_summary.h"
#include "storage/base/clock.h"

namespace recall {

// A word of a query that no chunk contains, and the words that were searched for instead.
struct WordExpansion {
  std::string word;                // folded
  std::vector<std::string> terms;  // as a chunk contains them, folded; the most similar first

  bool operator==(const WordExpansion&) const = default;
};

// A word or several words of a query, and the synonyms of it that the user has named.
struct QuerySynonyms {
  std::string word;
  std::vector<std::string> terms;

  bool operator==(const QuerySynonyms&) const = default;
};

// A plain word of a query, and words of the store that mean nearly the same and counted, too.
struct RelatedWords {
  std::string word;                // folded
  std::vector<std::string> terms;  // as the lexicon writes them; the nearest first

  bool operator==(const RelatedWords&) const = default;
};

struct StageTiming {
  std::string
      name;  // "open", "embed", "lexical", "semantic", "fuse", "rerank", "stages", "assemble"
  int64_t micros = 0;
};

// A document that a link of a hit leads to, and that is no hit of the answer itself.
struct RelatedDoc {
  double score = 0;  // that of the hit, times the decay of the stage and the weight of the link
  DocView doc;
  std::string via;       // the path of the hit's document
  std::string relation;  // of the link
  double weight = 1;
};

// What was missing in the store, and was made before it answered.
struct RebuiltParts {
  int64_t vectors = 0;  // of chunks
  bool model = false;   // the model of the LSA embedder, and the vectors with it
};

// The part of an answer that all queries share: everything but the rows.
struct AnswerFacts {
  int64_t total_hits = 0;  // rows of the whole result, regardless of LIMIT and OFFSET
  bool total_hits_is_lower_bound = false;
  std::optional<int64_t> next_offset;              // offset of the next page, if there is one
  std::string filter;                              // canonical text of the filter; "" without one
  std::optional<UnixNanos> as_of;                  // set if the answer depends on it
  std::vector<WordExpansion> expansions;           // of words of the query that no chunk contains
  std::vector<QuerySynonyms> synonyms;             // of words of the query that have some
  std::vector<RelatedWords> related_words;         // of words of the query that have some
  std::optional<std::vector<RelatedDoc>> related;  // set by the stage `hops`, best first
  std::optional<SearchExplain> explain;
  std::optional<RebuiltParts> rebuilt;
  // The number of chunks without the vector that the ranking needs; then words alone rank.
  int64_t chunks_without_vector = 0;
  std::vector<StageTiming> timings;
  std::vector<std::string> warnings;
  StoreSummary store;
};

}  // namespace recall
