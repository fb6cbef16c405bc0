#pragma once

#include <string>

#include "index/search/snapshot/snapshot.h"
#include "query/types/list_types.h"

namespace recall {

// Lists the definitions of source code that have a name. Each is listed once, in the chunk that it
// begins in, if that chunk is within the scope. `commit_token` is the token of the commit that is
// read. Errors: InvalidArgument for an empty name or an invalid filter; Corruption.
Result<SymbolsResponse> FindSymbols(const Snapshot& snapshot, const SymbolsRequest& request,
                                    const std::string& commit_token);

// Why source code may have no definitions, for a warning.
std::string NoDefinitionsNote();

}  // namespace recall
