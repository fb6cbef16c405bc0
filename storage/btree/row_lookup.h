#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "storage/base/coding.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

// A table as its definition in sqlite_schema states it, to the byte. Its columns are an INTEGER
// PRIMARY KEY and a BLOB.
struct BlobTableDefinition {
  const char* name;
  const char* sql;
};

// `index`: that of the rowid in the list. `data` is valid during the call.
using BlobVisitor = std::function<void(uint32_t index, ByteSpan data)>;

// Visits the BLOBs of those rows that exist, in their order, reading the pages of the file. Returns
// false, and visits nothing, if SQLite has to do this instead: if the snapshot does not lie in the
// main file, if pages are not mapped, if the table is not defined like this, or if a page or row is
// not as expected, damage included. Requires: an open transaction; `rows` is ascending.
// Cost: a third of a microsecond a row that is not in the CPU's cache.
Result<bool> VisitBlobs(Connection& connection, const BlobTableDefinition& table,
                        std::span<const uint32_t> rows, const BlobVisitor& visit);

}  // namespace recall
