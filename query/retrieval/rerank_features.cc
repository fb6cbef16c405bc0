#include "query/retrieval/rerank_features.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <numeric>
#include <string>

#include "index/ngram/ngram_scorer.h"
#include "index/vector/stored_vectors.h"
#include "storage/base/bytes.h"
#include "storage/documents/chunk_scan.h"
#include "storage/tables/model_table.h"

namespace recall {
namespace {

// Null when n-grams say nothing.
Result<std::optional<NgramScorer>> MakeScorer(const ReadTransaction& transaction,
                                              std::string_view wanted) {
  RECALL_ASSIGN(const auto model,
                FindModelAt(transaction.connection(), transaction.counts().commit_sequence));
  if (!model) return std::nullopt;
  RECALL_ASSIGN(const auto bytes, ReadModelPart(transaction.connection(), model->id, kNgramPart));
  if (!bytes) return std::nullopt;
  RECALL_ASSIGN(const NgramStatistics statistics, NgramStatistics::Decode(AsBytes(*bytes)));
  NgramScorer scorer(wanted, statistics);
  if (scorer.Empty()) return std::nullopt;
  return std::optional(std::move(scorer));
}

// Fewer texts are scored before another thread has started.
constexpr size_t kWorthAThread = 32;

struct Passage {
  std::string heading;
  std::string text;
};

// How many of something there are so far, for another thread to wait for.
class Progress final {
 public:
  void Reach(size_t count) {
    count_ = count;
    count_.notify_one();
  }
  void WaitFor(size_t count) const {
    for (size_t now = count_; now < count; now = count_) count_.wait(now);
  }

 private:
  std::atomic<size_t> count_ = 0;
};

using NgramScores = std::vector<std::optional<double>>;  // none: not shown by the transaction

Status ScoreInTurn(const ReadTransaction& transaction, NgramScorer& scorer,
                   std::span<const uint32_t> rows, NgramScores& scores) {
  ChunkReader reader(transaction, ChunkReader::Access::kScattered);
  for (size_t i = 0; i < rows.size(); ++i) {
    RECALL_TRY(reader.ScanPassages(rows[i], rows[i],
                                   [&](uint32_t, std::string_view heading, std::string_view text) {
                                     scores[i] = scorer.Score(heading, text);
                                   }));
  }
  return Status::Ok();
}

// Reaches all of them in the end, however it ends: somebody waits for them.
Status ReadPassages(const ReadTransaction& transaction, std::span<const uint32_t> rows,
                    std::vector<std::optional<Passage>>& passages, Progress& progress) {
  constexpr size_t kBatch = 8;  // to wake a thread takes as long as to score some texts
  struct AtTheEnd {
    Progress& progress;
    size_t all;
    ~AtTheEnd() { progress.Reach(all); }
  } const at_the_end{progress, rows.size()};
  ChunkReader reader(transaction, ChunkReader::Access::kScattered);
  for (size_t i = 0; i < rows.size(); ++i) {
    RECALL_TRY(reader.ScanPassages(rows[i], rows[i],
                                   [&](uint32_t, std::string_view heading, std::string_view text) {
                                     passages[i] = {std::string(heading), std::string(text)};
                                   }));
    if (i % kBatch == kBatch - 1) progress.Reach(i + 1);
  }
  return Status::Ok();
}

// Texts are read and decompressed by this thread, which the transaction belongs to, and scored by
// another one meanwhile.
Status ScoreBeside(const ReadTransaction& transaction, NgramScorer& scorer,
                   std::span<const uint32_t> rows, NgramScores& scores) {
  std::vector<std::optional<Passage>> passages(rows.size());
  Progress read;
  std::future<void> scored = std::async([&] {
    for (size_t i = 0; i < rows.size(); ++i) {
      read.WaitFor(i + 1);
      if (passages[i]) scores[i] = scorer.Score(passages[i]->heading, passages[i]->text);
    }
  });
  RECALL_TRY(ReadPassages(transaction, rows, passages, read));
  scored.get();
  return Status::Ok();
}

}  // namespace

Result<RerankFeatures> ReadRerankFeatures(const ReadTransaction& transaction,
                                          const ChunkColumns& columns, std::string_view wanted,
                                          std::span<const FusedCandidate> head, size_t threads) {
  RerankFeatures evidence;
  evidence.items.resize(head.size());
  // By row, so that neighbours' text is read and decompressed once.
  std::vector<size_t> order(head.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return head[i].candidate.chunk; });
  evidence.vectors = std::make_unique<StoredVectors>(columns);
  std::vector<uint32_t> rows;
  for (const size_t i : order) {
    RerankItem& item = evidence.items[i];
    item.candidate = head[i].candidate;
    rows.push_back(item.candidate.chunk);
    RECALL_ASSIGN(const StoredVectors::View vector, evidence.vectors->Find(rows.back()));
    item.vector_scale = vector.scale;
    item.vector = vector.values;
  }
  RECALL_ASSIGN(std::optional<NgramScorer> scorer, MakeScorer(transaction, wanted));
  if (!scorer) return evidence;
  evidence.ngram_upper_bound = scorer->score_upper_bound();
  NgramScores scores(rows.size());
  const bool beside = threads > 1 && rows.size() >= kWorthAThread;
  RECALL_TRY(beside ? ScoreBeside(transaction, *scorer, rows, scores)
                    : ScoreInTurn(transaction, *scorer, rows, scores));
  for (size_t i = 0; i < order.size(); ++i) evidence.items[order[i]].ngrams = scores[i];
  return evidence;
}

}  // namespace recall
