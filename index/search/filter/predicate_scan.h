#pragma once

#include <cstddef>
#include <string_view>

#include "index/search/bitmap/bitmap.h"
#include "index/search/filter/field_table.h"
#include "index/search/filter/predicate_matcher.h"
#include "storage/documents/live_scan.h"

namespace recall {

// The number of hexadecimal digits of the id of a document or chunk.
inline constexpr size_t kIdDigits = 64;

// The method by which a predicate is evaluated.
struct ScanMethod {
  std::string_view name;  // "index on tag", "scan of chunk texts"
  int cost = 0;           // relative; cheaper predicates are evaluated first
};
ScanMethod MethodOf(const CompiledPredicate& predicate);

bool IsOnChunks(const CompiledPredicate& predicate);

// Whether the index on names of symbols has what satisfies the predicate in few ranges.
bool IsByName(const CompiledPredicate& predicate, SymbolText text);

// The functions below evaluate a predicate on a column of one type, that of its field. Errors of
// all: Corruption, LimitExceeded if document rows exceed 32 bits.

// The rows of `unit` that satisfy the predicate, among all live ones.
Result<Bitmap> ScanDocPredicate(const ReadTransaction& transaction,
                                const CompiledPredicate& predicate, const DocColumn& column,
                                RowUnit unit);
// The same. Links to and from live documents that are not in `linkable` do not exist; null: all do.
Result<Bitmap> ScanNotePredicate(const ReadTransaction& transaction,
                                 const CompiledPredicate& predicate, const ComputedColumn& column,
                                 RowUnit unit, const Bitmap* linkable);

// The chunk rowids among `within` that satisfy the predicate. `within` contains live rows only.
Result<Bitmap> ScanChunkPredicate(const ReadTransaction& transaction,
                                  const CompiledPredicate& predicate, const ChunkColumn& column,
                                  const Bitmap& within);
Result<Bitmap> ScanPartPredicate(const ReadTransaction& transaction,
                                 const CompiledPredicate& predicate, const PartColumn& column,
                                 const Bitmap& within);

// The rows of all live sessions.
Result<Bitmap> AllSessions(const ReadTransaction& transaction, RowUnit unit);

// All live chunks or documents.
Result<Bitmap> AllLive(const ReadTransaction& transaction, RowUnit unit);

}  // namespace recall
