#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/filter/sort_value.h"
#include "query/ranking/fusion.h"
#include "query/rql/query_ast.h"

namespace recall {

// A row of a result on its way: a chunk with its document, or a document alone.
struct ResultRow {
  std::shared_ptr<const DocRow> doc;
  std::optional<ChunkRow> chunk;
  ScoredChunk fused;            // score 0 when nothing was ranked
  std::vector<SortValue> keys;  // one per ORDER BY key
};

// ORDER BY: its keys, then path and place in the document.
class RowOrder final {
 public:
  // `keys` must outlive it.
  explicit RowOrder(const std::vector<OrderKey>& keys) : keys_(&keys) {}

  bool IsGiven() const { return !keys_->empty(); }
  // Whether the order is that of paths, so that walking the paths gives it; and in which direction.
  bool IsByPath() const;
  bool IsDescending() const { return IsGiven() && !keys_->front().ascending; }
  bool NeedsChunks() const;
  bool NeedsText() const;

  // Fills row.keys. `text` is the chunk's, when NeedsText.
  void SetKeys(ResultRow& row, const std::string& text) const;
  bool Before(const ResultRow& a, const ResultRow& b) const;

 private:
  const std::vector<OrderKey>* keys_;
};

// Keeps the first `keep` of all rows pushed, in memory for no more than these.
class TopRows final {
 public:
  TopRows(const RowOrder* order, size_t keep) : order_(order), keep_(keep) {}

  void Push(ResultRow row);
  // The rows kept, in order, without the first `skip`.
  std::vector<ResultRow> Take(size_t skip) &&;

 private:
  const RowOrder* order_;
  size_t keep_;
  std::vector<ResultRow> heap_;  // the last in order in front
};

}  // namespace recall
