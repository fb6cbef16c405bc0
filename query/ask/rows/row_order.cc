// ORDER BY with a bounded heap.
//
// TopRows keeps the first n of all rows pushed in a max-heap: the row that comes last in the order
// is at the front, and is replaced when an earlier row arrives. Memory: the keys of n rows. Cost:
// O(log n) per row. The order is total, because path and position in the document decide between
// equal keys; the result does not depend on the order of the calls.

#include "query/ask/rows/row_order.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "index/search/filter/field_table.h"

namespace recall {
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

std::optional<bool> RowOrder::Before(std::span<const SortValue> a,
                                     std::span<const SortValue> b) const {
  for (size_t i = 0; i < a.size(); ++i) {
    const auto order = a[i] <=> b[i];
    if (order != 0) return (*keys_)[i].ascending ? order < 0 : order > 0;
  }
  return std::nullopt;
}

bool TopRows::Before(const Kept& a, const Kept& b) const {
  if (const auto decided = order_->Before(a.keys, b.keys)) return *decided;
  if (const auto order = a.doc->path <=> b.doc->path; order != 0) return order < 0;
  return std::tie(a.offset, a.start_byte, a.place.first_chunk) <
         std::tie(b.offset, b.start_byte, b.place.first_chunk);
}

void TopRows::Push(ResultRow row) {
  if (keep_ == 0) return;
  if (!doc_ || doc_->row != row.doc->row) {
    doc_ = std::make_shared<const Doc>(Doc{row.doc->row, row.doc->path});
  }
  Kept kept{.keys = std::move(row.keys),
            .doc = doc_,
            .place = {row.doc->row, row.doc->first_chunk, row.doc->chunk_count}};
  if (row.chunk) {
    kept.offset = row.chunk->offset;
    kept.start_byte = row.chunk->start_byte;
    kept.place = {row.doc->row, row.chunk->row, 1};
  }
  const auto before = [this](const Kept& a, const Kept& b) { return Before(a, b); };
  if (heap_.size() == keep_) {
    if (!before(kept, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), before);
    heap_.pop_back();
  }
  heap_.push_back(std::move(kept));
  std::push_heap(heap_.begin(), heap_.end(), before);
}

std::vector<RowPlace> TopRows::Take(size_t skip) && {
  std::sort_heap(heap_.begin(), heap_.end(),
                 [this](const Kept& a, const Kept& b) { return Before(a, b); });
  std::vector<RowPlace> places;
  for (size_t i = skip; i < heap_.size(); ++i) places.push_back(heap_[i].place);
  return places;
}

}  // namespace recall
