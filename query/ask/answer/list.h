#pragma once

#include <string>
#include <vector>

#include "query/types/list_types.h"
#include "query/types/query_types.h"
#include "storage/base/result.h"

namespace recall {

// Returns: the query that lists documents. `store_root`: the directory of the store. `ignore_case`:
// whether paths and patterns also mean those with other upper and lower case (of ASCII letters).
// Errors: those of parsing the filter.
Result<QueryRequest> QueryOfList(const ListRequest& request, const std::string& store_root,
                                 bool ignore_case);

// Returns: a filter of the documents of `paths` (ListRequest::paths) that satisfy `filter`; "" if
// these are all. Errors: those of parsing the filter.
Result<std::string> FilterWithPaths(const std::vector<std::string>& paths,
                                    const std::string& filter, const std::string& store_root,
                                    bool ignore_case);

// Whether it is an error if nothing is found: documents were named, neither by filter nor by
// pattern.
bool NamesDocuments(const ListRequest& request);
Status NoDocumentAt(const std::string& path);

}  // namespace recall
