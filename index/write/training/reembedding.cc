#include "index/write/training/reembedding.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/search/vector/vector_writer.h"
#include "index/write/training/shared_model.h"
#include "index/write/training/space_fill.h"
#include "index/write/training/training.h"

namespace recall {
namespace {

// Replaces the embedder of a store while it is in use.
//
//   Enter   write transaction: find the unfinished space of this embedder and resume, or create one
//   repeat  read transaction: embed the next 4096 live chunks (SpaceFill)
//           write transaction: append the vectors to the space, which no search sees
//   last    no chunk is left, or the last round: embed the rest under the lock, ActivateSpace
//   merge   the segments that many transactions wrote
//
// Problem: an embedder may be a slow program or a paid service. Its work must not be lost by an
// interruption, and other processes must be able to write while it runs.
//
// Idea: the vectors already stored are the progress: ReadSpaceContent gives the last chunk rowid,
// and the next call continues after it. Chunks that other processes add meanwhile are embedded in
// further rounds; each round is shorter than the last one unless the store grows faster than it is
// embedded, which kReembeddingRounds bounds.
//
// Invariants: rowids are embedded in ascending order, so "last chunk" describes the whole progress.
// If another process has activated or deleted the space, or has appended to it, this one gives up
// with Busy. The LSA embedder is trained instead (training.cc).
//
// Cost: one embedding of each live chunk; memory of one transaction's vectors.

// After this many rounds, chunks that other processes have added meanwhile are embedded under the
// write lock. Before that, no embedder runs while this process holds the lock.
constexpr int kReembeddingRounds = 16;

Status Overtaken() {
  return Status::Busy("another process is also changing the vectors of this store",
                      "run the command again when the other process has ended");
}

class Reembedding final {
 public:
  Reembedding(Store& store, const std::atomic<bool>& cancelled, const ReembeddingOptions& options,
              const ReembeddingProgressFn& progress, std::shared_ptr<EmbeddingSpace> space)
      : store_(store),
        options_(options),
        progress_(progress),
        space_(std::move(space)),
        fill_(space_, options.threads, &cancelled) {}

  Result<ReembeddingReport> Run() {
    RECALL_TRY(Enter());
    int rounds = 0;
    for (bool done = false; !done;) {
      std::vector<ChunkVector> vectors;
      {
        RECALL_ASSIGN(const auto transaction, store_.BeginRead());
        RECALL_ASSIGN(vectors, fill_.Next(*transaction, options_.fill_vectors));
        chunks_ = transaction->counts().chunks;
      }
      if (vectors.size() < options_.fill_vectors) ++rounds;
      RECALL_ASSIGN(done, Write(std::move(vectors), rounds >= kReembeddingRounds));
      if (progress_) progress_(report_.resumed + report_.chunks, chunks_);
    }
    RECALL_TRY(MergeSegments());
    report_.space = row_;
    return std::move(report_);
  }

 private:
  // Finds the space that an earlier call began, or creates one.
  Status Enter() {
    RECALL_ASSIGN(const auto transaction, store_.BeginWrite());
    Connection& connection = transaction->connection();
    RECALL_ASSIGN(const std::vector<SpaceRow> spaces, ListSpaces(connection));
    for (const SpaceRow& row : spaces) {
      if (row.since) continue;
      if (IsOurs(row) && row_.id == 0) {
        row_ = row;
      } else {
        RECALL_TRY(DeleteSpace(connection, row.id));
      }
    }
    if (row_.id == 0) {
      row_ = space_->row();
      row_.since.reset();
      RECALL_ASSIGN(row_.id, InsertSpace(connection, row_));
    } else {
      RECALL_TRY(Resume(*transaction));
    }
    return transaction->Commit();
  }

  bool IsOurs(const SpaceRow& row) const {
    const SpaceRow& ours = space_->row();
    return row.embedder == ours.embedder && row.version == ours.version && row.dim == ours.dim &&
           row.model == ours.model;
  }

  Status Resume(WriteTransaction& transaction) {
    RECALL_ASSIGN(const SpaceContent content, ReadSpaceContent(transaction.connection(), row_.id));
    report_.resumed = content.vectors;
    last_chunk_ = content.last_chunk;
    if (content.vectors > 0) fill_.StartAt(static_cast<uint64_t>(content.last_chunk) + 1);
    return Status::Ok();
  }

  // Returns: whether the space is active now.
  Result<bool> Write(std::vector<ChunkVector> vectors, bool finish) {
    RECALL_ASSIGN(const auto transaction, store_.BeginWrite());
    Connection& connection = transaction->connection();
    RECALL_ASSIGN(const std::vector<SpaceRow> spaces, ListSpaces(connection));
    const auto own = std::ranges::find(spaces, row_.id, &SpaceRow::id);
    if (own == spaces.end() || own->since) return Fail(Overtaken());
    // The vectors of a model must not replace those of a newer one.
    RECALL_ASSIGN(const SpaceRow* const present, transaction->space());
    if (row_.model != 0 && present->model != row_.model) return Fail(Overtaken());
    // Another process may be filling the same space.
    RECALL_ASSIGN(const SpaceContent content, ReadSpaceContent(connection, row_.id));
    if (content.last_chunk > last_chunk_) return Fail(Overtaken());
    transaction->UseSpace(row_);
    RECALL_TRY(Append(*transaction, std::move(vectors)));
    RECALL_ASSIGN(const int64_t waiting, fill_.CountWaiting(*transaction));
    if (waiting > 0 && !finish) {
      RECALL_TRY(transaction->Commit());
      return false;
    }
    if (waiting > 0) {
      RECALL_ASSIGN(std::vector<ChunkVector> late,
                    fill_.Next(*transaction, static_cast<size_t>(waiting)));
      RECALL_TRY(Append(*transaction, std::move(late)));
    }
    const int64_t since = transaction->counts().commit_sequence + 1;
    RECALL_TRY(ActivateSpace(connection, row_.id, row_.model, since));
    RECALL_TRY(transaction->Commit());
    row_.since = since;
    return true;
  }

  Status Append(WriteTransaction& transaction, std::vector<ChunkVector> vectors) {
    // Documents removed since they were read may have been purged; vectors added for them now would
    // never be purged again.
    RECALL_ASSIGN(const Bitmap live, LiveChunks(transaction));
    std::erase_if(vectors, [&](const ChunkVector& v) { return !live.Contains(v.chunk); });
    if (vectors.empty()) return Status::Ok();
    report_.chunks += static_cast<int64_t>(vectors.size());
    last_chunk_ = vectors.back().chunk;
    return AppendVectors(transaction, space_->geometry(), vectors);
  }

  // Merges the segments that many transactions wrote.
  Status MergeSegments() {
    for (bool more = true; more;) {
      RECALL_ASSIGN(const auto transaction, store_.BeginWrite());
      RECALL_ASSIGN(const SpaceRow* const present, transaction->space());
      if (present->id != row_.id) return Status::Ok();
      RECALL_ASSIGN(more, MergeSegmentsOnce(*transaction, space_->geometry()));
      if (more) RECALL_TRY(transaction->Commit());
    }
    return Status::Ok();
  }

  Store& store_;
  const ReembeddingOptions& options_;
  const ReembeddingProgressFn& progress_;
  std::shared_ptr<EmbeddingSpace> space_;
  SpaceFill fill_;
  SpaceRow row_;
  int64_t chunks_ = 0;
  int64_t last_chunk_ = -1;  // the greatest rowid known to have a vector
  ReembeddingReport report_;
};

Status DropUnfinished(Store& store) {
  RECALL_ASSIGN(const auto transaction, store.BeginWrite());
  RECALL_ASSIGN(const int64_t dropped, DeleteUnfinishedSpaces(transaction->connection()));
  return dropped > 0 ? transaction->Commit() : Status::Ok();
}

// Of the progress of training only the number of vectors is reported.
DerivedDataProgressFn Following(const ReembeddingProgressFn& progress) {
  if (!progress) return {};
  return [&progress](const DerivedDataProgress& made) { progress(made.done, made.total); };
}

Result<ReembeddingReport> Train(Store& store, const std::atomic<bool>& cancelled,
                                const ReembeddingOptions& options,
                                const ReembeddingProgressFn& progress) {
  RECALL_TRY(DropUnfinished(store));
  TrainingOptions training;
  training.threads = options.threads;
  training.always = true;
  training.adopt = options.model == nullptr;
  training.given = options.model;
  training.progress = Following(progress);
  RECALL_ASSIGN(const TrainingOutcome outcome, TrainIfDue(store, cancelled, training));
  if (outcome != TrainingOutcome::kTrained) return Fail(Overtaken());
  RECALL_ASSIGN(const auto transaction, store.BeginRead());
  RECALL_ASSIGN(const SpaceRow* const row, transaction->space());
  ReembeddingReport report;
  report.space = *row;
  report.chunks = transaction->counts().chunks;
  return report;
}

}  // namespace

Result<ReembeddingReport> Reembed(Store& store, const EmbedderProvider* provider,
                                  const std::atomic<bool>& cancelled,
                                  const ReembeddingOptions& options,
                                  const ReembeddingProgressFn& progress) {
  SpaceRow present;
  bool shared = false;
  {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    RECALL_ASSIGN(const SpaceRow* const row, transaction->space());
    present = *row;
    RECALL_ASSIGN(shared, HasSharedModel(transaction->connection(), present));
  }
  ReembeddingReport nothing{.space = present, .already = true};
  const bool trained = options.embedder == kLsaEmbedder;
  std::shared_ptr<EmbeddingSpace> space;
  if (options.embedder == kUserSuppliedEmbedder &&
      store.settings().embedder != kUserSuppliedEmbedder) {
    return Fail(Status::InvalidArgument(
        "no document of this store has a user-supplied vector",
        "`recall init --embedder given` creates a store for user-supplied vectors"));
  }
  if (!trained) {
    RECALL_ASSIGN(space, EmbeddingSpace::OfEmbedder(options.embedder, store.settings(), provider));
  }
  if (options.model != nullptr) {
    const bool adopted = shared && present.version == options.model->version;
    if (adopted && !options.again) return nothing;
    return Train(store, cancelled, options, progress);
  }
  const bool same = trained ? present.embedder == kLsaEmbedder
                            : present.embedder == space->row().embedder &&
                                  present.version == space->row().version &&
                                  present.dim == space->row().dim;
  // If a large store has these vectors but no IVF lists, they are trained now, without new
  // embeddings.
  const auto divide = [&] {
    const TrainingOptions training{
        .threads = options.threads, .divide = true, .progress = Following(progress)};
    return internal::ToStatus(TrainIfDue(store, cancelled, training));
  };
  if (same && !options.again) {
    RECALL_TRY(DropUnfinished(store));
    RECALL_TRY(divide());
    return nothing;
  }
  if (trained) return Train(store, cancelled, options, progress);
  RECALL_ASSIGN(ReembeddingReport report,
                Reembedding(store, cancelled, options, progress, std::move(space)).Run());
  RECALL_TRY(divide());
  return report;
}

Result<ReembeddingReport> RefillSpace(Store& store, const EmbedderProvider* provider,
                                      const std::atomic<bool>& cancelled, uint32_t threads) {
  std::shared_ptr<EmbeddingSpace> space;
  {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    RECALL_ASSIGN(space, EmbeddingSpace::Open(*transaction, provider));
    if (space->is_user_supplied()) {
      return Fail(Status::InvalidArgument("user-supplied vectors cannot be computed"));
    }
    RECALL_TRY(space->Load(StoredModels(transaction->connection())));
  }
  const ReembeddingOptions options{.embedder = {}, .threads = threads};
  return Reembedding(store, cancelled, options, {}, std::move(space)).Run();
}

}  // namespace recall
