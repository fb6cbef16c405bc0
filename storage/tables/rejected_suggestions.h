#pragma once

#include <set>
#include <string>
#include <string_view>

#include "storage/base/clock.h"
#include "storage/base/result.h"

namespace recall {

class Connection;

// The ids of suggestions (query/types/suggest_types.h) that somebody has rejected: rows of the
// table `meta` that older programs ignore.
Result<std::set<std::string>> ReadRejectedSuggestions(Connection& connection);
// Records (forgets) one, in the open write transaction.
Status WriteRejectedSuggestion(Connection& connection, std::string_view id, UnixNanos at);
Status DeleteRejectedSuggestion(Connection& connection, std::string_view id);

}  // namespace recall
