#pragma once

#include <string>

#include "query/ask/retrieval/query_tools.h"
#include "query/types/hint_types.h"

namespace recall {

// What all hints are made of. `commit_token` as in ResolveScope; `store_root`: absolute, the
// directory of the store. All must outlive the call.
struct HintTools {
  const Snapshot& snapshot;
  const QueryDependencies& deps;
  const std::string& commit_token;
  const std::string& store_root;
};

// Says what bears on an occasion, in at most the budget, or nothing. Notes that are obsolete,
// expired or private are never quoted. Writes nothing. Errors: those of RunSearch, RunDue and
// NoteRecords::LinksAt.
Result<HintResponse> RunHints(const HintTools& tools, const HintRequest& request);

}  // namespace recall
