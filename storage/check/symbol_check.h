#pragma once

#include "storage/check/check_run.h"

namespace recall {

// Checks that each row of the table `symbol` belongs to a chunk and lies in the text of its
// document, and that each row of `code_grammar` belongs to a document. Nothing but the source code
// says which definitions it has, so damage cannot be repaired. Findings: kSymbols.
Status CheckSymbols(CheckRun& run);

}  // namespace recall
