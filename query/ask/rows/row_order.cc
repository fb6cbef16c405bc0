// ORDER BY with a bounded heap.
//
// TopRows keeps the first n of all rows pushed in a max-heap: the row that comes last in the order
// is at the front, and is replaced when an earlier row arrives. Memory: n rows. Cost: O(log n) per
// row. The order is total, because path and position in the document decide between equal keys; the
// result does not depend on the order of the calls.

#include "query/ask/rows/row_order.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "index/search/filter/field_table.h"

namespace recall {
namespace {

auto PlaceOf(const ResultRow& row) {
  return row.chunk ? std::tuple(row.chunk->offset, row.chunk->start_byte, row.chunk->row)
                   : std::tuple(uint64_t{0}, uint64_t{0}, uint32_t{0});
}

}  // namespace

bool RowOrder::IsByPath() const {
  if (!IsGiven()) return true;
  const OrderKey& first = keys_->front();
  return !first.is_score && first.field.field == Field::kDocPath && !NeedsChunks();
}

bool RowOrder::NeedsChunks() const {
  return std::any_of(keys_->begin(), keys_->end(), [](const OrderKey& key) {
    return !key.is_score && InfoOf(key.field.field).table == FieldTable::kChunk;
  });
}

bool RowOrder::NeedsText() const {
  return std::any_of(keys_->begin(), keys_->end(), [](const OrderKey& key) {
    return !key.is_score && key.field.field == Field::kChunkText;
  });
}

Status RowOrder::SetKeys(ResultRow& row, const std::string& text) const {
  for (const OrderKey& key : *keys_) {
    if (key.is_score) {
      row.keys.push_back(SortValue::Real(row.fused.score));
    } else if (key.field.field == Field::kChunkText) {
      row.keys.push_back(row.chunk ? SortValue::Text(text) : SortValue());
    } else if (InfoOf(key.field.field).computed()) {
      RECALL_ASSIGN(SortValue value, computed_->Read(key.field, *row.doc));
      row.keys.push_back(std::move(value));
    } else if (InfoOf(key.field.field).of_parts()) {
      SortValue value;
      if (row.chunk) {
        RECALL_ASSIGN(value, parts_->Read(key.field, *row.doc, *row.chunk));
      }
      row.keys.push_back(std::move(value));
    } else {
      row.keys.push_back(SortValueOf(key.field, *row.doc, row.chunk ? &*row.chunk : nullptr));
    }
  }
  return Status::Ok();
}

bool RowOrder::Before(const ResultRow& a, const ResultRow& b) const {
  for (size_t i = 0; i < a.keys.size(); ++i) {
    const auto order = a.keys[i] <=> b.keys[i];
    if (order != 0) return (*keys_)[i].ascending ? order < 0 : order > 0;
  }
  if (const auto order = a.doc->path <=> b.doc->path; order != 0) return order < 0;
  return PlaceOf(a) < PlaceOf(b);
}

void TopRows::Push(ResultRow row) {
  if (keep_ == 0) return;
  const auto before = [this](const ResultRow& a, const ResultRow& b) {
    return order_->Before(a, b);
  };
  if (heap_.size() == keep_) {
    if (!before(row, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), before);
    heap_.pop_back();
  }
  heap_.push_back(std::move(row));
  std::push_heap(heap_.begin(), heap_.end(), before);
}

std::vector<ResultRow> TopRows::Take(size_t skip) && {
  std::sort_heap(heap_.begin(), heap_.end(),
                 [this](const ResultRow& a, const ResultRow& b) { return order_->Before(a, b); });
  heap_.erase(heap_.begin(), heap_.begin() + static_cast<ptrdiff_t>(std::min(skip, heap_.size())));
  return std::move(heap_);
}

}  // namespace recall
