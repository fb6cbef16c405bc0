#pragma once

#include <memory>
#include <vector>

#include "storage/sqlite/connection.h"

namespace recall {

// Begins a read transaction on `first`, and on those of `others`, so that all read the same commit,
// whatever other processes do meanwhile. If this does not succeed after a few attempts, because of
// frequent commits, or if one of the others cannot read, removes the others. Errors: those of
// `first`. Requires: connections to one file, without a transaction.
Status BeginTogether(Connection& first, std::vector<std::unique_ptr<Connection>>* others);

}  // namespace recall
