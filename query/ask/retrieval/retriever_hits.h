#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "query/ask/retrieval/retrieval_plan.h"

namespace recall {

// The chunks that the retrievers propose for a plan.
struct RetrieverHits {
  // All matches of the lexical query. Null: the lexical retriever did not run.
  std::unique_ptr<const LexicalCandidates> lexical;
  // The vectors of the store; they also give the cosines of chunks that were not proposed. Null:
  // the semantic retriever did not run.
  std::unique_ptr<const SemanticCandidates> vectors;
  std::vector<RetrieverHit> semantic;  // the proposals of the semantic retriever, by chunk rowid
  bool semantic_cut = false;           // the list was cut off and may be incomplete
  double semantic_floor = 0;           // no chunk outside `semantic` counts with a higher cosine
  // The chunks with a word of RetrievalPlan::hashed_words; unset if the plan has none.
  std::optional<Bitmap> worded;
  // Statistics of the vector search.
  uint64_t vectors_scanned = 0;
  uint64_t vectors_reranked = 0;
  bool vectors_exact = true;
  std::vector<StageTiming> timings;

  // Set if the lexical query has +must or -not clauses, which also restrict the semantic retriever:
  // the chunks that contain every +must clause; and all excluded chunks, those of -not clauses
  // among them.
  std::optional<Bitmap> required;
  std::optional<Bitmap> removed;

  // The filter that the semantic retriever applied. Valid as long as the plan and this object.
  ChunkFilter filter(const RetrievalPlan& plan) const;
  uint64_t matches() const { return lexical ? lexical->count() : 0; }
  double score_upper_bound() const { return lexical ? lexical->score_upper_bound() : 0; }
  // Null if the semantic retriever does not propose the chunk.
  const RetrieverHit* FindSemantic(uint32_t chunk) const;

  // As the functions of LexicalCandidates; without matches if the lexical retriever did not run.
  Result<std::vector<RetrieverHit>> TopLexical(size_t count) const;
  Result<std::vector<RetrieverHit>> LexicalAtLeast(double score) const;
  Result<std::vector<double>> LexicalScores(std::span<const uint32_t> chunks) const;
};

// Runs the retrievers of the plan. The plan must outlive the result. Errors: Corruption, and those
// of the connection to the store.
Result<RetrieverHits> RunRetrievers(const RetrievalPlan& plan);

// Returns: the number of chunks that at least one retriever proposes.
Result<int64_t> CountProposed(const RetrieverHits& hits);

}  // namespace recall
