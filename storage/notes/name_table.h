#pragma once

// The table `name` (docs/format/store.md, "Notes"): the paths that links, uses and reviews refer
// to. A name outlives the versions of its document, and the document itself.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

class Connection;

// Whether the store has the tables of notes. Stores of formats before 13 do not; nothing in them is
// a note, a link, a use or a review. Other functions of this room require it.
Result<bool> HasNoteTables(Connection& connection);

// The name of a path; nothing if there is none.
Result<std::optional<int64_t>> FindName(Connection& connection, std::string_view path);
// The path of a name. Errors: Corruption if the name does not exist: a row named it.
Result<std::string> PathOfName(Connection& connection, int64_t name);

// The name of a path, which is inserted if it is new. Requires: a write transaction.
Result<int64_t> FindOrInsertName(Connection& connection, std::string_view path);
// Forgets a path: its uses and reviews, and the links that leave or reach it, except those that the
// texts of other documents contain. The name stays if one of these reaches it. Requires: a write
// transaction; no live document has the path.
Status ForgetName(Connection& connection, std::string_view path);

}  // namespace recall
