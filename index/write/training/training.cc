#include "index/write/training/training.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "index/embed/factory/embedding_space.h"
#include "index/search/vector/vector_writer.h"
#include "index/search/vocabulary/term_index.h"
#include "index/write/training/model_training.h"
#include "index/write/training/shared_model.h"
#include "index/write/training/space_copy.h"
#include "index/write/training/space_fill.h"
#include "storage/base/heap.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/meta_table.h"
#include "storage/tables/model_table.h"
#include "storage/tables/space_table.h"

namespace recall {
namespace {

// Trains a model when it is due, fills a new vector space with it, and activates both.
//
//   Train   read transaction: is it due? TrainModel on a sample of the texts
//   Write   write transactions of one segment each, into a space without `since`:
//             searches do not see it
//   last    one write transaction: the vectors of chunks added meanwhile, the model,
//             and ActivateSpace with the sequence of this commit
//
// Problem: training takes minutes, during which other processes read and write. The write lock must
// not be held that long, and no search may see half of a space.
//
// Idea: optimistic concurrency. All computation is done under read transactions. Each write
// transaction first checks that model and active space are still those of the start (Begin), and
// that its own space still exists (EnterSpace); otherwise another process has overtaken this one,
// which gives up. The last transaction embeds the few chunks that came late under the lock.
//
//   due:  chunks > 0 and (no model, or chunks >= 2 * chunks of the model, or the model was trained
//         on too few texts for LSA, and there are enough now)
//         or `always` with a model, or `adopt`, or `divide` and lists are missing,
//         or a model is given
//
// A store with a shared model (shared_model.h) keeps the parts of that model. Training then makes
// an index of the vocabulary, if the store is large and has none or has doubled, and copies the
// vectors.
//
// Invariants: a space becomes active by the same commit as its model. Chunks that were removed
// since they were read get no vector, because a purge of them may be over. Interrupted attempts
// leave a space without `since`, which the next attempt deletes.
//
// Cost: TrainModel, then one embedding (or copy) of each live chunk; memory of one segment of
// vectors.

// Returns whether a store with `chunks` needs a new model in place of `present`.
bool NeedsModel(int64_t chunks, const std::optional<ModelRow>& present) {
  if (chunks <= 0) return false;
  if (!present || chunks / 2 >= present->chunks) return true;
  return present->chunks < kFewestLsaChunks && chunks >= kFewestLsaChunks;
}

// The chunks of a store, if they have words to train on.
int64_t TrainableChunks(const StoreCounts& counts) {
  return counts.lexical_tokens > 0 ? counts.chunks : 0;
}

// The headers of segments with IVF lists need pages of at least this size (docs/format/segment.md).
Result<bool> HasRoomForLists(Connection& connection) {
  constexpr int64_t kLeastPageSize = 4096;
  RECALL_ASSIGN(const int64_t page_size, connection.QueryInt("PRAGMA page_size"));
  return page_size >= kLeastPageSize;
}

Result<bool> HasPart(Connection& connection, int64_t model, std::string_view kind) {
  if (model == 0) return false;
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT 1 FROM model_part WHERE model = ?1 AND kind = ?2"));
  const StatementScope select(cached);
  select->BindInt(1, model);
  select->BindText(2, kind);
  return select->Step();
}

class Training final {
 public:
  Training(Store& store, const std::atomic<bool>& cancelled, const TrainingOptions& options)
      : store_(store), cancelled_(cancelled), options_(options) {}

  Result<TrainingOutcome> Run() {
    RECALL_ASSIGN(const bool due, Train());
    if (!due) return TrainingOutcome::kNotDue;
    if (space_ == nullptr) return WriteModel();
    ReturnFreedMemory();  // of the training, before the term lists
    SpaceFill embedded(space_, options_.threads, &cancelled_, options_.term_list_entries);
    SpaceCopy copied(space_, options_.threads, &cancelled_);
    const NextVectors next = [&](const ReadTransaction& transaction, size_t most) {
      return needs_training_ ? embedded.Next(transaction, most) : copied.Next(transaction, most);
    };
    int64_t made = 0;
    for (;;) {
      ReportProgress({DerivedDataStage::kVectors, std::min(made, chunks_), chunks_});
      std::vector<ChunkVector> vectors;
      {
        RECALL_ASSIGN(const auto transaction, store_.BeginRead());
        RECALL_ASSIGN(vectors, next(*transaction, options_.fill_vectors));
      }
      const bool last = vectors.size() < options_.fill_vectors;
      made += static_cast<int64_t>(vectors.size());
      RECALL_ASSIGN(const Step step, Write(std::move(vectors), last ? next : NextVectors()));
      if (step == Step::kDone) return TrainingOutcome::kTrained;
      if (step == Step::kLost) return lost_;
    }
  }

 private:
  enum class Step : uint8_t { kMore, kDone, kLost };
  // Makes the next vectors of the new space: SpaceFill::Next or SpaceCopy::Next.
  using NextVectors =
      std::function<Result<std::vector<ChunkVector>>(const ReadTransaction&, size_t)>;

  void ReportProgress(const DerivedDataProgress& progress) const {
    if (options_.progress) options_.progress(progress);
  }

  bool IsDue(int64_t chunks, const SpaceRow& present) const {
    if (options_.given != nullptr || options_.adopt) return true;
    if (shared_) {
      // The index may contain words of texts that are purged, and lacks new ones.
      const bool doubled = before_ && chunks / 2 >= before_->chunks;
      return present_terms_ ? options_.always || doubled : chunks >= options_.term_index_from;
    }
    if (options_.always && before_) return true;
    const bool divided = present.dim == 0 || present_quantizer_;
    if (options_.divide && chunks >= options_.lists_from && !divided) return true;
    return NeedsModel(chunks, before_);
  }

  Result<bool> Train() {
    RECALL_ASSIGN(const auto transaction, store_.BeginRead());
    RECALL_ASSIGN(before_,
                  FindModelAt(transaction->connection(), transaction->counts().commit_sequence));
    chunks_ = TrainableChunks(transaction->counts());
    RECALL_ASSIGN(const SpaceRow* const present, transaction->space());
    Connection& connection = transaction->connection();
    RECALL_ASSIGN(present_quantizer_, HasPart(connection, present->model, kCoarseQuantizerPart));
    RECALL_ASSIGN(present_terms_, HasPart(connection, before_ ? before_->id : 0, kTermsPart));
    RECALL_ASSIGN(const bool adopted, HasSharedModel(connection, *present));
    shared_ = options_.given != nullptr || (adopted && !options_.adopt);
    if (!IsDue(chunks_, *present)) return false;
    ReportProgress({DerivedDataStage::kTraining});
    // What the threads of an ingest have freed, and the pages that they have read, must not add to
    // the peak of training.
    RECALL_TRY(connection.Execute("PRAGMA shrink_memory"));
    ReturnFreedMemory();
    present_space_ = present->id;
    if (shared_) return TakeSharedModel(*transaction);
    needs_training_ = options_.adopt || present->embedder == kLsaEmbedder;
    ModelTraining training;
    training.lsa = needs_training_ && chunks_ >= kFewestLsaChunks;
    training.terms = chunks_ >= options_.term_index_from;
    training.rank = store_.settings().dim;
    training.threads = options_.threads;
    RECALL_ASSIGN(const bool room, HasRoomForLists(connection));
    // IVF lists are part of a model, and this training replaces the model. If the vectors of
    // another embedder have IVF lists, the new model must contain them as well.
    training.lists =
        room && (chunks_ >= options_.lists_from || (!needs_training_ && present_quantizer_));
    training.seed = store_.settings().signature_seed;
    RECALL_ASSIGN(parts_, TrainModel(*transaction, training, cancelled_));
    RECALL_ASSIGN(space_, SpaceToFill(*present, training));
    return true;
  }

  // The vectors of a model that is given are made, those of one that the store has are copied.
  Result<bool> TakeSharedModel(const ReadTransaction& transaction) {
    needs_training_ = options_.given != nullptr;
    if (options_.given != nullptr) {
      parts_ = options_.given->parts;
    } else {
      RECALL_ASSIGN(SharedModel present, ReadSharedModel(transaction));
      parts_ = std::move(present.parts);
    }
    RECALL_ASSIGN(space_, EmbeddingSpace::OfModel(parts_, store_.settings().signature_seed));
    if (chunks_ < options_.term_index_from) return true;
    ModelTraining training{.terms = true, .ngrams = false, .threads = options_.threads};
    RECALL_ASSIGN(std::vector<ModelPart> terms, TrainModel(transaction, training, cancelled_));
    std::ranges::move(terms, std::back_inserter(parts_));
    return true;
  }

  // Returns: the space to fill with vectors; null if the stored vectors are kept.
  Result<std::shared_ptr<EmbeddingSpace>> SpaceToFill(const SpaceRow& present,
                                                      const ModelTraining& training) const {
    if (training.lsa) return EmbeddingSpace::OfModel(parts_, training.seed);
    if (needs_training_) return EmbeddingSpace::BeforeModel(training.rank, training.seed);
    const auto lists = std::ranges::find(parts_, kCoarseQuantizerPart, &ModelPart::kind);
    if (lists == parts_.end()) return std::shared_ptr<EmbeddingSpace>();
    return EmbeddingSpace::WithCoarseQuantizer(present, training.seed, lists->data);
  }

  // Returns: a write transaction; null if another process holds the write lock, or has trained or
  // changed the embedder meanwhile.
  Result<std::unique_ptr<WriteTransaction>> Begin() {
    if (options_.before_writing) RECALL_TRY(options_.before_writing());
    auto transaction = store_.BeginWrite();
    if (!transaction) {
      if (transaction.error().code() != StatusCode::kBusy) return Fail(transaction.error());
      lost_ = TrainingOutcome::kStoreBusy;
      return nullptr;
    }
    RECALL_ASSIGN(const auto now, FindModelAt((*transaction)->connection(),
                                              (*transaction)->counts().commit_sequence));
    RECALL_ASSIGN(const SpaceRow* const present, (*transaction)->space());
    const bool same = now.has_value() == before_.has_value() && (!now || now->id == before_->id);
    if (!same || present->id != present_space_) return nullptr;
    return std::move(*transaction);
  }

  Result<TrainingOutcome> WriteModel() {
    RECALL_ASSIGN(const auto transaction, Begin());
    if (!transaction) return lost_;
    RECALL_TRY(InsertModel(transaction->connection(),
                           {.since = transaction->counts().commit_sequence + 1, .chunks = chunks_},
                           parts_));
    RECALL_TRY(transaction->Commit());
    return TrainingOutcome::kTrained;
  }

  // Adds vectors to the space; with `next`, also those of chunks added meanwhile, and activates it.
  Result<Step> Write(std::vector<ChunkVector> vectors, const NextVectors& next) {
    RECALL_ASSIGN(const auto transaction, Begin());
    if (!transaction) return Step::kLost;
    if (next) {
      RECALL_ASSIGN(const std::vector<ChunkVector> late,
                    next(*transaction, static_cast<size_t>(transaction->next_chunk())));
      vectors.insert(vectors.end(), late.begin(), late.end());
    }
    RECALL_ASSIGN(const bool ours, EnterSpace(*transaction));
    if (!ours) return Step::kLost;
    // Documents removed since they were read may have been purged; vectors added for them now would
    // never be purged again.
    RECALL_ASSIGN(const Bitmap live, LiveChunks(*transaction));
    std::erase_if(vectors, [&](const ChunkVector& v) { return !live.Contains(v.chunk); });
    RECALL_TRY(AppendVectors(*transaction, space_->geometry(), vectors));
    if (next) {
      RECALL_ASSIGN(
          const int64_t model,
          InsertModel(transaction->connection(),
                      {.since = transaction->counts().commit_sequence + 1, .chunks = chunks_},
                      parts_));
      const bool of_model = space_->maker() == kLsaEmbedder || space_->vectors().coarse_quantizer();
      RECALL_TRY(ActivateSpace(transaction->connection(), row_.id, of_model ? model : 0,
                               transaction->counts().commit_sequence + 1));
      RECALL_TRY(RecordSharedModel(transaction->connection(), shared_ ? model : 0));
    }
    RECALL_TRY(transaction->Commit());
    return next ? Step::kDone : Step::kMore;
  }

  // Creates the space's row, or finds it again. Returns: false if another process removed it.
  Result<bool> EnterSpace(WriteTransaction& transaction) {
    Connection& connection = transaction.connection();
    if (row_.id == 0) {
      // Deletes the rows of an interrupted attempt, or of another process, which will notice.
      RECALL_TRY(internal::ToStatus(DeleteUnfinishedSpaces(connection, space_->row().embedder)));
      row_ = space_->row();
      RECALL_ASSIGN(row_.id, InsertSpace(connection, row_));
    } else {
      RECALL_ASSIGN(const std::vector<SpaceRow> spaces, ListSpaces(connection));
      if (std::ranges::find(spaces, row_.id, &SpaceRow::id) == spaces.end()) return false;
    }
    transaction.UseSpace(row_);
    return true;
  }

  Store& store_;
  const std::atomic<bool>& cancelled_;
  TrainingOptions options_;
  std::optional<ModelRow> before_;
  int64_t chunks_ = 0;
  int64_t present_space_ = 0;  // active when this training began
  bool present_quantizer_ = false;
  bool present_terms_ = false;   // the present model has an index of the vocabulary
  bool shared_ = false;          // the parts of the model are those of another store
  bool needs_training_ = false;  // vectors are made again, not only statistics
  std::vector<ModelPart> parts_;
  std::shared_ptr<const EmbeddingSpace> space_;         // null: the store's vectors need no model
  SpaceRow row_;                                        // in the store, after EnterSpace
  TrainingOutcome lost_ = TrainingOutcome::kOvertaken;  // the outcome if this training gives up
};

}  // namespace

Result<TrainingOutcome> TrainIfDue(Store& store, const std::atomic<bool>& cancelled,
                                   const TrainingOptions& options) {
  return Training(store, cancelled, options).Run();
}

Result<bool> IsModelDue(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const SpaceRow* const present, transaction.space());
  if (present->embedder != kLsaEmbedder) return false;
  RECALL_ASSIGN(const bool shared, HasSharedModel(transaction.connection(), *present));
  if (shared) return false;
  RECALL_ASSIGN(const auto model,
                FindModelAt(transaction.connection(), transaction.counts().commit_sequence));
  return NeedsModel(TrainableChunks(transaction.counts()), model);
}

Result<bool> IsModelDue(Connection& connection) {
  RECALL_ASSIGN(const StoreCounters counters, ReadCounters(connection));
  const int64_t commit = counters.counts.commit_sequence;
  RECALL_ASSIGN(const auto space, FindSpaceAt(connection, commit));
  if (!space || space->embedder != kLsaEmbedder) return false;
  RECALL_ASSIGN(const bool shared, HasSharedModel(connection, *space));
  if (shared) return false;
  RECALL_ASSIGN(const auto model, FindModelAt(connection, commit));
  return NeedsModel(TrainableChunks(counters.counts), model);
}

}  // namespace recall
