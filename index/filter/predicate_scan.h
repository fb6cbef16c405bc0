#pragma once

#include <cstddef>
#include <string_view>

#include "index/bitmap/bitmap.h"
#include "index/filter/predicate_matcher.h"
#include "storage/documents/live_scan.h"

namespace recall {

// Of the id of a document or a chunk.
inline constexpr size_t kIdDigits = 64;

// How a predicate is carried out.
struct ScanMethod {
  std::string_view name;  // "index on tag", "scan of chunk texts"
  int cost = 0;           // the cheaper of two is carried out first
};
ScanMethod MethodOf(const CompiledPredicate& predicate);

bool IsOnChunks(const CompiledPredicate& predicate);

// The rows of `unit` that satisfy a predicate on documents, among all live ones.
Result<Bitmap> ScanDocPredicate(const ReadTransaction& transaction,
                                const CompiledPredicate& predicate, RowUnit unit);

// The chunk rowids among `within` that satisfy a predicate on chunks. `within` holds live rows.
Result<Bitmap> ScanChunkPredicate(const ReadTransaction& transaction,
                                  const CompiledPredicate& predicate, const Bitmap& within);

// Every live chunk or document.
Result<Bitmap> AllLive(const ReadTransaction& transaction, RowUnit unit);

}  // namespace recall
