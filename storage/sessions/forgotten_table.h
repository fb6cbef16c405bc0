#pragma once

// The table `forgotten` (docs/format/store.md, "Sessions"): paths of sessions that were deleted for
// good, and that neither capture, pull nor merge may bring back.

#include <set>
#include <string>
#include <string_view>

#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

// All of them; none in a store without the table.
Result<std::set<std::string>> ReadForgotten(Connection& connection);
// Requires: a write transaction.
Status WriteForgotten(Connection& connection, std::string_view path, UnixNanos at);

}  // namespace recall
