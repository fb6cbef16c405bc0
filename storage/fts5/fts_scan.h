#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "storage/base/result.h"
#include "storage/fts5/fts_index.h"

namespace recall {

// Reads the postings of many tokens in one pass over FTS5's tables; FtsWords reads those of a
// single one. The scan goes run by run, newest first, and by token within a run. For each token
// that `wants` accepts, `visit` receives the rows that the run has of it, with their counts in the
// column `body` only. The count is 0 for a row that the run deletes from older runs, or that has
// the token only in the other column. A row in a newer run replaces the same row of older ones.
// Rows outside first_row..last_row are left out. The list is valid until `visit` returns.
//
// Returns: false if FTS5 must be used instead (ReadableFtsRuns), or if a leaf is damaged; then the
// lists visited so far must be discarded. Requires: an open transaction. Cost: reads all leaves,
// decodes the postings of the requested tokens up to last_row.
Result<bool> ScanFtsBodies(Connection& connection, uint32_t first_row, uint32_t last_row,
                           const std::function<bool(std::string_view token)>& wants,
                           const std::function<void(const PostingList& postings)>& visit);

// Reports how many bytes each run has of each token's postings, without decoding them. A posting
// takes three bytes or more, unless it deletes another one. Returns and requires the same as above.
Result<bool> MeasureFtsLists(
    Connection& connection,
    const std::function<void(std::string_view token, uint64_t bytes)>& visit);

}  // namespace recall
