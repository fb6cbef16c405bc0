#pragma once

#include <string>

#include "index/search/snapshot/snapshot.h"
#include "query/types/reference_types.h"

namespace recall {

// Finds the uses of the definitions of source code that have a name, the definitions that call
// them, or those that they call. Names in comments and texts do not count. Where several
// definitions have the name, a place counts for those with the strongest evidence (EvidenceOf).
// `store_root`: the directory of the store. `commit_token` is the token of the commit that is read.
// Errors: InvalidArgument for an empty name, a pattern or an invalid filter; NotFound for a place
// without a definition; Corruption.
Result<ReferencesResponse> FindReferences(const Snapshot& snapshot,
                                          const ReferencesRequest& request,
                                          const std::string& store_root,
                                          const std::string& commit_token);

}  // namespace recall
