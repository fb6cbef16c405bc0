#pragma once

#include <string>

#include "query/ask/retrieval/ranking.h"
#include "query/types/query_types.h"

namespace recall {

// Answers an RQL query: calls read(answer without rows, rows) once. `store`: with the token of the
// commit, as in ResolveScope. Returns: the answer without rows, with all timings. Errors:
// InvalidArgument, with a position, for an invalid query; those of ResolveFilter, Rank and `read`.
Result<QueryResponse> RunQuery(const Snapshot& snapshot, const QueryDependencies& deps,
                               const QueryRequest& request, const StoreSummary& store,
                               const QueryReader& read);

}  // namespace recall
