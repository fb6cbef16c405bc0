#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/region/page_layout.h"

namespace recall {

// A database file in memory, as pages numbered from 1. Its bytes are not trusted.
struct FilePages {
  ByteSpan bytes;
  PageLayout layout;
  // Of the same file, or -1. A page that is mapped but was never looked at costs a page fault and
  // later its removal from the page table, several times as long as reading some bytes of it.
  int descriptor = -1;

  // Null when the page does not lie wholly inside the file.
  const uint8_t* page(uint32_t number) const {
    if (number == 0 || uint64_t{number} * layout.page_size() > bytes.size()) return nullptr;
    return bytes.data() + (uint64_t{number} - 1) * layout.page_size();
  }
  // Copies what is at `from`, which lies in `bytes`. False when it cannot be read.
  bool Read(const uint8_t* from, std::span<uint8_t> to) const;
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
// Visits the first kChainPageStart bytes of each page of the chain; its error ends the walk.
inline constexpr size_t kChainPageStart = 64;
using ChainVisitor = std::function<Status(uint32_t ordinal, const uint8_t* start)>;
Result<PageMap> FindChain(const FilePages& file, uint32_t root, int64_t rowid, uint64_t blob_length,
                          const ChainVisitor& visit = {});

}  // namespace recall
