#pragma once

// The second copies of values that neither a text nor a hash confirms. SQLite's indexes of live
// documents hold their mtime, tag, source and path once more. Where a row and an index disagree,
// the side that is valid is right; if both are, nothing shows which one is damaged.

#include <string>

#include "storage/check/check_run.h"
#include "storage/sqlite/statement.h"

namespace recall {

class Connection;

// Compares the rows of live documents with these indexes. If a repair could replace the right value
// by a damaged one, forbids it.
Status CheckLabels(CheckRun& run);

// The reason why one of five consecutive columns of a row (mtime, tag, source, meta, origin) has a
// value that no document can have; empty if all are valid.
std::string LabelObjection(const Statement& row, int first_column);

// Rebuilds SQLite's indexes. A value of a row that is invalid is replaced by that of the index
// before the index is lost. Requires: a write transaction; CheckLabels has not forbidden the
// repair.
Status RepairSqliteIndexes(Connection& connection);

}  // namespace recall
