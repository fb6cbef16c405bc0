#include "query/head_evidence.h"

#include <algorithm>
#include <numeric>

#include "index/gram/gram_scorer.h"
#include "index/vector/stored_vectors.h"
#include "query/views.h"
#include "storage/base/bytes.h"
#include "storage/model_store.h"

namespace recall {
namespace {

// Null when grams say nothing.
Result<std::optional<GramScorer>> MakeScorer(const ReadTransaction& transaction,
                                             std::string_view wanted) {
  RECALL_ASSIGN(const auto model, FindModel(transaction));
  if (!model) return std::nullopt;
  RECALL_ASSIGN(const auto bytes, ReadModelPart(transaction, model->id, kGramPart));
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
  // By row, so that what lies on one page is read at once.
  std::vector<size_t> order(head.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return head[i].candidate.chunk; });
  StoredVectors vectors(columns);
  RowReader rows(transaction);
  for (const size_t i : order) {
    RerankItem& item = evidence.items[i];
    item.candidate = head[i].candidate;
    RECALL_ASSIGN(const StoredVectors::View vector, vectors.Find(item.candidate.chunk));
    item.vector_scale = vector.scale;
    item.vector = vector.values;
    if (!scorer) continue;
    RECALL_ASSIGN(const RowReader::Located row, rows.Read(item.candidate.chunk));
    RECALL_ASSIGN(const std::string text,
                  ReadText(transaction, *row.doc, row.chunk.start_byte, row.chunk.end_byte));
    item.grams = scorer->Score(row.chunk.heading, text);
  }
  return evidence;
}

}  // namespace recall
