#pragma once

#include <atomic>

#include "index/embed/embedder/embedder_source.h"
#include "query/types/answer_facts.h"
#include "storage/store/store.h"

namespace recall {

// What a ranking of documents needs, and is made before the answer where it is missing: a model of
// the texts, which an interrupted ingest did not train, and vectors of chunks. Both only in stores
// of at most kMostChunksToRebuild chunks, in which that takes seconds.
inline constexpr int64_t kMostChunksToRebuild = 200'000;

// `store`: may be open for reading only; another connection writes. Errors: Busy if another process
// is writing; Unsupported if the store is too large; those of opening the store for writing, of
// training and of the embedder.

// Trains the model if that is due, and sets rebuilt->model.
Status TrainDueModel(Store& store, const std::atomic<bool>& cancelled, uint32_t threads,
                     RebuiltParts* rebuilt);
// Computes the vectors of all chunks again, and sets rebuilt->vectors.
Status RefillVectors(Store& store, const EmbedderProvider* embedders,
                     const std::atomic<bool>& cancelled, uint32_t threads, RebuiltParts* rebuilt);

// Says in the warnings of an answer what was made, and what is missing still. `failed`: why it
// could not be made.
void ReportRebuilt(const RebuiltParts& rebuilt, const Status& failed, AnswerFacts& facts);

}  // namespace recall
