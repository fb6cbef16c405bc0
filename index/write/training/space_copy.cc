#include "index/write/training/space_copy.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "index/search/vector/stored_vectors.h"
#include "index/write/training/space_fill.h"
#include "storage/base/fixed_tasks.h"
#include "storage/documents/chunk_scan.h"

namespace recall {
namespace {

// Copies vectors from the active space to a new one that differs only in its IVF lists.
//
//   live chunk rowids --> StoredVectors::Find --> the same int8 components and scale
//                     --> token counts of table chunk
//                     --> AssignList, by threads --> the vector's list in the new space
//
// Problem: a large store with an embedder other than LSA gets IVF lists after it has grown. Its
// vectors are quantised already, and embedding all texts again may take hours or cost money.
//
// Idea: a list depends only on the quantised components, so vectors are copied bit by bit and only
// their lists are computed. The new space is filled and activated exactly as one with new vectors
// (training.cc), so older snapshots keep the old one.
//
// Invariants: cosines, and thus exact answers, are unchanged; components and scale keep their
// bytes. Token counts come from the chunk table, so that they do not inherit saturation. Rows
// ascend from call to call, and a row is delivered once.
//
// Cost: one read of each vector, and ListOf, which is a quarter of lists x dim products. Memory:
// the vectors of one call.

constexpr size_t kCopyTaskVectors = 256;

// Sets one field of each vector; vectors must be sorted by chunk rowid.
Status ReadNumbers(const ReadTransaction& transaction, ChunkNumber which,
                   uint32_t ChunkVector::*field, std::vector<ChunkVector>* vectors) {
  auto next = vectors->begin();
  return ScanChunkNumbers(transaction, which, vectors->front().chunk, vectors->back().chunk,
                          [&](uint32_t row, int64_t value) {
                            while (next != vectors->end() && next->chunk < row) ++next;
                            if (next == vectors->end() || next->chunk != row) return;
                            (*next).*field = static_cast<uint32_t>(value);
                          });
}

}  // namespace

Result<std::vector<ChunkVector>> SpaceCopy::Next(const ReadTransaction& transaction, size_t most) {
  std::vector<ChunkVector> vectors;
  constexpr uint32_t kLast = std::numeric_limits<uint32_t>::max();
  if (next_row_ > kLast) return vectors;
  RECALL_ASSIGN(const Bitmap live, LiveChunks(transaction));
  std::vector<uint32_t> rows = live.ValuesIn(static_cast<uint32_t>(next_row_), kLast);
  rows.resize(std::min(rows.size(), most));
  if (rows.empty()) return vectors;
  RECALL_ASSIGN(const auto columns, ChunkColumns::Open(transaction, space_->geometry()));
  StoredVectors stored(*columns);
  for (const uint32_t row : rows) {
    RECALL_ASSIGN(const StoredVectors::View view, stored.Find(row));
    vectors.push_back({row, 0, 0, {view.scale, {view.values.begin(), view.values.end()}}});
  }
  RECALL_TRY(ReadNumbers(transaction, ChunkNumber::kTokens, &ChunkVector::tokens, &vectors));
  RECALL_TRY(ReadNumbers(transaction, ChunkNumber::kLexicalTokens, &ChunkVector::lexical_tokens,
                         &vectors));
  const size_t tasks = (vectors.size() + kCopyTaskVectors - 1) / kCopyTaskVectors;
  const bool done = RunFixedTasks(threads_, tasks, cancelled_, [&](size_t task) {
    const size_t end = std::min(vectors.size(), (task + 1) * kCopyTaskVectors);
    for (size_t i = task * kCopyTaskVectors; i < end; ++i) {
      vectors[i].vector = space_->vectors().AssignList(std::move(vectors[i].vector));
    }
  });
  if (!done) return Fail(Status::Cancelled("interrupted"));
  next_row_ = uint64_t{rows.back()} + 1;
  return vectors;
}

Result<std::vector<QuantizedVector>> ReadStoredVectors(const ReadTransaction& transaction,
                                                       const VectorGeometry& space,
                                                       std::vector<uint32_t> rows) {
  std::ranges::sort(rows);
  RECALL_ASSIGN(const auto columns, ChunkColumns::Open(transaction, space));
  StoredVectors stored(*columns);
  std::vector<QuantizedVector> vectors;
  for (const uint32_t row : rows) {
    const auto view = stored.Find(row);
    if (!view && view.error().code() != StatusCode::kCorruption) return Fail(view.error());
    if (view) vectors.push_back({view->scale, {view->values.begin(), view->values.end()}});
  }
  return vectors;
}

}  // namespace recall
