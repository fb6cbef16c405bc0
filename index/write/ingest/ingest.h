#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "index/search/snapshot/writable_store.h"
#include "index/write/ingest/document_builder.h"
#include "index/write/ingest/ingest_source.h"
#include "index/write/ingest/memory_plan.h"
#include "index/write/ingest/outcome_counts.h"

namespace recall {

struct IngestCounts : OutcomeCounts {
  int64_t chunks = 0;
  int64_t bytes = 0;                 // of text written
  int64_t without_vector = 0;        // written without embedding to a space of user-supplied ones
  std::vector<DocumentFault> skips;  // the first kMaxReported
  // The number of all skipped documents, by reason and the suffix of their names (".png", in lower
  // case; "" if there is none).
  std::map<std::pair<SkipReason, std::string>, int64_t> skipped_by;
  // The number of documents that were extracted from files of other formats, by outcome, and those
  // that have no text with the reason (the first kMaxReported).
  std::map<std::string, int64_t> extracted;
  std::vector<DocumentWithoutText> without_text;
  std::map<std::string, int64_t> decoded;  // from other charsets than UTF-8, by charset
  std::vector<DocumentSecret> secrets;     // the first kMaxReported
  int64_t secrets_found = 0;
  std::vector<DocumentFault> failures;         // the first kMaxReported
  std::vector<std::string> kept_with_secrets;  // skipped, but in the store: the first kMaxReported
  int64_t kept_with_secrets_found = 0;
  std::vector<DocumentRemark> remarks;  // the first kMaxReported
  int64_t remarks_made = 0;
  bool cancelled = false;
  bool gave_up = false;  // stopped after max_failures failures
  Status source_fault;   // the error that ended the source early

  // Bounds the memory of reports; counts are always exact.
  static constexpr size_t kMaxReported = 10'000;
  void Skip(DocumentFault fault);
  void Fail(DocumentFault fault);
  void Extracted(const DocRow& doc);
  void Note(DocumentRemark remark);
  void Keep(std::string path);
  void Add(std::vector<DocumentSecret> found);
};

struct IngestLimits {
  size_t threads = 1;
  int64_t max_failures = 0;  // stops after this many failures; 0: never
  // Bytes of documents in flight between source and store; a larger document is processed alone.
  int64_t in_flight_bytes = PlanMemory(kDefaultMemory).in_flight_bytes;
};

// Called with the counts so far, and the documents and bytes of the source (see Item) processed so
// far.
using IngestProgressFn =
    std::function<void(const IngestCounts& counts, int64_t documents, int64_t bytes)>;

// Updates the store with the documents of the source, in their order, in batches that depend only
// on the documents: the store is the same for any number of threads. `space`: the active space,
// loaded. Of two documents with one path the later one wins. Committed batches stay if a later
// batch fails or *cancel becomes true; if the source fails or too many documents fail, the
// preceding documents are committed. Adds to *counts, which count committed work only. Errors:
// those of the embedder and the store. Faulty documents are not errors; they are counted. Memory:
// the bytes in flight are bounded (memory_plan.h), so memory does not grow with the number of
// documents.
Status IngestDocuments(WritableStore& store, const std::shared_ptr<const EmbeddingSpace>& space,
                       IngestSource& source, const BuildOptions& options,
                       const IngestLimits& limits, const std::atomic<bool>& cancel,
                       const IngestProgressFn& progress, IngestCounts* counts);

}  // namespace recall
