#pragma once

// Checks of the checksums of pages, and repairs that these checksums prove.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "storage/check/check_run.h"
#include "storage/check/file_check.h"

namespace recall {

// Compares every page in use with its checksum. Returns the pages that do not match, from 1.
Result<std::set<uint32_t>> CheckPages(CheckRun& run, const FileFacts& facts);

// Returns those of the pages whose contents the other checks compare with what they are derived
// from: pages of indexes and derived tables, of texts and chunks, and free pages. None if this
// SQLite has no dbstat table.
Result<std::set<uint32_t>> SelectComparedPages(Connection& connection,
                                               const std::set<uint32_t>& pages);

// Restores pages in which a single bit is wrong; the checksums say which, and confirm the result.
// Other pages are not changed. Requires: a write transaction that has changed nothing, on a
// connection that is not used afterwards, because SQLite's cache may have the damaged pages.
Status CorrectPages(Connection& connection, const std::set<uint32_t>& pages);

// The first page of a file as it was, if a single bit of it is wrong now. For files that SQLite
// cannot open because their header or schema is damaged.
std::optional<std::vector<uint8_t>> CorrectedFirstPage(int descriptor);
// Writes it, past SQLite, and makes it durable. Requires: the turn in the writer queue;
// `descriptor` is open for writing. Errors: IoError.
Status WriteFirstPage(const std::string& path, int descriptor, ByteSpan page);

// Gives pages the checksums of their present contents. Requires: as for CorrectPages.
Status AcceptPages(Connection& connection, const std::set<uint32_t>& pages);

}  // namespace recall
