#pragma once

#include "storage/base/result.h"
#include "storage/check/check_run.h"

namespace recall {

// Checks the models and their parts: every row belongs to an existing commit, and every part can be
// read. The contents of a model cannot be computed again, because it was trained on the chunks of
// its time.
Status CheckModels(CheckRun& run);

}  // namespace recall
