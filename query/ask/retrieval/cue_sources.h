#pragma once

#include "query/ask/retrieval/candidate_pool.h"
#include "query/ask/retrieval/reranked_window.h"
#include "query/ask/rows/views.h"

namespace recall {

// What the cues are read from: the steps before, and the ranking that they lead to.
struct CueSources {
  const Snapshot& snapshot;
  const RetrievalPlan& plan;
  const RetrieverHits& hits;
  const CandidatePool& pool;
  const RerankedWindow* window;  // null without reranking
  Tokenizer& tokenizer;
  RowReader& rows;
};

}  // namespace recall
