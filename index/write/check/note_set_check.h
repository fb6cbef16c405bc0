#pragma once

#include "storage/check/check_run.h"

namespace recall {

class Connection;

// Compares the set of notes' chunks with the documents.
Status CheckNoteSet(CheckRun& run);

// Makes it again, inside a write transaction.
Status RepairNoteSet(Connection& connection);

}  // namespace recall
