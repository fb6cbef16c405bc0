#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/search/filter/sort_value.h"
#include "query/ask/ranking/fusion.h"
#include "query/ask/rows/computed_fields.h"
#include "query/rql/query_ast.h"

namespace recall {

// A row of a result as it is read: a chunk with its document, or a document alone.
struct ResultRow {
  std::shared_ptr<const DocRow> doc;
  std::optional<ChunkRow> chunk;
  ScoredChunk fused;            // its score is 0 if nothing was ranked
  std::vector<SortValue> keys;  // one per ORDER BY key
};

// Where rows of a result are found: in a document, of which they are consecutive chunks, or the
// document itself.
struct RowPlace {
  int64_t doc_row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
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
  // Whether a row with the keys `a` comes before one with `b`; nothing if the keys do not decide.
  std::optional<bool> Before(std::span<const SortValue> a, std::span<const SortValue> b) const;

 private:
  const std::vector<OrderKey>* keys_;
  ComputedFields* computed_;
  PartFields* parts_;
};

// Selects the first `keep` of all rows pushed, with a heap of this size: O(log keep) for each row.
// Keeps the keys of rows, not the rows. `order` must outlive the object.
class TopRows final {
 public:
  TopRows(const RowOrder* order, size_t keep) : order_(order), keep_(keep) {}

  // `row.keys` are those of RowOrder::SetKeys.
  void Push(ResultRow row);
  // Returns: where the selected rows are, in order, without the first `skip`. The place of a row is
  // its chunk; the place of a row without a chunk is all chunks of its document.
  std::vector<RowPlace> Take(size_t skip) &&;

 private:
  struct Doc {
    int64_t row;
    std::string path;
  };
  struct Kept {
    std::vector<SortValue> keys;
    std::shared_ptr<const Doc> doc;
    uint64_t offset = 0;
    uint64_t start_byte = 0;
    RowPlace place;
  };

  bool Before(const Kept& a, const Kept& b) const;

  const RowOrder* order_;
  size_t keep_;
  std::vector<Kept> heap_;          // the row that comes last in the order is at the front
  std::shared_ptr<const Doc> doc_;  // of the last row: rows of a document are often pushed together
};

}  // namespace recall
