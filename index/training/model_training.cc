#include "index/training/model_training.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "index/bitmap/tombstones.h"
#include "index/embed/factory/embedding_space.h"
#include "index/embed/lsa/lsa_embedder.h"
#include "index/embed/lsa/lsa_trainer.h"
#include "index/embed/lsa/stored_model.h"
#include "index/ngram/ngram_scanner.h"
#include "index/ngram/ngram_statistics.h"
#include "index/text/tokenizer.h"
#include "index/training/space_copy.h"
#include "index/vector/ivf_training.h"
#include "index/vocabulary/term_index.h"
#include "storage/base/fixed_tasks.h"
#include "storage/documents/chunk_scan.h"
#include "storage/fts5/fts_vocabulary.h"

namespace recall {
namespace {

// Trains a model on a sample of the chunks.
//
//   SampleRows     the first live chunks by id (a hash): 10,000 for n-grams, more for LSA
//     SampleReader pieces of 2048 chunks by rowid: read, analyse by threads, count
//       NgramCounter  -> part `grams`
//       LsaTrainer    -> parts `latent`, `latent_terms/`    if `lsa`
//   ScanFtsTokens  all terms -> parts `terms`, ...        if `terms`
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
// Invariants: threads only analyse texts; counting is done by one thread, in order. A chunk whose
// text is damaged is omitted, and doctor reports it.
//
// Cost: reading and analysing the sample, then the training of LSA, which dominates. Memory: one
// piece of texts, and the stems of the sample.

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

// Reads a sample of chunks and passes their contents to the trainers. It reads by ascending rowid,
// because neighbours share blocks of text, and one piece at a time, which threads analyse.
class SampleReader final {
 public:
  // `rows` in the order of ids: the first ones are the sample for n-grams.
  SampleReader(const ReadTransaction& transaction, std::span<const uint32_t> rows,
               const ModelTraining& training, const std::atomic<bool>& cancelled)
      : training_(training),
        cancelled_(cancelled),
        reader_(transaction, ChunkReader::Access::kScattered) {
    for (size_t i = 0; i < rows.size(); ++i) rows_.push_back({rows[i], i < kNgramChunks});
    std::ranges::sort(rows_, {}, &Row::row);
  }

  Status Read(NgramCounter* ngrams, LsaTrainer* stems) {
    for (size_t begin = 0; begin < rows_.size(); begin += kPieceChunks) {
      const size_t count = std::min(kPieceChunks, rows_.size() - begin);
      std::vector<Passage> passages;
      RECALL_TRY(ReadPassages(std::span(rows_).subspan(begin, count), &passages));
      if (!Analyze(passages)) return Status::Cancelled("interrupted");
      for (const Passage& passage : passages) {
        if (passage.counts_ngrams) ngrams->Add(passage.ngrams);
        if (training_.lsa) stems->AddStems(passage.body);
      }
    }
    return Status::Ok();
  }

 private:
  static constexpr size_t kPieceChunks = 2048;
  static constexpr size_t kTaskChunks = 256;  // large tasks: a tokenizer caches words

  struct Row {
    uint32_t row;
    bool counts_ngrams;
  };
  struct Passage {
    bool counts_ngrams = false;
    std::string heading;
    std::string text;
    std::vector<uint32_t> ngrams;
    std::string body;  // LexicalText::body
  };

  // Chunks with damaged text are omitted; doctor reports them.
  Status ReadPassages(std::span<const Row> rows, std::vector<Passage>* passages) {
    for (const Row& row : rows) {
      const auto keep = [&](uint32_t, std::string_view heading, std::string_view text) {
        passages->push_back({row.counts_ngrams, std::string(heading), std::string(text), {}, {}});
      };
      const Status read = reader_.ScanPassages(row.row, row.row, keep);
      if (read.code() != StatusCode::kCorruption) RECALL_TRY(read);
    }
    return Status::Ok();
  }

  // Returns: false if cancelled.
  bool Analyze(std::span<Passage> passages) {
    const size_t tasks = (passages.size() + kTaskChunks - 1) / kTaskChunks;
    return RunFixedTasks(training_.threads, tasks, &cancelled_, [&](size_t task) {
      const size_t first = task * kTaskChunks;
      AnalyzeSome(passages.subspan(first, std::min(kTaskChunks, passages.size() - first)));
    });
  }

  void AnalyzeSome(std::span<Passage> passages) const {
    Tokenizer tokenizer(kStemVersion);
    NgramScanner scanner;
    LexicalText lexical;
    for (Passage& passage : passages) {
      if (passage.counts_ngrams) {
        scanner.Append(passage.heading, &passage.ngrams);
        scanner.Append(passage.text, &passage.ngrams);
      }
      if (!training_.lsa) continue;
      tokenizer.Analyze(passage.heading, passage.text, &lexical);
      passage.body = lexical.body;
    }
  }

  const ModelTraining& training_;
  const std::atomic<bool>& cancelled_;
  ChunkReader reader_;
  std::vector<Row> rows_;
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
Status AddCoarseQuantizer(const std::vector<QuantizedVector>& sample, const VectorSpace& space,
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
  RECALL_ASSIGN(const VectorSpace space, SpaceOf(transaction));
  if (space.dim() == 0) return Status::Ok();
  RECALL_ASSIGN(std::vector<uint32_t> rows, SampleRows(transaction, kTrainingChunks));
  RECALL_ASSIGN(const std::vector<QuantizedVector> sample,
                ReadStoredVectors(transaction, space, std::move(rows)));
  return AddCoarseQuantizer(sample, space, training, cancelled, parts);
}

// Adds the index of the vocabulary by trigrams.
Status AddTermIndex(const ReadTransaction& transaction, std::vector<ModelPart>* parts) {
  std::vector<std::string> terms;
  RECALL_TRY(ScanFtsTokens(transaction.connection(), [&](std::string_view term) {
    if (IsExpansionTerm(term)) terms.emplace_back(term);
  }));
  for (ModelPart& part : TermIndex::Build(std::move(terms))) parts->push_back(std::move(part));
  return Status::Ok();
}

}  // namespace

Result<std::vector<ModelPart>> TrainModel(const ReadTransaction& transaction,
                                          const ModelTraining& training,
                                          const std::atomic<bool>& cancelled) {
  const size_t most = training.lsa ? std::max<size_t>(kNgramChunks, kTrainingChunks) : kNgramChunks;
  RECALL_ASSIGN(const std::vector<uint32_t> rows, SampleRows(transaction, most));
  LsaTraining options;
  options.rank = training.rank;
  options.small_rank = std::min(options.small_rank, training.rank);
  LsaTrainer trainer(options);
  NgramCounter counter(static_cast<uint32_t>(std::min(kNgramChunks, rows.size())));
  RECALL_TRY(SampleReader(transaction, rows, training, cancelled).Read(&counter, &trainer));
  std::vector<ModelPart> parts;
  parts.push_back({std::string(kNgramPart), counter.Finish().Encode()});
  if (training.terms) RECALL_TRY(AddTermIndex(transaction, &parts));
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
