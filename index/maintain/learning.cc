#include "index/maintain/learning.h"

#include <algorithm>
#include <vector>

#include "index/filter/tombstones.h"
#include "index/gram/gram_scanner.h"
#include "index/gram/gram_statistics.h"
#include "storage/chunk_scan.h"
#include "storage/model_store.h"

namespace recall {
namespace {

// More hardly change how common a gram looks.
constexpr size_t kSampleChunks = 10'000;

bool IsDue(const std::optional<ModelRow>& model, int64_t chunks) {
  if (chunks == 0) return false;
  if (!model) return true;
  return chunks / 2 >= model->chunks;
}

// Live chunk rows by ascending row: all, or the first kSampleChunks by id, which is a hash.
Result<std::vector<uint32_t>> SampleRows(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const Bitmap removed, ReadTombstones(transaction));
  RECALL_ASSIGN(Statement * cached,
                transaction.connection().Cached("SELECT id FROM chunk ORDER BY key, id"));
  const StatementScope select(cached);
  std::vector<uint32_t> rows;
  while (rows.size() < kSampleChunks) {
    RECALL_ASSIGN(const bool row, select->Step());
    if (!row) break;
    const int64_t id = select->ColumnInt(0);
    if (id < 0 || id >= transaction.next_chunk()) continue;
    if (!removed.Contains(static_cast<uint32_t>(id))) rows.push_back(static_cast<uint32_t>(id));
  }
  std::ranges::sort(rows);
  return rows;
}

Result<GramStatistics> CountGrams(const ReadTransaction& transaction,
                                  const std::vector<uint32_t>& rows,
                                  const std::atomic<bool>& cancelled) {
  GramCounter counter(static_cast<uint32_t>(rows.size()));
  GramScanner scanner;
  ChunkReader reader(transaction, ChunkReader::Access::kScattered);
  std::vector<uint32_t> grams;
  for (const uint32_t row : rows) {
    if (cancelled.load(std::memory_order_relaxed)) return Fail(Status::Cancelled("interrupted"));
    grams.clear();
    RECALL_TRY(ScanChunkHeadings(transaction, row, row, [&](uint32_t, std::string_view heading) {
      scanner.Append(heading, &grams);
    }));
    const Status read = reader.ScanTexts(
        row, row, [&](uint32_t, std::string_view text) { scanner.Append(text, &grams); });
    // The others tell as much; what is damaged is the doctor's to say.
    if (read.code() == StatusCode::kCorruption) continue;
    RECALL_TRY(read);
    counter.Add(&grams);
  }
  return counter.Finish();
}

}  // namespace

Result<bool> LearnIfDue(Store& store, const std::atomic<bool>& cancelled) {
  std::optional<ModelRow> before;
  int64_t chunks = 0;
  std::vector<ModelPart> parts;
  {
    RECALL_ASSIGN(const auto transaction, store.BeginRead());
    RECALL_ASSIGN(before, FindModel(*transaction));
    chunks = transaction->counts().chunks;
    if (!IsDue(before, chunks)) return false;
    RECALL_ASSIGN(const std::vector<uint32_t> rows, SampleRows(*transaction));
    RECALL_ASSIGN(const GramStatistics grams, CountGrams(*transaction, rows, cancelled));
    parts.push_back({std::string(kGramPart), grams.Encode()});
  }
  auto transaction = store.BeginWrite();
  if (!transaction) {
    if (transaction.error().code() == StatusCode::kBusy) return false;
    return Fail(transaction.error());
  }
  RECALL_ASSIGN(const auto now, FindModel(**transaction));
  if (now.has_value() != before.has_value() || (now && now->id != before->id)) return false;
  RECALL_TRY(InsertModel(**transaction, chunks, parts));
  RECALL_TRY((*transaction)->Commit());
  return true;
}

}  // namespace recall
