#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "storage/base/result.h"
#include "storage/overflow/file_pages.h"

namespace recall {

// Chain page i of a row is file page map[i]. SQLite does not guarantee that they are consecutive.
using PageMap = std::vector<uint32_t>;

// Finds row `rowid` in the table b-tree rooted at page `root`. The row's data must have a length of
// PageLayout::BlobLength. Returns: the first page of its overflow chain. Requires, Errors: as
// FindChain.
Result<uint32_t> FindFirstPage(const FilePages& file, uint32_t root, int64_t rowid,
                               uint64_t blob_length);

// The same, and follows the whole chain.
//
// Requires: an open transaction whose snapshot is wholly in the file (checkpointed_snapshot.h). The
// result stays valid as long as PRAGMA schema_version is unchanged and the row is not deleted:
// without VACUUM or auto-vacuum SQLite never moves the overflow pages of an untouched row. Errors:
// Corruption, even if the file is merely not the expected snapshot. Visits the first
// kChainPageStart bytes of each page of the chain; an error of the visitor ends the walk.
inline constexpr size_t kChainPageStart = 64;
using ChainVisitor = std::function<Status(uint32_t ordinal, const uint8_t* start)>;
Result<PageMap> FindChain(const FilePages& file, uint32_t root, int64_t rowid, uint64_t blob_length,
                          const ChainVisitor& visit = {});

}  // namespace recall
