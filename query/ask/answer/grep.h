#pragma once

#include <string>

#include "index/search/snapshot/snapshot.h"
#include "query/types/grep_types.h"

namespace recall {

// Finds the lines of documents that match a pattern. `store_root`: the directory of the store.
// `commit_token` is the token of the commit that is read. The answer is the same for any number of
// threads. Errors: InvalidArgument for an invalid pattern or filter; NotFound if there is no
// document at any of the paths, without filter and patterns; Corruption.
Result<GrepResponse> FindLines(const Snapshot& snapshot, const GrepRequest& request,
                               const std::string& store_root, const std::string& commit_token);

}  // namespace recall
