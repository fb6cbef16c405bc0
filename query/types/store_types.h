#pragma once

// Requests and reports of operations that change or describe a store as a whole: remove, compact,
// embed and stats.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/write/training/training_progress.h"
#include "query/types/document_scope.h"
#include "query/types/store_summary.h"
#include "storage/base/clock.h"
#include "storage/tables/store_facts.h"

namespace recall {

// ---- Remove -----------------------------------------------------------------------------------

struct RemoveRequest {
  // Paths, directories, document ids, or unique prefixes of ids (at least 4 digits).
  std::vector<std::string> targets;
  bool purge = false;  // also delete the data of all removed documents and rewrite the file
  bool dry_run = false;
  // Instead of targets: all documents that satisfy this filter (with as_of for its dates).
  Scope scope;
};

struct RemoveReport {
  struct Item {
    std::string id;
    std::string path;
  };
  std::vector<Item> removed;
  std::vector<std::string> not_found;  // targets that matched nothing
  std::string filter;                  // canonical text; "" without a filter
  std::optional<UnixNanos> as_of;      // set if the filter depends on it
  std::vector<std::string> warnings;
  int64_t purged_docs = 0;
  int64_t purged_chunks = 0;
};

// ---- Compact ----------------------------------------------------------------------------------

struct CompactRequest {
  // Commits that were the newest one at some moment within this time remain readable by token.
  int64_t keep_nanos = 86'400'000'000'000;
  // Keep no older state, and train models again from the remaining documents, because a model
  // contains terms of the purged ones.
  bool forget = false;
  // In addition, fail unless no byte of purged data is left in the file and its write-ahead log.
  bool secure = false;
};

struct CompactProgress {
  std::string_view doing;  // the stage, as "deleting documents"
  int64_t done = 0;        // of `total` chunks
  int64_t total = 0;       // 0: unknown
  // Set while derived data is computed.
  std::optional<DerivedDataProgress> derived = {};
};
// Called when a stage begins and after each of its steps.
using CompactProgressFn = std::function<void(const CompactProgress&)>;

struct CompactReport {
  int64_t expired_snapshots = 0;  // commits that were readable before and are not any more
  std::string oldest_snapshot;    // token of the oldest readable commit
  int64_t purged_docs = 0;
  int64_t purged_chunks = 0;
  int64_t segments_before = 0;
  int64_t segments_after = 0;
  int64_t bytes_before = 0;  // size of the file
  int64_t bytes_after = 0;
  StoreSummary store;
};

// ---- Embed ------------------------------------------------------------------------------------

struct EmbedRequest {
  std::string embedder;  // "lsa", "hash", or the name of one of OpenOptions::embedders
  bool again = false;    // even if the store already has vectors of this embedder
  // With "lsa": the path of the store whose model is adopted; "": a model is trained on the texts
  // of this store.
  std::string model_of = {};
  uint32_t threads = 0;  // 0: one per core
};

// The number of chunks with a new vector, and of all chunks; both 0 during training.
using EmbedProgressFn = std::function<void(int64_t done, int64_t chunks)>;

struct EmbedReport {
  std::string embedder;
  std::string version;
  uint32_t dim = 0;
  int64_t chunks = 0;    // chunks that got a vector in this call
  int64_t resumed = 0;   // chunks that got a vector in an interrupted call
  bool already = false;  // the store already had these vectors
};

// ---- Stats ------------------------------------------------------------------------------------

struct StatsReport {
  StoreSummary store;
  std::string path;
  std::string uuid;
  std::string embedder;
  int64_t dim = 0;
  int64_t chunk_tokens = 0;
  int64_t overlap_tokens = 0;
  int64_t ann_bits = 0;
  uint64_t ann_seed = 0;
  std::string notes_dir;       // as in CreateOptions
  int64_t schema_version = 0;  // the format of the file, which may be older than the program's
  // Whether the next write trains a model, because there is none, or it has fewer than half of the
  // chunks: an ingest was interrupted. False where `tells_file` is.
  bool model_due = false;
  bool shared_model = false;  // the model was adopted from another store, and is not trained here
  // Whether the following numbers, which are of the whole file, are told; if not, they are 0,
  // because they would tell of documents that are hidden.
  bool tells_file = true;
  int64_t removed_docs = 0;
  int64_t removed_chunks = 0;
  int64_t segments = 0;
  int64_t segment_vectors = 0;
  int64_t mapped_segments = 0;
  int64_t delta_vectors = 0;
  int64_t wal_bytes = 0;
};

}  // namespace recall
