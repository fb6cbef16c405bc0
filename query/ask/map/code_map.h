#pragma once

#include <string>

#include "index/search/snapshot/snapshot.h"
#include "query/types/map_types.h"

namespace recall {

// Makes a map of the source code in the scope of the request. `store_root`: the directory of the
// store. `commit_token` is the token of the commit that is read. The answer is the same for any
// number of threads, and does not depend on the order in which documents were added. Errors:
// InvalidArgument for a budget below 1 or an invalid filter; NotFound if there is no document at
// any of the paths, without filter and patterns; those of TokenCounter::Open; Corruption.
Result<MapResponse> MakeMap(const Snapshot& snapshot, const MapRequest& request,
                            const std::string& store_root, const std::string& commit_token);

}  // namespace recall
