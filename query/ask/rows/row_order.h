#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "index/search/filter/sort_value.h"
#include "query/ask/ranking/fusion.h"
#include "query/ask/rows/computed_fields.h"
#include "query/rql/query_ast.h"

namespace recall {

// A row of a result: a chunk with its document, or a document alone.
struct ResultRow {
  std::shared_ptr<const DocRow> doc;
  std::optional<ChunkRow> chunk;
  ScoredChunk fused;            // its score is 0 if nothing was ranked
  std::vector<SortValue> keys;  // one per ORDER BY key
};

// The order of ORDER BY: its keys, then path and position in the document.
class RowOrder final {
 public:
  // `keys` must outlive the object, and so must `computed`, which may be null if no key is a
  // computed field.
  explicit RowOrder(const std::vector<OrderKey>& keys, ComputedFields* computed = nullptr,
                    PartFields* parts = nullptr)
      : keys_(&keys), computed_(computed), parts_(parts) {}

  bool IsGiven() const { return !keys_->empty(); }
  // True if the order begins with the path, or no order is given: a scan of the paths yields it.
  // The direction of the first key is that of IsDescending.
  bool IsByPath() const;
  bool IsDescending() const { return IsGiven() && !keys_->front().ascending; }
  bool NeedsChunks() const;
  bool NeedsText() const;

  // Sets row.keys. `text` is the text of the chunk; it may be empty unless NeedsText. Errors: those
  // of ComputedFields::Read and PartFields::Read.
  Status SetKeys(ResultRow& row, const std::string& text) const;
  bool Before(const ResultRow& a, const ResultRow& b) const;

 private:
  const std::vector<OrderKey>* keys_;
  ComputedFields* computed_;
  PartFields* parts_;
};

// Selects the first `keep` of all rows pushed, with a heap of this size: O(log keep) for each row.
// `order` must outlive the object.
class TopRows final {
 public:
  TopRows(const RowOrder* order, size_t keep) : order_(order), keep_(keep) {}

  void Push(ResultRow row);
  // Returns: the selected rows in order, without the first `skip`.
  std::vector<ResultRow> Take(size_t skip) &&;

 private:
  const RowOrder* order_;
  size_t keep_;
  std::vector<ResultRow> heap_;  // the row that comes last in the order is at the front
};

}  // namespace recall
