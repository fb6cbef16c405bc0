#include "index/write/compaction/compaction.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "index/embed/factory/embedding_space.h"
#include "index/search/vector/vector_writer.h"
#include "index/write/derived/forward_index_builder.h"
#include "index/write/derived/posting_list_builder.h"
#include "index/write/training/training.h"
#include "storage/fts5/fts_merge.h"
#include "storage/history/commit_log.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/forward_table.h"
#include "storage/tables/model_table.h"

namespace recall {
namespace {

// Compaction: makes a store as small as it can be without changing an answer.
//
//   checksums      VACUUM, if the pages of the store do not have checksums yet
//   Expire         raise the horizon: older commits can no longer be read
//   kVectors       drop unused spaces; rewrite segments without purged vectors
//   kDocuments     delete removed documents, their chunks, texts and postings (purge.cc)
//   kLexicon       merge the runs of FTS5 into one, which drops deleted postings
//   kSegments      merge neighbouring segments into full ones
//   kModel         train if due; with `forget` always, then purge the spaces of older models
//   derived data   precompute the posting lists, and the records of the forward index
//   kFile          VACUUM, which leaves no free pages; with `secure` also empty the WAL
//
// Problem: compacting a large store takes minutes; it must not block writers or need memory of the
// size of the store, and the process may be killed.
//
// Idea: a loop of small write transactions for each stage (RunStage). A step that changes nothing
// ends its stage. The order makes each intermediate state valid: first no reader can request a
// removed version, then its vectors are deleted, then its rows. No vector or posting is ever left
// without a document.
//
// `forget`: a model contains terms of purged texts, so a new one must be trained after the purge.
// Another process may be training at the same time on texts read before the purge; see Forget. The
// dictionary of the forward index contains their words, so it is deleted and made again; texts are
// sampled for it under the write lock, so no other process can bring them back.
//
// Invariants: a kept commit gives the same answers before and after each step (but for `forget`).
// An interrupted compaction is continued by the next one, from the state of the store alone.
//
// Cost: each stage reads and writes what it changes; VACUUM rewrites the file once.

Result<int64_t> CountSegments(Store& store) {
  RECALL_ASSIGN(const auto transaction, store.BeginRead());
  RECALL_ASSIGN(const auto segments, transaction->Segments());
  return static_cast<int64_t>(segments.size());
}

Result<Bitmap> ReadRemovedChunks(Store& store, int64_t last) {
  RECALL_ASSIGN(const auto transaction, store.BeginRead());
  return RemovedChunks(*transaction, last);
}

// Deletes one space that only expired commits use, or that a training has not finished filling. (A
// training that is still filling it then gives up; an unfinished space of Reembed is kept, because
// it can be resumed.) If no such space is left, purges the vectors of the other spaces by one step.
Result<bool> PurgeSpacesOnce(WriteTransaction& transaction, int64_t oldest_commit,
                             const Bitmap& removed) {
  Connection& connection = transaction.connection();
  RECALL_ASSIGN(std::vector<SpaceRow> useless, SpacesBefore(connection, oldest_commit));
  RECALL_ASSIGN(const std::vector<SpaceRow> spaces, ListSpaces(connection));
  std::ranges::copy_if(spaces, std::back_inserter(useless), [](const SpaceRow& row) {
    return !row.since && row.embedder == kLsaEmbedder;
  });
  if (!useless.empty()) {
    RECALL_TRY(DeleteSpace(connection, useless.front().id));
    return true;
  }
  bool more = false;
  for (const SpaceRow& row : spaces) {
    transaction.UseSpace(row);
    RECALL_ASSIGN(const VectorGeometry space, GeometryOf(transaction));
    RECALL_ASSIGN(const bool changed, PurgeVectorsOnce(transaction, space, removed));
    more = more || changed;
  }
  return more;
}

}  // namespace

Compaction::Compaction(Store* store, const std::atomic<bool>* cancelled, ProgressFn progress)
    : store_(store), cancelled_(cancelled), progress_(std::move(progress)) {}

Status Compaction::CheckCancelled() const {
  if (!cancelled_->load(std::memory_order_relaxed)) return Status::Ok();
  return Status::Cancelled(
      "interrupted; the store is intact, and the next compact continues from here");
}

void Compaction::Show(CompactionStage stage) const {
  if (!progress_) return;
  CompactionProgress progress{stage};
  if (stage == CompactionStage::kDocuments) {
    progress.done = report_.purged.chunks;
    progress.total = chunks_to_purge_;
  }
  progress_(progress);
}

DerivedDataProgressFn Compaction::ShowDerived(CompactionStage stage) const {
  if (!progress_) return {};
  return [this, stage](const DerivedDataProgress& derived) {
    progress_({.stage = stage, .derived = derived});
  };
}

Status Compaction::RunStage(CompactionStage stage, const Step& step) {
  for (bool more = true; more;) {
    RECALL_TRY(CheckCancelled());
    Show(stage);
    RECALL_ASSIGN(const auto transaction, store_->BeginWrite());
    const int64_t changes = transaction->connection().TotalChanges();
    RECALL_ASSIGN(more, step(*transaction));
    if (transaction->connection().TotalChanges() == changes) break;  // nothing was changed
    RECALL_TRY(transaction->Commit());
  }
  return Status::Ok();
}

// From this commit on, no reader can request the versions that the later steps delete.
Status Compaction::Expire(const CompactionOptions& options) {
  RECALL_ASSIGN(const auto transaction, store_->BeginWrite());
  RECALL_ASSIGN(report_.oldest_commit,
                OldestCommitSince(transaction->connection(), options.keep_since));
  RECALL_ASSIGN(const int64_t expired, transaction->ExpireCommitsBefore(report_.oldest_commit));
  report_.expired_commits += expired;
  return expired > 0 ? transaction->Commit() : Status::Ok();
}

Status Compaction::PurgeVectors() {
  const int64_t last = report_.oldest_commit;
  RECALL_ASSIGN(const Bitmap purged_rows, ReadRemovedChunks(*store_, last));
  chunks_to_purge_ = static_cast<int64_t>(purged_rows.Count());
  return RunStage(CompactionStage::kVectors, [&](WriteTransaction& transaction) {
    return PurgeSpacesOnce(transaction, last, purged_rows);
  });
}

Result<int64_t> Compaction::PresentModel() const {
  RECALL_ASSIGN(const auto transaction, store_->BeginRead());
  RECALL_ASSIGN(const std::optional<ModelRow> model,
                FindModelAt(transaction->connection(), transaction->counts().commit_sequence));
  return model ? model->id : 0;
}

// Trains again until no model contains terms of purged texts. A training of another process may
// have begun before the purge and end after it. A second model of another process must come from a
// training that began after the first model became active, because a training gives up if the
// active model changes meanwhile. So two models of other processes suffice.
Status Compaction::Forget(const CompactionOptions& options) {
  constexpr int kMostAttempts = 16;
  RECALL_ASSIGN(int64_t model, PresentModel());
  int others = 0;  // models that other processes have made since
  for (int attempt = 0; attempt < kMostAttempts && others < 2; ++attempt) {
    RECALL_ASSIGN(const TrainingOutcome outcome,
                  TrainIfDue(*store_, *cancelled_,
                             {.threads = options.threads,
                              .always = true,
                              .progress = ShowDerived(CompactionStage::kModel)}));
    if (outcome == TrainingOutcome::kTrained || outcome == TrainingOutcome::kNotDue) {
      return Status::Ok();
    }
    if (outcome == TrainingOutcome::kStoreBusy) break;
    RECALL_ASSIGN(const int64_t now, PresentModel());
    others += std::exchange(model, now) != now ? 1 : 0;
  }
  if (others >= 2) return Status::Ok();
  return Status::Busy("another process prevented the training without the purged texts",
                      "run the command again when the other process has ended");
}

Status Compaction::DeleteWords() {
  RECALL_ASSIGN(const auto transaction, store_->BeginWrite());
  const int64_t changes = transaction->connection().TotalChanges();
  RECALL_TRY(DeleteForwardIndex(transaction->connection()));
  const bool changed = transaction->connection().TotalChanges() != changes;
  return changed ? transaction->Commit() : Status::Ok();
}

Status Compaction::Train(const CompactionOptions& options) {
  RECALL_TRY(CheckCancelled());
  Show(CompactionStage::kModel);
  if (!options.forget) {
    return internal::ToStatus(
        TrainIfDue(*store_, *cancelled_,
                   {.threads = options.threads, .progress = ShowDerived(CompactionStage::kModel)}));
  }
  RECALL_TRY(Forget(options));
  // The commits of these steps are not user-visible snapshots, so their expiry is not reported.
  const int64_t reported = report_.expired_commits;
  RECALL_TRY(Expire(options));
  report_.expired_commits = reported;
  return PurgeVectors();
}

Result<CompactionReport> Compaction::Run(const CompactionOptions& options) {
  report_ = {};
  RECALL_ASSIGN(report_.segments_before, CountSegments(*store_));
  RECALL_TRY(store_->AddPageChecksums());
  RECALL_TRY(Expire(options));
  RECALL_TRY(PurgeVectors());
  const int64_t last = report_.oldest_commit;
  RECALL_TRY(RunStage(CompactionStage::kDocuments, [&](WriteTransaction& transaction) {
    return PurgeDocuments(transaction, last, options.forget, &report_.purged);
  }));
  bool first = true;
  RECALL_TRY(RunStage(CompactionStage::kLexicon, [&](WriteTransaction& transaction) {
    return MergeFts(transaction.connection(), std::exchange(first, false));
  }));
  RECALL_TRY(
      RunStage(CompactionStage::kSegments, [&](WriteTransaction& transaction) -> Result<bool> {
        RECALL_ASSIGN(const VectorGeometry space, GeometryOf(transaction));
        return FillSegmentsOnce(transaction, space);
      }));
  RECALL_TRY(Train(options));
  if (options.forget) RECALL_TRY(DeleteWords());
  RECALL_TRY(CheckCancelled());
  RECALL_TRY(BuildPostingListsIfDue(
      *store_, *cancelled_,
      {.always = true, .progress = ShowDerived(CompactionStage::kDerivedData)}));
  RECALL_TRY(CheckCancelled());
  RECALL_TRY(BuildForwardIndexIfDue(*store_, *cancelled_,
                                    {.threads = options.threads,
                                     .always = true,
                                     .progress = ShowDerived(CompactionStage::kDerivedData)}));
  RECALL_TRY(CheckCancelled());
  Show(CompactionStage::kFile);
  RECALL_TRY(store_->Vacuum());
  if (options.secure) RECALL_TRY(store_->EmptyWal());
  RECALL_ASSIGN(report_.segments_after, CountSegments(*store_));
  return report_;
}

}  // namespace recall
