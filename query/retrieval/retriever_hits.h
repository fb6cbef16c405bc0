#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "query/retrieval/retrieval_plan.h"

namespace recall {

// What the retrievers propose for a plan.
struct RetrieverHits {
  // All matches of the lexical query. Null: the lexical retriever did not run.
  std::unique_ptr<const LexicalCandidates> lexical;
  // The vectors of the store, for cosines of further chunks. Null: the semantic retriever did not
  // run.
  std::unique_ptr<const SemanticCandidates> vectors;
  std::vector<RetrieverHit> semantic;  // what the semantic retriever proposes, by chunk rowid
  bool semantic_cut = false;           // it may have more
  double semantic_floor = 0;           // no chunk outside `semantic` counts for more
  // Statistics of the vector search.
  uint64_t vectors_scanned = 0;
  uint64_t vectors_reranked = 0;
  bool vectors_exact = true;
  std::vector<StageTiming> timings;

  // Set when the lexical query binds the semantic retriever: the chunks that its +must clauses
  // require, and all chunks that are left out, with those that its -not clauses exclude.
  std::optional<Bitmap> required;
  std::optional<Bitmap> removed;

  // The filter that the semantic retriever obeyed. Valid as long as both.
  ChunkFilter filter(const RetrievalPlan& plan) const;
  uint64_t matches() const { return lexical ? lexical->count() : 0; }
  double score_upper_bound() const { return lexical ? lexical->score_upper_bound() : 0; }
  // Null: the semantic retriever does not propose the chunk.
  const RetrieverHit* FindSemantic(uint32_t chunk) const;

  // Calls of `lexical`, of which there are no matches when it did not run.
  Result<std::vector<RetrieverHit>> TopLexical(size_t count) const;
  Result<std::vector<RetrieverHit>> LexicalAtLeast(double score) const;
  Result<std::vector<double>> LexicalScores(std::span<const uint32_t> chunks) const;
};

// Runs the retrievers of the plan. The plan must outlive the result.
Result<RetrieverHits> RunRetrievers(const RetrievalPlan& plan);

// The number of chunks that any retriever proposes.
Result<int64_t> CountProposed(const RetrieverHits& hits);

}  // namespace recall
