#pragma once

#include "index/search/snapshot/snapshot.h"
#include "query/ask/retrieval/parts_ranking.h"
#include "query/ask/retrieval/retrieval_plan.h"
#include "query/ask/retrieval/retriever_hits.h"

namespace recall {

// Ranks documents, each by its best chunk and by its own vector: the fusion `grouped`. The ranking
// has one chunk of each document. Errors: Corruption, and those of the connection to the store.
Result<PartsRanking> RankGrouped(const Snapshot& snapshot, const RetrievalPlan& plan,
                                 const RetrieverHits& hits);

// The first chunk of each document that passes the filter (null: of every document), ascending.
Result<std::vector<uint32_t>> FirstChunks(const Snapshot& snapshot, const Bitmap* allowed);

}  // namespace recall
