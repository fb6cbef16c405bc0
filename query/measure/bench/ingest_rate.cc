// Measures the ingest of files into an empty store, and of the same files again, when all are
// unchanged.
//
// A child process creates the store with the settings of the benchmarked one, in a directory beside
// it, so that both are on the same disk. It takes the times itself and reports its peak memory.

#include "query/measure/bench/ingest_rate.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "index/embed/factory/builtin_embedders.h"
#include "query/database/database.h"
#include "query/measure/bench/measuring_child.h"
#include "query/measure/bench/wire.h"
#include "storage/base/clock.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

// A temporary directory beside the store; the destructor removes it with its contents.
class DirectoryBeside final {
 public:
  static Result<std::unique_ptr<DirectoryBeside>> Make(const std::string& file) {
    const fs::path parent = fs::path(file).parent_path();
    std::string name = (parent / ".recall-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) {
      return std::unique_ptr<DirectoryBeside>(new DirectoryBeside(std::move(name)));
    }
    return Fail(
        Status::IoError("cannot create a directory for a temporary store in " + parent.string() +
                            ": " + std::strerror(errno),
                        "measure a copy of the store (`recall backup`) in another directory"));
  }
  ~DirectoryBeside() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  DirectoryBeside(const DirectoryBeside&) = delete;
  DirectoryBeside& operator=(const DirectoryBeside&) = delete;
  const std::string& path() const { return path_; }

 private:
  explicit DirectoryBeside(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Creates an empty store with the settings of the benchmarked one.
Result<std::unique_ptr<Database>> MakeEmptyLike(const BenchRequest& request,
                                                const std::string& path) {
  OpenOptions options = request.open;
  options.read_only = true;
  RECALL_ASSIGN(const auto model, Database::Open(request.store_path, options));
  RECALL_ASSIGN(const StatsReport stats, model->Stats());
  CreateOptions settings;
  const auto dim = static_cast<uint32_t>(stats.dim);
  const bool own = CheckEmbedder(stats.embedder, dim).ok();
  if (own) settings.embedder = stats.embedder;
  if (own) settings.dim = dim;
  settings.chunk_tokens = static_cast<uint32_t>(stats.chunk_tokens);
  settings.overlap_tokens = static_cast<uint32_t>(stats.overlap_tokens);
  settings.ann_seed = stats.ann_seed;
  RECALL_ASSIGN(auto made, Database::Create(path, settings));
  made.reset();
  options.read_only = false;
  RECALL_ASSIGN(made, Database::Open(path, options));
  if (!own) RECALL_TRY(made->Embed({.embedder = stats.embedder}));
  return made;
}

void PutReport(const AddReport& report, WireWriter* out) {
  for (const int64_t count : {report.added, report.updated, report.refreshed, report.unchanged,
                              report.skipped, report.failed, report.chunks, report.bytes}) {
    out->Put(count);
  }
}

AddReport NextReport(WireReader* in) {
  AddReport report;
  for (int64_t* count : {&report.added, &report.updated, &report.refreshed, &report.unchanged,
                         &report.skipped, &report.failed, &report.chunks, &report.bytes}) {
    *count = in->Next();
  }
  return report;
}

Result<std::string> AddTwice(const BenchRequest& request, const std::string& path) {
  RECALL_ASSIGN(const auto database, MakeEmptyLike(request, path));
  AddRequest add;
  add.paths = request.ingest;
  add.threads = request.ingest_threads;
  WireWriter out;
  for (int run = 0; run < 2; ++run) {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(const AddReport report, database->Add(add));
    const int64_t micros = SteadyMicros() - start;
    PutReport(report, &out);
    out.Put(micros);
  }
  RECALL_ASSIGN(const StatsReport stats, database->Stats());
  out.Put(stats.store.db_size_bytes.value_or(0));
  return out.Take();
}

}  // namespace

Result<BenchIngest> MeasureIngest(const BenchRequest& request, const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(const auto directory, DirectoryBeside::Make(request.store_path));
  const std::string path = directory->path() + "/recall.db";
  RECALL_ASSIGN(const auto outcome,
                MeasuringChild::Run([&] { return AddTwice(request, path); }, cancel));
  WireReader in(outcome.bytes);
  BenchIngest ingest;
  ingest.first = NextReport(&in);
  ingest.micros = in.Next();
  ingest.again_unchanged = NextReport(&in).unchanged;
  ingest.again_micros = in.Next();
  ingest.store_bytes = in.Next();
  ingest.peak_memory_bytes = outcome.peak_memory_bytes;
  return ingest;
}

}  // namespace recall
