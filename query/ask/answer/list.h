#pragma once

#include <string>

#include "query/types/list_types.h"
#include "query/types/query_types.h"
#include "storage/base/result.h"

namespace recall {

// Returns: the query that lists documents. `store_root`: the directory of the store. Errors: those
// of parsing the filter.
Result<QueryRequest> QueryOfList(const ListRequest& request, const std::string& store_root);

// Whether it is an error if nothing is found: documents were named, neither by filter nor by
// pattern.
bool NamesDocuments(const ListRequest& request);

}  // namespace recall
