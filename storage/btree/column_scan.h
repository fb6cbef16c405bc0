#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

class Connection;

// A table as its definition in sqlite_schema states it, to the byte. Its first column is the
// INTEGER PRIMARY KEY.
struct RowTableDefinition {
  const char* name;
  const char* sql;
};

// A column of it, by its number from 1 on: behind the rowid. All columns before it are integers.
struct ScannedColumn {
  size_t number = 1;
  bool is_text = false;  // else it is an integer
};

// The value of a row; only the one of the column's kind is set. The text is valid during the call.
struct ScannedValue {
  int64_t number = 0;  // NULL is 0
  std::string_view text = {};
};
using ScannedRowVisitor = std::function<void(uint32_t row, const ScannedValue& value)>;

// Visits the rows first .. last, ascending, reading the pages of the file. Returns: the first rowid
// that was not visited, from which on SQLite has to continue; last + 1 if all were visited. SQLite
// has to do it if the snapshot does not lie in the main file, if the table is not defined like
// this, or from a page or a row on that is not as expected, damage included. Requires: an open
// transaction; first <= last; the encoding UTF-8. Errors: Cancelled.
// Cost: with a filter on its text some 60 nanoseconds a row, checksums of the pages included.
Result<uint64_t> ScanColumn(Connection& connection, const RowTableDefinition& table,
                            const ScannedColumn& column, uint32_t first, uint32_t last,
                            const ScannedRowVisitor& visit);

}  // namespace recall
