// Reads the BLOBs of scattered rows.
//
// Problem. A search reads the words of 300 chunks from anywhere in a large table. SQLite descends
// to one row after another. On each page its binary search waits for memory five to seven times,
// because each cell that it compares is in another cache line. It needs nearly a microsecond a row,
// of which a fifth is computing.
//
// Idea. Read the rows past SQLite (btree_page.h), and let the CPU wait for many of them at once.
// Rowids mostly have no gaps, so the place of a row on its leaf follows from the rowid before the
// leaf, which the parent contains. The list is therefore walked four times. Each time, what the
// next one needs of every row is prefetched:
//
//   1  find the leaf, in the interior pages, which are few and in the cache
//   2  read the number of cells; prefetch the pointer to the cell at the presumed place
//   3  read the pointer; prefetch the cell
//   4  compare the rowid; if it is another one, search the leaf; keep the BLOB
//
//   leaf cell      payload size | rowid | header size, 0 (the rowid), serial type | BLOB
//   interior cell  left child 4 | the greatest rowid of the left child
//
// Invariants. Nothing is assumed about the bytes of a page. A cell that is not wholly on its page,
// or is no such row, ends the lookup before anything is visited, and SQLite does it all. So does a
// tree that is deeper than SQLite allows.
//
// Cost: O(log rows) for each row; three or four cache misses, most of which overlap.

#include "storage/btree/row_lookup.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "storage/base/varint.h"
#include "storage/btree/btree_page.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr size_t kCacheLine = 64;
// Newer versions of SQLite do not map the last page of a file. If more are not mapped, none is, and
// copying each page would take longer than asking SQLite, which keeps its copies.
constexpr int kMostCopies = 2;
constexpr size_t kPrefetchedBytes = 256;  // of a cell; the CPU fetches what follows

// A row that is looked up: its leaf, and the presumed place of its cell there.
struct Target {
  const uint8_t* leaf = nullptr;
  size_t place = 0;
};

struct Cell {
  int64_t row;
  ByteSpan payload;
};

// Reads a cell of a leaf. A payload of more than `most_local` bytes continues on another page.
// Returns: nothing if the cell is not wholly on the page.
std::optional<Cell> ReadCell(const BtreePage& page, size_t place, uint32_t most_local) {
  const size_t offset = page.OffsetOf(place);
  const uint8_t* const end = page.bytes().data() + page.bytes().size();
  if (offset >= page.bytes().size()) return std::nullopt;
  uint64_t size = 0;
  uint64_t row = 0;
  const uint8_t* at = ReadVarint(page.bytes().data() + offset, end, &size);
  if (at == nullptr) return std::nullopt;
  at = ReadVarint(at, end, &row);
  if (at == nullptr || size > most_local || size > static_cast<size_t>(end - at)) {
    return std::nullopt;
  }
  return Cell{static_cast<int64_t>(row), {at, static_cast<size_t>(size)}};
}

// The BLOB of a record (rowid, BLOB). Returns: nothing if it is another one.
std::optional<ByteSpan> BlobOf(ByteSpan payload) {
  const uint8_t* const end = payload.data() + payload.size();
  uint64_t header = 0;
  uint64_t row = 0;
  uint64_t serial = 0;
  const uint8_t* at = ReadVarint(payload.data(), end, &header);
  if (at == nullptr || header > payload.size()) return std::nullopt;
  const uint8_t* const body = payload.data() + header;
  if (at > body || !(at = ReadVarint(at, body, &row)) || row != 0) return std::nullopt;
  if (!(at = ReadVarint(at, body, &serial)) || at != body) return std::nullopt;
  const bool is_blob = serial >= 12 && serial % 2 == 0;
  if (!is_blob || (serial - 12) / 2 != static_cast<size_t>(end - body)) return std::nullopt;
  return ByteSpan(body, end);
}

// The greatest rowid of a cell's left child. Returns: nothing if it is not on the page.
std::optional<int64_t> GreatestOf(const BtreePage& page, size_t cell) {
  const size_t offset = page.OffsetOf(cell) + BtreePage::kChildBytes;
  if (offset >= page.bytes().size()) return std::nullopt;
  const uint8_t* const end = page.bytes().data() + page.bytes().size();
  uint64_t row = 0;
  if (ReadVarint(page.bytes().data() + offset, end, &row) == nullptr) return std::nullopt;
  return static_cast<int64_t>(row);
}

class RowLookup final {
 public:
  RowLookup(PageFile& file, const BtreeRoot& root, std::span<const uint32_t> rows)
      : file_(file), root_(root), rows_(rows) {}

  // Returns: the BLOBs, parallel to the rows, nothing for a row that does not exist; they are valid
  // as long as the object. Or nothing if SQLite has to do it.
  std::optional<std::vector<std::optional<ByteSpan>>> Find() {
    // A rowid before the least one may be anything; chunks begin with 0 or 1.
    if (!FindLeaves(root_.page, 0, rows_, -1) || !PrefetchPointers()) return std::nullopt;
    for (const Target& target : targets_) PrefetchCell(target);
    std::vector<std::optional<ByteSpan>> blobs(rows_.size());
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (!ReadBlob(targets_[i], rows_[i], &blobs[i])) return std::nullopt;
    }
    return blobs;
  }

 private:
  // The functions below return false if a page or a cell is not as expected.

  std::optional<BtreePage> Open(const uint8_t* bytes) const {
    return BtreePage::Open(bytes, root_.layout.usable(), kTablePages);
  }

  // Appends the targets of these rows, which are in this subtree if they exist. All its rowids are
  // greater than `after`.
  bool FindLeaves(uint32_t number, int level, std::span<const uint32_t> rows, int64_t after) {
    if (level == kMostBtreeLevels) return false;
    const BorrowedPage& borrowed = pages_.emplace_back(file_, number, root_.layout.page_size());
    const uint8_t* const bytes = borrowed.bytes();
    if (bytes == nullptr || (!borrowed.is_mapped() && ++copies_ > kMostCopies)) return false;
    // Reading the kind of a page of the lowest level would wait for memory.
    if (level == leaf_level_ || bytes[0] == kTablePages.leaf) {
      leaf_level_ = level;
      __builtin_prefetch(bytes);
      for (const uint32_t row : rows) {
        targets_.push_back({bytes, static_cast<size_t>(row - after - 1)});
      }
      return true;
    }
    const std::optional<BtreePage> page = Open(bytes);
    return page && FindInChildren(*page, level, rows, after);
  }

  bool FindInChildren(const BtreePage& page, int level, std::span<const uint32_t> rows,
                      int64_t after) {
    size_t cell = 0;
    while (!rows.empty()) {
      // The first cell whose left child may contain the row.
      size_t high = page.cells();
      int64_t last = std::numeric_limits<int64_t>::max();
      while (cell < high) {
        const size_t middle = (cell + high) / 2;
        const std::optional<int64_t> greatest = GreatestOf(page, middle);
        if (!greatest) return false;
        if (*greatest < rows.front()) {
          after = *greatest;
          cell = middle + 1;
        } else {
          last = *greatest;
          high = middle;
        }
      }
      const auto end =
          std::ranges::upper_bound(rows, last, {}, [](uint32_t row) -> int64_t { return row; });
      const auto count = static_cast<size_t>(end - rows.begin());
      if (!FindLeaves(page.ChildOf(cell), level + 1, rows.first(count), after)) return false;
      rows = rows.subspan(count);
    }
    return true;
  }

  bool PrefetchPointers() {
    for (Target& target : targets_) {
      const std::optional<BtreePage> page = Open(target.leaf);
      if (!page || !page->is_leaf()) return false;
      target.place = page->cells() == 0 ? 0 : std::min(target.place, page->cells() - 1);
      __builtin_prefetch(target.leaf + BtreePage::kLeafHeaderBytes + 2 * target.place);
    }
    return true;
  }

  void PrefetchCell(const Target& target) const {
    const BtreePage page = *Open(target.leaf);
    if (page.cells() == 0) return;
    const size_t offset = page.OffsetOf(target.place);
    const size_t end = std::min(offset + kPrefetchedBytes, page.bytes().size());
    for (size_t at = offset; at < end; at += kCacheLine) __builtin_prefetch(target.leaf + at);
  }

  bool ReadBlob(const Target& target, int64_t row, std::optional<ByteSpan>* blob) const {
    const BtreePage page = *Open(target.leaf);
    size_t place = target.place;
    size_t low = 0;
    size_t high = page.cells();
    for (; low < high; place = (low + high) / 2) {
      const std::optional<Cell> cell = ReadCell(page, place, root_.layout.max_local());
      if (!cell) return false;
      if (cell->row == row) {
        *blob = BlobOf(cell->payload);
        return blob->has_value();
      }
      if (cell->row < row) {
        low = place + 1;
      } else {
        high = place;
      }
    }
    return true;
  }

  PageFile& file_;
  const BtreeRoot root_;
  const std::span<const uint32_t> rows_;
  int leaf_level_ = -1;             // once a leaf is known: all leaves are on the same level
  int copies_ = 0;                  // pages that are not mapped
  std::deque<BorrowedPage> pages_;  // which stay mapped
  std::vector<Target> targets_;     // parallel to rows_
};

}  // namespace

Result<bool> VisitBlobs(Connection& connection, const BlobTableDefinition& table,
                        std::span<const uint32_t> rows, const BlobVisitor& visit) {
  if (rows.empty()) return true;
  RECALL_ASSIGN(const std::optional<BtreeRoot> root,
                FindBtreeRoot(connection, "table", table.name, table.sql));
  if (!root) return false;
  RowLookup lookup(*connection.page_file(), *root, rows);
  const auto blobs = lookup.Find();
  if (!blobs) return false;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    if ((*blobs)[i]) visit(i, *(*blobs)[i]);
  }
  return true;
}

}  // namespace recall
