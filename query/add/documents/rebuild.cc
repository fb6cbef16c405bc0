#include "query/add/documents/rebuild.h"

#include <memory>
#include <string>

#include "index/write/training/reembedding.h"
#include "index/write/training/training.h"

namespace recall {
namespace {

// A search does not wait longer for another process that writes: words alone rank then.
constexpr int kRebuildBusyTimeoutMs = 250;

// Errors: Busy before any work is done, if another process is writing.
Result<std::unique_ptr<Store>> OpenWriter(const Store& store) {
  RECALL_ASSIGN(auto writer,
                Store::Open(store.path(), {.busy_timeout_ms = kRebuildBusyTimeoutMs,
                                           .before_migration = store.options().before_migration}));
  const auto probe = writer->BeginWrite();
  if (!probe) return Fail(probe.error());
  return writer;
}

Status TooLarge() {
  return Status::Unsupported("the store has too many chunks to make them during a search",
                             "run `recall doctor --fix`");
}

}  // namespace

Status TrainDueModel(Store& store, const std::atomic<bool>& cancelled, uint32_t threads,
                     RebuiltParts* rebuilt) {
  {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    RECALL_ASSIGN(const bool due, IsModelDue(*transaction));
    if (!due) return Status::Ok();
    if (transaction->counts().chunks > kMostChunksToRebuild) return TooLarge();
  }
  RECALL_ASSIGN(const auto writer, OpenWriter(store));
  RECALL_ASSIGN(const TrainingOutcome outcome,
                TrainIfDue(*writer, cancelled, {.threads = threads}));
  rebuilt->model = outcome == TrainingOutcome::kTrained;
  return Status::Ok();
}

Status RefillVectors(Store& store, const EmbedderProvider* embedders,
                     const std::atomic<bool>& cancelled, uint32_t threads, RebuiltParts* rebuilt) {
  {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    if (transaction->counts().chunks > kMostChunksToRebuild) return TooLarge();
  }
  RECALL_ASSIGN(const auto writer, OpenWriter(store));
  RECALL_ASSIGN(const ReembeddingReport report,
                RefillSpace(*writer, embedders, cancelled, threads));
  rebuilt->vectors = report.chunks;
  return Status::Ok();
}

void ReportRebuilt(const RebuiltParts& rebuilt, const Status& failed, AnswerFacts& facts) {
  if (rebuilt.model) {
    facts.warnings.push_back("the model of the texts was missing or old; it was trained first");
  }
  if (rebuilt.vectors > 0) {
    facts.warnings.push_back("vectors of chunks were missing; all " +
                             std::to_string(rebuilt.vectors) + " were computed again");
  }
  if (rebuilt.model || rebuilt.vectors > 0) facts.rebuilt = rebuilt;
  if (facts.chunks_without_vector == 0) return;
  facts.warnings.push_back(std::to_string(facts.chunks_without_vector) +
                           " chunks have no vector, so words alone rank" +
                           (failed.ok() ? std::string() : ": " + std::string(failed.message())));
}

}  // namespace recall
