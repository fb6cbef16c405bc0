#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "index/ingest/document_builder.h"
#include "storage/store.h"

namespace recall {

struct IngestCounts {
  int64_t added = 0;
  int64_t updated = 0;
  int64_t refreshed = 0;
  int64_t unchanged = 0;
  int64_t skipped = 0;
  int64_t failed = 0;
  int64_t chunks = 0;
  int64_t bytes = 0;  // of text written
  std::vector<std::string> warnings;
  bool cancelled = false;
};

// Files and bytes looked at so far.
using IngestProgressFn = std::function<void(int64_t files, int64_t bytes)>;

// Brings the store up to date with the files, in their order, in batches of a size that depends
// only on the files: the store is the same for any number of threads. What was committed stays
// when a later batch fails or *cancel becomes true. Counts are of committed work.
// Errors: those of the embedder and the store; not of files, which are counted.
// Memory: in-flight text is bounded, so it does not grow with the number of files.
Result<IngestCounts> IngestFiles(Store& store, const std::vector<FoundFile>& files,
                                 const BuildOptions& options, size_t threads,
                                 const std::atomic<bool>& cancel, const IngestProgressFn& progress);

// The vector space of the newest commit, ready to embed. Errors: those of EmbeddingSpace::Load.
Result<std::shared_ptr<const EmbeddingSpace>> OpenSpace(Store& store,
                                                        const EmbedderProvider* embedders);

}  // namespace recall
