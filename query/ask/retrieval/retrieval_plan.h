#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/embed/vector_space/vector_space.h"
#include "index/search/bitmap/bitmap.h"
#include "index/search/lexical_query/lexical_query.h"
#include "index/search/snapshot/snapshot.h"
#include "query/ask/cues/cue_weights.h"
#include "query/ask/retrieval/query_tools.h"
#include "query/types/search_types.h"

namespace recall {

// A lexical query that the program synthesised, used instead of the text of a request.
struct SynthesizedQuery {
  LexicalQuery words;
  Bitmap unseen;  // chunks that are excluded like removed ones
};

// What is searched, and how. All that a request leaves open is decided here; later steps read only
// the plan.
struct RetrievalPlan {
  SearchMode mode = SearchMode::kHybrid;
  bool lexical = false;   // whether the lexical retriever runs
  bool semantic = false;  // whether the semantic retriever runs; false if the store has no vectors
  FusionMethod fusion =
      FusionMethod::kDefault;  // kDefault unless both retrievers run, or FusesParts
  size_t leg_depth = 0;        // as in RankingChoice
  FusionWeights weights;
  PartWeights parts;  // of a fusion that FusesParts
  // Set if cues change the ranking: the text is a user's question, and the formulas are ours.
  std::optional<CueWeights> cues;

  std::unique_ptr<const SearchIndexes> indexes;
  LexicalQuery query;
  const VectorSpace* space = nullptr;  // prepares the vector; set if `semantic`
  VectorQuery vector;                  // set if `semantic`

  const Bitmap* allowed = nullptr;  // the chunks that satisfy the filter; null: no filter
  std::optional<Bitmap> removed;    // removed and excluded chunks; unset: those of the indexes
  int64_t chunks = 0;               // live chunks of the store

  // The minimum cosine of a chunk that only the semantic retriever proposes, exclusive.
  float noise_floor = 0;
  bool exact = false;
  size_t threads = 1;
  bool parallel = false;                    // the retrievers run at the same time
  const StageListener* on_stage = nullptr;  // may be null

  // Set if the store has too few texts for a model, so that its vectors are hashes of words: the
  // words of which the vector was made. A chunk that matches none of them has a cosine by chance.
  std::optional<LexicalQuery> hashed_words;

  // Why a semantic search has no vector to compare with; "" if it has one.
  std::string why_no_vector;

  std::vector<std::string> warnings;
  std::vector<StageTiming> timings;

  bool hybrid() const { return lexical && semantic; }
  // Whether scores are shares of the maxima of the best candidates: the first stage of the default.
  bool scales_by_best() const {
    return fusion == FusionMethod::kDefault || fusion == FusionMethod::kWithoutReranking;
  }
  // Whether the query has +must or -not clauses, which restrict every retriever.
  bool has_operators() const;
  // The filter that both retrievers apply before they select their best. Valid as long as the plan.
  ChunkFilter filter() const;
  // The maximum number of chunks that the semantic retriever proposes if only `selection` is
  // searched; null: all chunks.
  size_t MostSemanticHits(const Bitmap* selection) const;
};

// Checks the request, opens the indexes, and parses and embeds the query. `made`: null, or the
// lexical query to use; the semantic retriever embeds the request's text in either case. All
// arguments must outlive the plan. The plan may be moved until the retrievers run, but not
// afterwards. Errors: InvalidArgument if the query vector does not fit the store; those of the
// embedder; Corruption.
Result<std::unique_ptr<RetrievalPlan>> MakeRetrievalPlan(const Snapshot& snapshot,
                                                         const QueryDependencies& deps,
                                                         const SearchRequest& request,
                                                         const Bitmap* allowed,
                                                         const SynthesizedQuery* made);

// Replaces the lexical query of a plan, and the vector by that of `semantic_text`, unless this is
// unset or the embedding is user-supplied. Requires: nothing refers to the plan; if the retrievers
// have run, their hits were destroyed. Errors: those of the embedder.
Status ReplaceQuery(const QueryDependencies& deps, LexicalQuery query,
                    const std::optional<std::string>& semantic_text, RetrievalPlan& plan);

}  // namespace recall
