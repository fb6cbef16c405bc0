#pragma once

#include "storage/check/check_run.h"

namespace recall {

class Connection;

// Checks the records of links, uses and reviews, and compares `card` and `activity` with the
// documents and the logs.
Status CheckNotes(CheckRun& run);

// Fills `card` and `activity` again, inside a write transaction.
Status RepairNotes(Connection& connection);

}  // namespace recall
