#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/interface/snapshot.h"
#include "index/lexical_query/lexical_query.h"
#include "index/vector_space/vector_space.h"
#include "query/retrieval/query_tools.h"
#include "query/types/search_types.h"

namespace recall {

// A query that the program makes, in place of the text of a request.
struct SynthesizedQuery {
  LexicalQuery words;
  Bitmap unseen;  // chunks that are left out as if they were removed
};

// What will be searched, and how. Everything that a request leaves open is decided here: later
// steps read the plan and nothing of the request.
struct RetrievalPlan {
  SearchMode mode = SearchMode::kHybrid;
  bool lexical = false;                          // the retrievers that run
  bool semantic = false;                         // false as well while the store has no vectors
  FusionMethod fusion = FusionMethod::kDefault;  // kDefault unless both retrievers run
  FusionWeights weights;

  std::unique_ptr<const SearchIndexes> indexes;
  LexicalQuery query;
  VectorQuery vector;  // unset unless `semantic`

  const Bitmap* allowed = nullptr;  // the filter's chunks; null: no filter
  std::optional<Bitmap> removed;    // set when it is not the indexes' own
  int64_t chunks = 0;               // live chunks of the store

  // A chunk that only the semantic retriever proposes needs a higher cosine than this.
  float noise_floor = 0;
  bool exact = false;
  size_t threads = 1;
  bool parallel = false;  // the retrievers run at the same time

  std::vector<std::string> warnings;
  std::vector<StageTiming> timings;

  bool hybrid() const { return lexical && semantic; }
  // Both retrievers obey it before they choose their best. Valid as long as the plan.
  ChunkFilter filter() const;
  // How many chunks the semantic retriever may propose within a selection of chunks; null: all.
  size_t MostSemanticHits(const Bitmap* selection) const;
};

// Checks the request, opens the indexes, parses and embeds the question. `allowed` and all other
// arguments must outlive the plan. `made`, if given, is the lexical query; the semantic retriever
// embeds the request's text. The plan may be moved before the retrievers run, and not afterwards.
// Errors: InvalidArgument when the question's embedding does not fit the store; those of the
// embedder; Corruption.
Result<std::unique_ptr<const RetrievalPlan>> MakeRetrievalPlan(const Snapshot& snapshot,
                                                               const QueryTools& tools,
                                                               const SearchRequest& request,
                                                               const Bitmap* allowed,
                                                               const SynthesizedQuery* made);

}  // namespace recall
