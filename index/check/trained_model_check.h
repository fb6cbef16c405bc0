#pragma once

#include "storage/base/result.h"
#include "storage/check/check_run.h"

namespace recall {

// The models and their parts: every row is of a commit there has been, every part can be read.
// What a model says cannot be computed again: it was learnt from the chunks of its time.
Status CheckModels(CheckRun& run);

}  // namespace recall
