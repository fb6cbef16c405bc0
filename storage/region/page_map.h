#pragma once

#include <cstdint>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/region/page_layout.h"

namespace recall {

// A database file in memory, as pages numbered from 1. Its bytes are not trusted.
struct FilePages {
  ByteSpan bytes;
  PageLayout layout;

  // Null when the page does not lie wholly inside the file.
  const uint8_t* page(uint32_t number) const {
    if (number == 0 || uint64_t{number} * layout.page_size() > bytes.size()) return nullptr;
    return bytes.data() + (uint64_t{number} - 1) * layout.page_size();
  }
};

// Chain page i of a row is file page map[i]. SQLite gives no promise that they are consecutive.
using PageMap = std::vector<uint32_t>;

// Finds row `rowid` in the table b-tree rooted at page `root` and walks its overflow chain. The
// row must be one of PageLayout::BlobLength's.
//
// Requires: an open transaction whose snapshot lies wholly in the file (certified_snapshot.h).
// The result stays true as long as PRAGMA schema_version is the same and the row is not deleted:
// without VACUUM or auto-vacuum SQLite never moves the overflow pages of an untouched row.
// Errors: Corruption, also when the file merely is not the snapshot that was expected.
// Cost: one cache line a page.
Result<PageMap> FindChain(const FilePages& file, uint32_t root, int64_t rowid,
                          uint64_t blob_length);

}  // namespace recall
