#include "index/write/ingest/ingest.h"

#include <deque>
#include <memory>
#include <unordered_set>
#include <utility>

#include "index/write/ingest/extracted_document.h"
#include "storage/base/ordered_pipeline.h"

namespace recall {
namespace {

// The pipeline of an ingest:
//
//   IngestSource --Feed--> OrderedPipeline (workers: read, chunk, tokenise, embed, compress)
//                              |  in the order of the source
//                          Gather --> batch (16 MiB of text or 8,192 documents) --> WriteBatch
//
// SQLite has one writer, so only the preparation is parallel. The results come back in the order of
// the source, and batches are cut by the documents alone. The same source therefore makes the same
// store for any number of threads.
//
// Memory: the bytes in flight are bounded (limits.in_flight_bytes), and so is their number; a
// document larger than the bound is processed alone. Feed() waits until half of the bound is free
// and then looks up the live versions of many documents in one read transaction.
//
// Repeated paths: a JSON Lines file or an archive may contain a path twice. The live version of the
// second document is known only after the first one is written. `under_way_` contains the paths in
// flight and in the batch; Feed() drains the pipeline and flushes before it submits a path again.
//
// Errors: a faulty document is counted and the ingest continues. An error of the source, or too
// many failures, ends the ingest after the batch so far is committed. An error of the embedder
// flushes and ends. Cancelling drops the current batch. Committed batches always stay.

using Outcome = PreparedDocument::Outcome;

// A batch is committed at this size. Larger batches make fewer, larger segments and FTS5 runs, and
// rewrite the pages of indexes by id less often; smaller ones lose less if the process is killed.
constexpr int64_t kBatchBytes = 16 << 20;
constexpr size_t kBatchDocuments = 8192;
constexpr size_t kInFlightDocuments = 4096;

struct BuildJob {
  IngestSource::Item item;
  std::optional<DocRow> live;
};

// The state of one worker. std::function requires that it can be copied; copies share the builder.
class BuildWorker final {
 public:
  BuildWorker(const std::shared_ptr<const EmbeddingSpace>& space, uint32_t tokenizer_version)
      : terms_(std::make_shared<TermBuilder>(space, tokenizer_version)) {}

  PreparedDocument operator()(BuildJob job) { return job.item.make(job.live, *terms_); }

 private:
  std::shared_ptr<TermBuilder> terms_;
};

using BuildPipeline = OrderedPipeline<BuildJob, PreparedDocument, BuildWorker>;

// The loop that feeds the workers, gathers their results, and writes them.
class Ingest final {
 public:
  Ingest(WritableStore& store, IngestSource& source, const BuildOptions& options,
         const IngestLimits& limits, bool supplied_space, BuildPipeline& pipeline,
         IngestCounts& counts)
      : store_(store),
        source_(source),
        options_(options),
        limits_(limits),
        keeps_vectors_(store.settings().embedder == kUserSuppliedEmbedder),
        supplied_space_(supplied_space),
        pipeline_(pipeline),
        counts_(counts) {}

  Status Run(const std::atomic<bool>& cancel, const IngestProgressFn& progress) {
    int64_t documents = 0;
    int64_t bytes = 0;
    while (!cancel.load(std::memory_order_relaxed)) {
      counts_.gave_up = limits_.max_failures > 0 && counts_.failed >= limits_.max_failures;
      if (counts_.gave_up) return Flush();
      RECALL_TRY(Feed());
      if (pipeline_.pending() == 0) break;
      PreparedDocument prepared = pipeline_.Take();
      const InFlight taken = std::move(in_flight_.front());
      in_flight_.pop_front();
      in_flight_bytes_ -= taken.bytes;
      documents += 1;
      bytes += taken.source_bytes;
      RECALL_TRY(Gather(std::move(prepared), taken.path));
      if (progress) progress(counts_, documents, bytes);
    }
    counts_.cancelled = cancel.load(std::memory_order_relaxed) ||
                        counts_.source_fault.code() == StatusCode::kCancelled;
    return counts_.cancelled ? Status::Ok() : Flush();
  }

 private:
  struct InFlight {
    std::string path;  // set only if paths may repeat
    int64_t bytes;
    int64_t source_bytes;
  };

  // Submits documents within the bounds; a document larger than them is processed alone. Waits
  // until half of the documents in flight are done, so that one read transaction serves many
  // look-ups.
  Status Feed() {
    const bool busy = in_flight_bytes_ > limits_.in_flight_bytes / 2 ||
                      pipeline_.pending() > kInFlightDocuments / 2;
    if (busy && pipeline_.pending() > 0) return Status::Ok();
    std::unique_ptr<const Snapshot> present;
    while (HasNext()) {
      const size_t pending = pipeline_.pending();
      const bool fits = in_flight_bytes_ + next_->bytes <= limits_.in_flight_bytes &&
                        pending < kInFlightDocuments;
      if (pending > 0 && !fits) break;
      if (source_.repeats_paths() && under_way_.contains(next_->path)) {
        // The live version at that path is known only after the earlier document is written.
        if (pending > 0) break;
        RECALL_TRY(Flush());
        present.reset();
      }
      if (!present) {
        RECALL_ASSIGN(present, store_.BeginRead());
      }
      RECALL_TRY(Submit(present->texts()));
    }
    return Status::Ok();
  }

  // Reads one document ahead. An error of the source is kept until the preceding documents are
  // written.
  bool HasNext() {
    if (next_ || at_end_) return next_.has_value();
    auto next = source_.Next();
    if (next) {
      next_ = std::move(*next);
    } else {
      counts_.source_fault = next.error();
    }
    at_end_ = !next_;
    return next_.has_value();
  }

  Status Submit(const TextsAndFacts& present) {
    std::optional<DocRow> live;
    if (!next_->path.empty()) {
      RECALL_ASSIGN(live, present.FindDoc(next_->path));
    }
    if (live && keeps_vectors_) {
      RECALL_ASSIGN(live->supplied_vector, present.ReadSuppliedVector(live->row));
    }
    if (live) {
      RECALL_ASSIGN(live->extraction, present.ReadExtraction(live->row));
      if (options_.rechunk) {
        RECALL_ASSIGN(live->grammar, present.ReadGrammar(live->row));
      }
    }
    in_flight_bytes_ += next_->bytes;
    in_flight_.push_back({{}, next_->bytes, next_->source_bytes.value_or(next_->bytes)});
    if (source_.repeats_paths() && !next_->path.empty()) {
      in_flight_.back().path = next_->path;
      under_way_.insert(next_->path);
    }
    pipeline_.Submit({*std::move(next_), std::move(live)});
    next_.reset();
    return Status::Ok();
  }

  Status Gather(PreparedDocument prepared, const std::string& path) {
    if (!prepared.embedding.ok()) {
      RECALL_TRY(Flush());
      return std::move(prepared.embedding);
    }
    std::vector<PreparedDocument> attached = std::move(prepared.attached);
    RECALL_TRY(GatherOne(std::move(prepared), path));
    for (PreparedDocument& file : attached) RECALL_TRY(GatherAttached(std::move(file)));
    return Status::Ok();
  }

  // An attached file was prepared without regard to the store. If the store has the same document,
  // nothing is written.
  Status GatherAttached(PreparedDocument file) {
    if (file.outcome == Outcome::kAdded) {
      RECALL_ASSIGN(const auto present, store_.BeginRead());
      RECALL_ASSIGN(std::optional<DocRow> live, present->texts().FindDoc(file.doc.path));
      if (live) {
        RECALL_ASSIGN(live->extraction, present->texts().ReadExtraction(live->row));
        const bool same = live->hash == file.doc.hash && live->parser == file.doc.parser &&
                          live->extraction == file.doc.extraction;
        file.outcome = same ? Outcome::kUnchanged : Outcome::kUpdated;
      }
    }
    return GatherOne(std::move(file), "");
  }

  Status GatherOne(PreparedDocument prepared, const std::string& path) {
    for (DocumentRemark& remark : prepared.remarks) counts_.Note(std::move(remark));
    if (prepared.stays_in_store) counts_.Keep(prepared.fault.path);
    counts_.Add(std::move(prepared.secrets));
    switch (prepared.outcome) {
      case Outcome::kUnchanged:
        ++counts_.unchanged;
        break;
      case Outcome::kSkipped:
        counts_.Skip(std::move(prepared.fault));
        break;
      case Outcome::kFailed:
        counts_.Fail(std::move(prepared.fault));
        break;
      case Outcome::kAdded:
      case Outcome::kUpdated:
      case Outcome::kRefreshed:
        batch_bytes_ += prepared.doc.size;
        batch_.push_back(std::move(prepared));
        const bool full = batch_bytes_ >= kBatchBytes || batch_.size() >= kBatchDocuments;
        return full ? Flush() : Status::Ok();
    }
    if (source_.repeats_paths()) under_way_.erase(path);
    return Status::Ok();
  }

  Status Flush() {
    if (batch_.empty()) return Status::Ok();
    if (!options_.dry_run) RECALL_TRY(Write());
    for (const PreparedDocument& prepared : batch_) {
      Count(prepared);
      if (source_.repeats_paths()) under_way_.erase(prepared.doc.path);
    }
    batch_.clear();
    batch_bytes_ = 0;
    return Status::Ok();
  }

  Status Write() {
    RECALL_ASSIGN(const auto batch, store_.BeginBatch());
    for (PreparedDocument& prepared : batch_) {
      RECALL_TRY(batch->Put(prepared));
      prepared.ReleaseContent();
    }
    return batch->Commit();
  }

  void Count(const PreparedDocument& prepared) {
    if (prepared.outcome == Outcome::kRefreshed) {
      ++counts_.refreshed;
      return;
    }
    ++(prepared.outcome == Outcome::kAdded ? counts_.added : counts_.updated);
    if (prepared.doc.extraction) counts_.Extracted(prepared.doc);
    counts_.chunks += static_cast<int64_t>(prepared.spans.size());
    counts_.without_vector += supplied_space_ && prepared.doc.supplied_vector.empty() ? 1 : 0;
    counts_.bytes += prepared.doc.size;
  }

  WritableStore& store_;
  IngestSource& source_;
  const BuildOptions& options_;
  const IngestLimits& limits_;
  const bool keeps_vectors_;   // the store keeps user-supplied embeddings
  const bool supplied_space_;  // and they are in the active space
  BuildPipeline& pipeline_;
  IngestCounts& counts_;
  std::optional<IngestSource::Item> next_;
  bool at_end_ = false;
  std::deque<InFlight> in_flight_;  // parallel to the pipeline's queue
  int64_t in_flight_bytes_ = 0;
  std::vector<PreparedDocument> batch_;
  int64_t batch_bytes_ = 0;
  // The paths in flight and in the batch, if paths may repeat.
  std::unordered_set<std::string> under_way_;
};

// Returns: ".gz" for "a/b.tar.GZ"; "" for "Makefile" and ".bashrc".
std::string SuffixOf(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t dot = name.rfind('.');
  if (dot == name.npos || dot == 0) return {};
  std::string suffix(name.substr(dot));
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return suffix;
}

template <typename Item>
void Report(Item item, std::vector<Item>* items) {
  if (items->size() < IngestCounts::kMaxReported) items->push_back(std::move(item));
}

}  // namespace

void IngestCounts::Skip(DocumentFault fault) {
  ++skipped;
  ++skipped_by[{fault.skip, SuffixOf(fault.path)}];
  Report(std::move(fault), &skips);
}

void IngestCounts::Extracted(const DocRow& doc) {
  const ExtractionRow& row = *doc.extraction;
  if (row.format == kDecodedFormat) {
    ++decoded[CharsetOf(row)];
    return;
  }
  ++extracted[row.outcome];
  if (row.outcome != "text") {
    Report(DocumentWithoutText{doc.path, row.outcome, row.reason}, &without_text);
  }
}

void IngestCounts::Fail(DocumentFault fault) {
  ++failed;
  Report(std::move(fault), &failures);
}

void IngestCounts::Add(std::vector<DocumentSecret> found) {
  secrets_found += static_cast<int64_t>(found.size());
  for (DocumentSecret& secret : found) Report(std::move(secret), &secrets);
}

void IngestCounts::Keep(std::string path) {
  ++kept_with_secrets_found;
  Report(std::move(path), &kept_with_secrets);
}

void IngestCounts::Note(DocumentRemark remark) {
  ++remarks_made;
  Report(std::move(remark), &remarks);
}

Status IngestDocuments(WritableStore& store, const std::shared_ptr<const EmbeddingSpace>& space,
                       IngestSource& source, const BuildOptions& options,
                       const IngestLimits& limits, const std::atomic<bool>& cancel,
                       const IngestProgressFn& progress, IngestCounts* counts) {
  BuildPipeline pipeline(std::max<size_t>(limits.threads, 1),
                         [&] { return BuildWorker(space, store.settings().tokenizer_version); });
  return Ingest(store, source, options, limits, space->is_user_supplied(), pipeline, *counts)
      .Run(cancel, progress);
}

}  // namespace recall
