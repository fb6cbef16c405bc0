#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "storage/base/result.h"
#include "storage/fts5/fts_instance_hash.h"

namespace recall {

class Connection;

// `rows` ascend. They are valid until the visitor returns.
using FtsTermVisitor =
    std::function<Status(std::string_view term, std::span<const FtsRowTokens> rows)>;

// Reads the whole full-text index, visits each term once, in ascending order, and compares every
// structure by which a query finds a term or a row with the lists themselves: the list of runs, the
// header and footer of each leaf, the keys of lexicon_idx, and the row indexes of long lists. What
// it accepts, FTS5's own 'integrity-check' accepts, too.
//
// Returns: false if only FTS5 can read the index (ReadableFtsRuns); nothing has been visited then.
// Errors: Corruption, with the place, at the first contradiction; those of the visitor and the
// connection. Requires: an open read transaction. Cost: about 10 ns a token; memory for the longest
// list, 16 bytes a row.
Result<bool> AuditFts(Connection& connection, const FtsTermVisitor& visit);

}  // namespace recall
