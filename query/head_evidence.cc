#include "query/head_evidence.h"

#include <algorithm>
#include <numeric>

#include "index/gram/gram_scorer.h"
#include "index/vector/stored_vectors.h"
#include "storage/base/bytes.h"
#include "storage/chunk_scan.h"
#include "storage/model_store.h"

namespace recall {
namespace {

// Null when grams say nothing.
Result<std::optional<GramScorer>> MakeScorer(const ReadTransaction& transaction,
                                             std::string_view wanted) {
  RECALL_ASSIGN(const auto model, FindModel(transaction));
  if (!model) return std::nullopt;
  RECALL_ASSIGN(const auto bytes, ReadModelPart(transaction.connection(), model->id, kGramPart));
  if (!bytes) return std::nullopt;
  RECALL_ASSIGN(const GramStatistics statistics, GramStatistics::Decode(AsBytes(*bytes)));
  GramScorer scorer(wanted, statistics);
  if (scorer.Empty()) return std::nullopt;
  return std::optional(std::move(scorer));
}

}  // namespace

Result<HeadEvidence> ReadHeadEvidence(const ReadTransaction& transaction,
                                      const ChunkColumns& columns, std::string_view wanted,
                                      std::span<const FusedCandidate> head) {
  RECALL_ASSIGN(std::optional<GramScorer> scorer, MakeScorer(transaction, wanted));
  HeadEvidence evidence;
  if (scorer) evidence.gram_ceiling = scorer->ceiling();
  evidence.items.resize(head.size());
  // By row, so that neighbours' text is read and decompressed once.
  std::vector<size_t> order(head.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return head[i].candidate.chunk; });
  evidence.vectors = std::make_unique<StoredVectors>(columns);
  ChunkReader reader(transaction, ChunkReader::Access::kScattered);
  for (const size_t i : order) {
    RerankItem& item = evidence.items[i];
    item.candidate = head[i].candidate;
    RECALL_ASSIGN(const StoredVectors::View vector, evidence.vectors->Find(item.candidate.chunk));
    item.vector_scale = vector.scale;
    item.vector = vector.values;
    if (!scorer) continue;
    const uint32_t row = item.candidate.chunk;
    const auto score = [&](uint32_t, std::string_view heading, std::string_view text) {
      item.grams = scorer->Score(heading, text);
    };
    RECALL_TRY(reader.ScanPassages(row, row, score));
  }
  return evidence;
}

}  // namespace recall
