#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "storage/base/result.h"
#include "storage/fts5/fts_index.h"

namespace recall {

// Reads the postings of many tokens in one pass over FTS5's own tables, as FtsWords reads those of
// one: run by run, the newest first, and in a run by token. Of each token for which `wants` says
// true, `visit` gets the rows that the run has of it, with the counts of the column `body` alone: 0
// for a row that the run deletes from older ones, or that has it in the other column. What a newer
// run says of a row counts instead of what the older ones do. Rows outside first_row..last_row are
// left out. Valid until `visit` returns.
//
// Returns: false when FTS5 would have to be asked (ReadableFtsRuns), or pages are not what they
// should be; what was visited until then is worth nothing. Needs an open transaction.
// Cost: reads all leaves, decodes the postings of tokens that are wanted up to last_row.
Result<bool> ScanFtsBodies(Connection& connection, uint32_t first_row, uint32_t last_row,
                           const std::function<bool(std::string_view token)>& wants,
                           const std::function<void(const PostingList& postings)>& visit);

// Tells how many bytes each run has of each token's postings, without decoding any: a posting takes
// three or more, but for one that deletes another. Returns, needs: as above.
Result<bool> MeasureFtsLists(
    Connection& connection,
    const std::function<void(std::string_view token, uint64_t bytes)>& visit);

}  // namespace recall
