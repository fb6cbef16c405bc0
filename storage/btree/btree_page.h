#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/overflow/page_layout.h"
#include "storage/sqlite/page_vfs.h"

namespace recall {

class Connection;

// Pages of SQLite's b-trees (https://sqlite.org/fileformat2.html, section 1.6), read past SQLite:
//
//   leaf       header 8  | cell pointers, in order | ... | cells
//   interior   header 12 | cell pointers           | ... | cells, each of which begins with a child
//
// Pages come from the VFS, which maps them and compares them with their checksums as it does for
// SQLite. They are those of the open transaction only if its snapshot lies in the main file
// (storage/overflow/checkpointed_snapshot.h). Their bytes are untrusted.

// The kinds of pages of one tree.
struct BtreeKinds {
  uint8_t interior;
  uint8_t leaf;
};
inline constexpr BtreeKinds kIndexPages{2, 10};
inline constexpr BtreeKinds kTablePages{5, 13};

// The maximum depth of a tree: BTCURSOR_MAX_DEPTH.
inline constexpr int kMostBtreeLevels = 20;

// Where a tree begins.
struct BtreeRoot {
  uint32_t page;
  PageLayout layout;
};

// Finds the tree of a table or an index that is defined exactly like this in sqlite_schema.
// Returns: nothing if there is none, or if the pages of the snapshot cannot be read past SQLite.
// Requires: an open transaction. Cost: three small statements.
Result<std::optional<BtreeRoot>> FindBtreeRoot(Connection& connection, const char* type,
                                               const char* name, const char* sql);

// A page of the main file, in SQLite's mapping if it is there, else copied.
class BorrowedPage final {
 public:
  BorrowedPage(PageFile& file, uint32_t number, uint32_t page_size);
  ~BorrowedPage();
  BorrowedPage(const BorrowedPage&) = delete;
  BorrowedPage& operator=(const BorrowedPage&) = delete;

  // Null if the page cannot be read.
  const uint8_t* bytes() const {
    if (mapped_ != nullptr) return mapped_;
    return copy_.empty() ? nullptr : copy_.data();
  }
  bool is_mapped() const { return mapped_ != nullptr; }

 private:
  PageFile& file_;
  const uint32_t number_;
  const uint8_t* const mapped_;
  std::vector<uint8_t> copy_;
};

// The cells of a page. A view: the bytes must outlive it.
class BtreePage final {
 public:
  static constexpr size_t kLeafHeaderBytes = 8;
  static constexpr size_t kChildBytes = 4;

  // `bytes`: a page, or null; `usable`: its bytes without the reserved ones. Returns: nothing if it
  // is of another kind, or if the cell pointers do not fit.
  static std::optional<BtreePage> Open(const uint8_t* bytes, uint32_t usable, BtreeKinds kinds);

  ByteSpan bytes() const { return bytes_; }  // without the reserved ones
  bool is_leaf() const { return is_leaf_; }
  size_t cells() const { return cells_; }

  // Where a cell begins, perhaps behind the page. Requires: cell < cells().
  size_t OffsetOf(size_t cell) const { return LoadBig16(pointers_ + 2 * cell); }

  // The left child of a cell, or the rightmost one for cells(). 0 if it is not on the page.
  // Requires: an interior page.
  uint32_t ChildOf(size_t cell) const;

 private:
  ByteSpan bytes_;
  const uint8_t* pointers_ = nullptr;
  size_t cells_ = 0;
  bool is_leaf_ = false;
};

}  // namespace recall
