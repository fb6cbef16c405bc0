#include "index/write/training/model_training.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <utility>

#include "index/base/text/tokenizer.h"
#include "index/embed/factory/embedding_space.h"
#include "index/embed/lsa/lsa_embedder.h"
#include "index/embed/lsa/lsa_trainer.h"
#include "index/embed/lsa/stored_model.h"
#include "index/search/bitmap/tombstones.h"
#include "index/search/ngram/ngram_scanner.h"
#include "index/search/ngram/ngram_statistics.h"
#include "index/search/vector/ivf_training.h"
#include "index/search/vocabulary/term_index.h"
#include "index/write/training/space_copy.h"
#include "storage/base/fixed_tasks.h"
#include "storage/base/heap.h"
#include "storage/base/ordered_pipeline.h"
#include "storage/base/thread_failure.h"
#include "storage/base/thread_start.h"
#include "storage/documents/chunk_scan.h"
#include "storage/fts5/fts_vocabulary.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// Trains a model on a sample of the chunks.
//
//   ScanFtsTokens  all terms --TermIndexTask--> parts `terms`, ...     if `terms`
//   SampleRows     the first live chunks by id (a hash): 10,000 for n-grams, more for LSA
//     SampleReader read by rowid --pieces--> threads analyse --in order--> count
//       NgramCounter  -> part `grams`
//       LsaTrainer    -> parts `latent`, `latent_terms/`    if `lsa`
//     vectors of the sample
//       LSA: embedded from the stems that the trainer has kept
//       other embedders: read from the store
//       TrainCoarseQuantizer -> part `cells`                if `lists`
//
// Problem: training must not depend on the order of insertion, nor on the number of threads, and
// must not take longer for a larger store.
//
// Idea: a chunk id is a hash of document and position, so the smallest ids are a random sample that
// is the same in every store with the same contents. Reading by ascending rowid is fastest, because
// neighbouring chunks share compressed blocks of text; the order of reading is the order in which
// the trainers receive the chunks.
//
// Invariants: threads only analyse texts; counting is done by one thread, in order. The index of
// terms depends on the terms alone, so a thread of its own can make it meanwhile. A chunk whose
// text is damaged is omitted, and doctor reports it.
//
// Cost: reading and analysing the sample, then the training of LSA, which dominates. Memory: some
// pieces of texts, the stems of the sample, and the terms.

// More chunks hardly change the document frequencies of n-grams.
constexpr size_t kNgramChunks = 10'000;

// The rowids of the first `most` live chunks in the order of their ids, which are hashes.
Result<std::vector<uint32_t>> SampleRows(const ReadTransaction& transaction, size_t most) {
  RECALL_ASSIGN(const Bitmap removed, ReadTombstones(transaction));
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached("SELECT id FROM chunk ORDER BY key, id"));
  const StatementScope select(cached);
  std::vector<uint32_t> rows;
  while (rows.size() < most) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) break;
    const int64_t id = select->ColumnInt(0);
    if (id < 0 || id >= transaction.next_chunk()) continue;
    if (!removed.Contains(static_cast<uint32_t>(id))) rows.push_back(static_cast<uint32_t>(id));
  }
  return rows;
}

// Some chunks of the sample, which one thread analyses.
struct SamplePassage {
  bool counts_ngrams = false;
  std::string heading;
  std::string text;
  std::vector<uint32_t> ngrams;
  std::string body;  // LexicalText::body
};
using SamplePiece = std::vector<SamplePassage>;

// The state of a thread. Copyable because std::function requires it; copies share the state.
class SampleAnalyzer final {
 public:
  explicit SampleAnalyzer(bool stems) : stems_(stems), state_(std::make_shared<State>()) {}

  SamplePiece operator()(SamplePiece piece) {
    for (SamplePassage& passage : piece) {
      if (passage.counts_ngrams) {
        state_->ngrams.Append(passage.heading, &passage.ngrams);
        state_->ngrams.Append(passage.text, &passage.ngrams);
      }
      if (!stems_) continue;
      state_->tokenizer.Analyze(passage.heading, passage.text, &state_->lexical);
      passage.body = state_->lexical.body;
      passage.text = {};
    }
    return piece;
  }

 private:
  struct State {
    Tokenizer tokenizer{kStemVersion};
    NgramScanner ngrams;
    LexicalText lexical;
  };

  bool stems_;
  std::shared_ptr<State> state_;
};

// Reads a sample of chunks and passes their contents to the trainers. It reads by ascending rowid,
// because neighbours share blocks of text. Threads analyse some pieces while this one reads others
// and counts.
class SampleReader final {
 public:
  // `rows` in the order of ids: the first ones are the sample for n-grams.
  SampleReader(const ReadTransaction& transaction, std::span<const uint32_t> rows,
               const ModelTraining& training, const std::atomic<bool>& cancelled)
      : training_(training),
        cancelled_(cancelled),
        reader_(transaction, ChunkReader::Access::kScattered),
        // This thread reads and counts, so it does not count as one of several.
        pipeline_(training.threads > 1 ? training.threads : 0,
                  [stems = training.lsa] { return SampleAnalyzer(stems); }) {
    for (size_t i = 0; i < rows.size(); ++i) rows_.push_back({rows[i], i < kNgramChunks});
    std::ranges::sort(rows_, {}, &Row::row);
  }

  Status Read(NgramCounter* ngrams, LsaTrainer* stems) {
    const auto count_until = [&](size_t pending) {
      while (pipeline_.pending() > pending) {
        for (const SamplePassage& passage : pipeline_.Take()) {
          if (passage.counts_ngrams) ngrams->Add(passage.ngrams);
          if (training_.lsa) stems->AddStems(passage.body);
        }
      }
    };
    for (size_t begin = 0; begin < rows_.size(); begin += kPieceChunks) {
      if (cancelled_.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
      const size_t count = std::min(kPieceChunks, rows_.size() - begin);
      SamplePiece piece;
      RECALL_TRY(ReadPassages(std::span(rows_).subspan(begin, count), &piece));
      pipeline_.Submit(std::move(piece));
      count_until(kMostPieces);
    }
    count_until(0);
    return Status::Ok();
  }

 private:
  // An analysed chunk takes some 12 KB, most of them n-grams, and the index of terms is made at the
  // same time: few pieces, so that they add little to it.
  static constexpr size_t kPieceChunks = 64;
  static constexpr size_t kMostPieces = 6;  // in flight

  struct Row {
    uint32_t row;
    bool counts_ngrams;
  };

  // Chunks with damaged text are omitted; doctor reports them.
  Status ReadPassages(std::span<const Row> rows, SamplePiece* piece) {
    for (const Row& row : rows) {
      const auto keep = [&](uint32_t, std::string_view heading, std::string_view text) {
        piece->push_back({row.counts_ngrams, std::string(heading), std::string(text), {}, {}});
      };
      const Status read = reader_.ScanPassages(row.row, row.row, keep);
      if (read.code() != StatusCode::kCorruption) RECALL_TRY(read);
    }
    return Status::Ok();
  }

  const ModelTraining& training_;
  const std::atomic<bool>& cancelled_;
  ChunkReader reader_;
  std::vector<Row> rows_;
  OrderedPipeline<SamplePiece, SamplePiece, SampleAnalyzer> pipeline_;
};

// The vectors that the model gives the chunks on which it was trained.
Result<std::vector<QuantizedVector>> VectorsOfSample(const LsaTrainer& trainer,
                                                     const LsaModel& model,
                                                     const VectorSpace& space,
                                                     const ModelTraining& training,
                                                     const std::atomic<bool>& cancelled) {
  constexpr size_t kTaskChunks = 256;
  std::vector<QuantizedVector> vectors(trainer.chunks());
  const size_t tasks = (vectors.size() + kTaskChunks - 1) / kTaskChunks;
  const bool done = RunFixedTasks(training.threads, tasks, &cancelled, [&](size_t task) {
    LsaEmbedder embedder(model);
    std::vector<TermEmbedder::TermCount> terms;
    std::vector<float> vector(model.dim());
    const size_t end = std::min(vectors.size(), (task + 1) * kTaskChunks);
    for (size_t chunk = task * kTaskChunks; chunk < end; ++chunk) {
      terms.clear();
      for (const auto& [hash, count] : trainer.StemsOf(static_cast<uint32_t>(chunk))) {
        if (const auto term = model.Find(hash)) terms.push_back({*term, count});
      }
      std::ranges::sort(terms, {}, &TermEmbedder::TermCount::term);
      embedder.terms()->EmbedTerms(terms, vector);
      vectors[chunk] = space.Quantize(vector);
    }
  });
  if (!done) return Fail(Status::Cancelled("interrupted"));
  return vectors;
}

// Adds the IVF lists trained on the sample, unless it is empty.
Status AddCoarseQuantizer(const std::vector<QuantizedVector>& sample, const VectorGeometry& space,
                          const ModelTraining& training, const std::atomic<bool>& cancelled,
                          std::vector<ModelPart>* parts) {
  if (sample.empty()) return Status::Ok();
  const KMeansOptions options{.threads = training.threads};
  RECALL_ASSIGN(const CoarseQuantizer lists,
                TrainCoarseQuantizer(sample, space, options, &cancelled));
  parts->push_back({std::string(kCoarseQuantizerPart), lists.bytes()});
  return Status::Ok();
}

Status AddCoarseQuantizerOfModel(const LsaTrainer& trainer, const ModelTraining& training,
                                 const std::atomic<bool>& cancelled,
                                 std::vector<ModelPart>* parts) {
  RECALL_ASSIGN(const auto stored, StoredLsaModel::OfParts(*parts));
  const VectorSpace space(stored->model().dim(), training.seed);
  RECALL_ASSIGN(const std::vector<QuantizedVector> sample,
                VectorsOfSample(trainer, stored->model(), space, training, cancelled));
  return AddCoarseQuantizer(sample, space, training, cancelled, parts);
}

Status AddCoarseQuantizerOfStore(const ReadTransaction& transaction, const ModelTraining& training,
                                 const std::atomic<bool>& cancelled,
                                 std::vector<ModelPart>* parts) {
  RECALL_ASSIGN(const VectorGeometry space, GeometryOf(transaction));
  if (space.dim() == 0) return Status::Ok();
  RECALL_ASSIGN(std::vector<uint32_t> rows, SampleRows(transaction, kTrainingChunks));
  RECALL_ASSIGN(const std::vector<QuantizedVector> sample,
                ReadStoredVectors(transaction, space, std::move(rows)));
  return AddCoarseQuantizer(sample, space, training, cancelled, parts);
}

// Makes the index of the vocabulary by trigrams, on a thread of its own while the sample is read. A
// large vocabulary is indexed before that, because both together would need the most memory of a
// whole ingest: some 150 bytes a term.
class TermIndexTask final {
 public:
  TermIndexTask() = default;
  ~TermIndexTask() {
    if (thread_) thread_->join();
  }
  TermIndexTask(const TermIndexTask&) = delete;
  TermIndexTask& operator=(const TermIndexTask&) = delete;

  Status Begin(const ReadTransaction& transaction, uint32_t threads) {
    RECALL_TRY(ScanFtsTokens(transaction.connection(), [this](std::string_view term) {
      if (IsExpansionTerm(term)) terms_.emplace_back(term);
    }));
    constexpr size_t kMostBeside = 500'000;
    if (threads > 1 && terms_.size() <= kMostBeside) {
      thread_ = StartThread([this] { failure_.Guard([this] { Build(); }); });
    }
    if (!thread_) Build();
    return Status::Ok();
  }

  // Waits for the index. Requires: Begin has succeeded.
  std::vector<ModelPart> Take() {
    if (thread_) thread_->join();
    thread_.reset();
    failure_.Rethrow();
    return std::move(parts_);
  }

 private:
  void Build() { parts_ = TermIndex::Build(std::move(terms_)); }

  std::vector<std::string> terms_;
  std::vector<ModelPart> parts_;
  ThreadFailure failure_;
  std::optional<std::thread> thread_;
};

}  // namespace

Result<std::vector<ModelPart>> TrainModel(const ReadTransaction& transaction,
                                          const ModelTraining& training,
                                          const std::atomic<bool>& cancelled) {
  const size_t for_ngrams = training.ngrams ? kNgramChunks : 0;
  const size_t most = training.lsa ? std::max<size_t>(for_ngrams, kTrainingChunks) : for_ngrams;
  RECALL_ASSIGN(const std::vector<uint32_t> rows, SampleRows(transaction, most));
  LsaTraining options;
  options.rank = training.rank;
  options.small_rank = std::min(options.small_rank, training.rank);
  LsaTrainer trainer(options);
  NgramCounter counter(static_cast<uint32_t>(std::min(kNgramChunks, rows.size())));
  TermIndexTask terms;
  if (training.terms) RECALL_TRY(terms.Begin(transaction, training.threads));
  RECALL_TRY(SampleReader(transaction, rows, training, cancelled).Read(&counter, &trainer));
  std::vector<ModelPart> parts;
  if (training.ngrams) parts.push_back({std::string(kNgramPart), counter.Finish().Encode()});
  if (training.terms) {
    // Before the training, which needs the most memory.
    for (ModelPart& part : terms.Take()) parts.push_back(std::move(part));
    ReturnFreedMemory();
  }
  if (!training.lsa) {
    if (training.lists)
      RECALL_TRY(AddCoarseQuantizerOfStore(transaction, training, cancelled, &parts));
    return parts;
  }
  RECALL_ASSIGN(std::vector<ModelSection> sections, trainer.Train(training.threads, &cancelled));
  for (ModelPart& part : StoredLsaModel::Split(std::move(sections))) {
    parts.push_back(std::move(part));
  }
  if (training.lists) RECALL_TRY(AddCoarseQuantizerOfModel(trainer, training, cancelled, &parts));
  return parts;
}

}  // namespace recall
