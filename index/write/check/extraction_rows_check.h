#pragma once

#include "storage/check/check_run.h"

namespace recall {

// Checks that each row of the table `extraction` belongs to a document, and that its places are in
// the text. Findings: kExtraction.
Status CheckExtractions(CheckRun& run);

}  // namespace recall
