#include "index/maintain/model_training.h"

#include <algorithm>
#include <span>
#include <string>

#include "index/filter/tombstones.h"
#include "index/gram/gram_scanner.h"
#include "index/gram/gram_statistics.h"
#include "index/latent/latent_trainer.h"
#include "index/latent/stored_model.h"
#include "storage/chunk_scan.h"

namespace recall {
namespace {

// More hardly change how common a gram looks.
constexpr size_t kGramChunks = 10'000;

// The first `most` live chunk rows by id, which is a hash.
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

// Visits heading and text of each of these rows, in ascending order.
template <typename Visit>
Status VisitTexts(const ReadTransaction& transaction, std::vector<uint32_t> rows,
                  const std::atomic<bool>& cancelled, Visit visit) {
  std::ranges::sort(rows);
  ChunkReader reader(transaction, ChunkReader::Access::kScattered);
  const auto visit_each = [&](uint32_t, std::string_view heading, std::string_view text) {
    visit(heading, text);
  };
  for (const uint32_t row : rows) {
    if (cancelled.load(std::memory_order_relaxed)) return Status::Cancelled("interrupted");
    const Status read = reader.ScanPassages(row, row, visit_each);
    // The others tell as much; what is damaged is the doctor's to say.
    if (read.code() != StatusCode::kCorruption) RECALL_TRY(read);
  }
  return Status::Ok();
}

Result<GramStatistics> CountGrams(const ReadTransaction& transaction,
                                  std::span<const uint32_t> rows,
                                  const std::atomic<bool>& cancelled) {
  GramCounter counter(static_cast<uint32_t>(rows.size()));
  GramScanner scanner;
  std::vector<uint32_t> grams;
  RECALL_TRY(VisitTexts(transaction, {rows.begin(), rows.end()}, cancelled,
                        [&](std::string_view heading, std::string_view text) {
                          grams.clear();
                          scanner.Append(heading, &grams);
                          scanner.Append(text, &grams);
                          counter.Add(&grams);
                        }));
  return counter.Finish();
}

}  // namespace

Result<std::vector<ModelPart>> TrainModel(const ReadTransaction& transaction,
                                          const ModelTraining& training,
                                          const std::atomic<bool>& cancelled) {
  const size_t most =
      training.latent ? std::max<size_t>(kGramChunks, kTrainingChunks) : kGramChunks;
  RECALL_ASSIGN(const std::vector<uint32_t> rows, SampleRows(transaction, most));
  RECALL_ASSIGN(const GramStatistics grams,
                CountGrams(transaction, std::span(rows).first(std::min(kGramChunks, rows.size())),
                           cancelled));
  std::vector<ModelPart> parts;
  parts.push_back({std::string(kGramPart), grams.Encode()});
  if (!training.latent) return parts;

  LatentTraining options;
  options.rank = training.rank;
  options.small_rank = std::min(options.small_rank, training.rank);
  LatentTrainer trainer(options);
  RECALL_TRY(VisitTexts(
      transaction, rows, cancelled,
      [&](std::string_view heading, std::string_view text) { trainer.Add(heading, text); }));
  RECALL_ASSIGN(std::vector<ModelSection> sections, trainer.Train(training.threads, &cancelled));
  for (ModelPart& part : StoredLatentModel::Split(std::move(sections))) {
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace recall
