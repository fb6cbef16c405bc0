#include "index/ingest/ingest.h"

#include <memory>
#include <utility>

#include "index/ingest/batch_writer.h"
#include "index/ingest/ordered_pipeline.h"

namespace recall {
namespace {

using Outcome = PreparedDocument::Outcome;

// A batch is committed once it holds this much text or so many documents. Larger batches make
// fewer, larger segments and FTS5 runs; smaller ones lose less when the process is killed.
constexpr int64_t kBatchBytes = 8 << 20;
constexpr size_t kBatchDocuments = 4096;
// Text that may be with the workers or wait for the writer.
constexpr int64_t kInFlightBytes = 16 << 20;
constexpr size_t kInFlightFiles = 512;

struct Job {
  const FoundFile* file;
  std::optional<DocRow> live;
};

// One worker's state. Copyable for std::function's sake; the copies share the builder.
class BuildWorker final {
 public:
  BuildWorker(const std::shared_ptr<const EmbeddingSpace>& space, const BuildOptions* options)
      : options_(options), terms_(std::make_shared<TermBuilder>(space)) {}

  PreparedDocument operator()(Job job) {
    return BuildDocument(*job.file, job.live, *options_, *terms_);
  }

 private:
  const BuildOptions* options_;
  std::shared_ptr<TermBuilder> terms_;
};

using Pipeline = OrderedPipeline<Job, PreparedDocument, BuildWorker>;

// The loop that feeds workers, gathers what they built, and writes it.
class Ingest final {
 public:
  Ingest(Store& store, const std::vector<FoundFile>& files, const BuildOptions& options,
         BatchWriter& writer, Pipeline& pipeline)
      : store_(store), files_(files), options_(options), writer_(writer), pipeline_(pipeline) {}

  Status Run(const std::atomic<bool>& cancel, const IngestProgressFn& progress) {
    int64_t files_done = 0;
    int64_t bytes_done = 0;
    while (!cancel.load(std::memory_order_relaxed)) {
      RECALL_TRY(Feed());
      if (pipeline_.pending() == 0) return Flush();
      PreparedDocument prepared = pipeline_.Take();
      in_flight_bytes_ -= prepared.file_size;
      files_done += 1;
      bytes_done += prepared.file_size;
      RECALL_TRY(Gather(std::move(prepared)));
      if (progress) progress(files_done, bytes_done);
    }
    counts_.cancelled = true;
    return Status::Ok();
  }

  IngestCounts& counts() { return counts_; }

 private:
  // Keeps the workers busy within the bounds; a file larger than all of them goes alone. Waits
  // until half of what was in flight has come back: one look into the store then serves many files.
  Status Feed() {
    const bool busy =
        in_flight_bytes_ > kInFlightBytes / 2 || pipeline_.pending() > kInFlightFiles / 2;
    if (busy && pipeline_.pending() > 0) return Status::Ok();
    std::unique_ptr<ReadTransaction> transaction;
    while (next_ < files_.size()) {
      const FoundFile& file = files_[next_];
      const size_t pending = pipeline_.pending();
      const bool fits = in_flight_bytes_ + file.size <= kInFlightBytes && pending < kInFlightFiles;
      if (pending > 0 && !fits) break;
      if (!transaction) {
        RECALL_ASSIGN(transaction, store_.BeginRead());
      }
      RECALL_ASSIGN(auto live, FindLiveDoc(*transaction, file.doc_path));
      pipeline_.Submit({&file, std::move(live)});
      in_flight_bytes_ += file.size;
      ++next_;
    }
    return Status::Ok();
  }

  Status Gather(PreparedDocument prepared) {
    if (!prepared.embedding.ok()) {
      RECALL_TRY(Flush());
      return std::move(prepared.embedding);
    }
    if (!prepared.warning.empty()) counts_.warnings.push_back(std::move(prepared.warning));
    switch (prepared.outcome) {
      case Outcome::kUnchanged:
        ++counts_.unchanged;
        return Status::Ok();
      case Outcome::kSkipped:
        ++counts_.skipped;
        return Status::Ok();
      case Outcome::kFailed:
        ++counts_.failed;
        return Status::Ok();
      case Outcome::kAdded:
      case Outcome::kUpdated:
      case Outcome::kRefreshed:
        break;
    }
    batch_bytes_ += prepared.doc.size;
    batch_.push_back(std::move(prepared));
    const bool full = batch_bytes_ >= kBatchBytes || batch_.size() >= kBatchDocuments;
    return full ? Flush() : Status::Ok();
  }

  Status Flush() {
    if (batch_.empty()) return Status::Ok();
    if (!options_.dry_run) RECALL_TRY(writer_.Write(batch_));
    for (const PreparedDocument& prepared : batch_) Count(prepared);
    batch_.clear();
    batch_bytes_ = 0;
    return Status::Ok();
  }

  void Count(const PreparedDocument& prepared) {
    if (prepared.outcome == Outcome::kRefreshed) {
      ++counts_.refreshed;
      return;
    }
    ++(prepared.outcome == Outcome::kAdded ? counts_.added : counts_.updated);
    counts_.chunks += static_cast<int64_t>(prepared.spans.size());
    counts_.bytes += prepared.doc.size;
  }

  Store& store_;
  const std::vector<FoundFile>& files_;
  const BuildOptions& options_;
  BatchWriter& writer_;
  Pipeline& pipeline_;
  size_t next_ = 0;
  int64_t in_flight_bytes_ = 0;
  std::vector<PreparedDocument> batch_;
  int64_t batch_bytes_ = 0;
  IngestCounts counts_;
};

}  // namespace

Result<std::shared_ptr<const EmbeddingSpace>> OpenSpace(Store& store,
                                                        const EmbedderProvider* embedders) {
  RECALL_ASSIGN(const auto transaction, store.BeginRead());
  RECALL_ASSIGN(const auto space, EmbeddingSpace::Open(*transaction, embedders));
  RECALL_TRY(space->Load(transaction->connection()));
  return space;
}

Result<IngestCounts> IngestFiles(Store& store, const std::vector<FoundFile>& files,
                                 const BuildOptions& options, size_t threads,
                                 const std::atomic<bool>& cancel,
                                 const IngestProgressFn& progress) {
  // Fails here, before any thread starts, when the store's embedder is not to be had.
  RECALL_ASSIGN(const auto space, OpenSpace(store, options.embedders));
  BatchWriter writer(&store, space);
  Pipeline pipeline(std::max<size_t>(threads, 1),
                    [&space, &options] { return BuildWorker(space, &options); });

  Ingest ingest(store, files, options, writer, pipeline);
  RECALL_TRY(ingest.Run(cancel, progress));
  return std::move(ingest.counts());
}

}  // namespace recall
