#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "index/ingest/document_builder.h"
#include "index/ingest/ingest_source.h"
#include "index/ingest/memory_plan.h"
#include "storage/store/store.h"

namespace recall {

struct IngestCounts {
  int64_t added = 0;
  int64_t updated = 0;
  int64_t refreshed = 0;
  int64_t unchanged = 0;
  int64_t skipped = 0;
  int64_t failed = 0;
  int64_t chunks = 0;
  int64_t bytes = 0;                    // of text written
  int64_t without_vector = 0;           // written into a store that is given its vectors
  std::vector<DocumentFault> skips;     // the first kMaxReported
  std::vector<DocumentFault> failures;  // the first kMaxReported
  bool cancelled = false;
  bool gave_up = false;  // after as many failures as were allowed
  Status source_fault;   // what ended the source before its end

  // So that a job of any length is reported in bounded memory; counts are always exact.
  static constexpr size_t kMaxReported = 10'000;
  void Skip(DocumentFault fault);
  void Fail(DocumentFault fault);
};

struct IngestLimits {
  size_t threads = 1;
  int64_t max_failures = 0;  // ends when so many have failed; 0: never
  // Bytes of documents under way between source and store; a larger one goes alone.
  int64_t in_flight_bytes = PlanMemory(kDefaultMemory).in_flight_bytes;
};

// What is done so far, how many documents and how many bytes of the source (see Item) that is.
using IngestProgressFn =
    std::function<void(const IngestCounts& counts, int64_t documents, int64_t bytes)>;

// Brings the store up to date with the documents of the source, in their order, in batches of a
// size that depends only on them: the store is the same for any number of threads. Of two with one
// path the later counts. What was committed stays when a later batch fails or *cancel becomes true;
// when the source fails or too many documents do, what came before is committed. Adds to *counts,
// which are of committed work.
// Errors: those of the embedder and the store; not of documents, which are counted.
// Memory: what is in flight is bounded (memory_plan.h), so it does not grow with the number of
// documents.
Status IngestDocuments(Store& store, IngestSource& source, const BuildOptions& options,
                       const IngestLimits& limits, const std::atomic<bool>& cancel,
                       const IngestProgressFn& progress, IngestCounts* counts);

// The vector space of the newest commit, ready to embed. Errors: those of EmbeddingSpace::Load.
Result<std::shared_ptr<const EmbeddingSpace>> OpenSpace(Store& store,
                                                        const EmbedderProvider* embedders);

}  // namespace recall
