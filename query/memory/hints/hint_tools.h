#pragma once

#include <string>

#include "query/ask/retrieval/query_tools.h"

namespace recall {

// What all hints are made of. `commit_token` as in ResolveScope; `store_root`: absolute, the
// directory of the store. All must outlive the object.
struct HintTools {
  const Snapshot& snapshot;
  const QueryDependencies& deps;
  const std::string& commit_token;
  const std::string& store_root;
};

}  // namespace recall
