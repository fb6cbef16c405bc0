#pragma once

#include "query/memory/hints/hint_tools.h"
#include "query/types/hint_types.h"

namespace recall {

// Says what bears on an occasion, in at most the budget, or nothing. Notes that are obsolete,
// expired or private are never quoted. Writes nothing. Errors: InvalidArgument for a budget below
// 1; those of RunSearch, RunDue and NoteRecords::LinksAt.
Result<HintResponse> RunHints(const HintTools& tools, const HintRequest& request);

}  // namespace recall
