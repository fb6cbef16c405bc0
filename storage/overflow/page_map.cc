#include "storage/overflow/page_map.h"

#include <array>
#include <optional>
#include <string>

#include "storage/base/varint.h"

namespace recall {
namespace {

// Finds the pages of a large BLOB in the database file without SQLite, in two steps:
//
//   table b-tree of vec_data                 overflow chain
//     root                                     page a: next = b | data ...
//      \  binary search in each page           page b: next = c | data ...
//       leaf: cell (P, rowid, header, ..., a)  ...
//
// 1. Descend the b-tree by row id. A cell of an interior page leads to the rows up to its key, the
//    rightmost child to all greater ones. The last four bytes of the leaf cell are the first page.
// 2. Follow the chain. Every page begins with the number of the next one.
//
// Invariants: the bytes are untrusted and may be those of a page that was freed, so every offset is
// checked against the page and every page number against the file. Depth and chain length are
// bounded, so cycles end. The payload size in the cell must be the expected one, and only BLOB
// lengths with a fixed layout (PageLayout::BlobLength) are accepted. The result is right only in a
// snapshot that is wholly in the file (checkpointed_snapshot.h).
//
// Cost: O(depth log cells) for the first page, one read of 64 bytes per page of the chain. Source:
// https://www.sqlite.org/fileformat2.html, sections 1.6 "B-tree Pages" and 1.7 "Cell Payload
// Overflow Pages".

constexpr uint8_t kInteriorPage = 0x05;
constexpr uint8_t kLeafPage = 0x0d;
constexpr uint32_t kFileHeaderBytes = 100;  // before the b-tree header of page 1
constexpr int kMaxDepth = 20;               // SQLite's BTCURSOR_MAX_DEPTH

Status DamagedChain(int64_t rowid, const std::string& what) {
  return Status::Corruption("page map of row " + std::to_string(rowid) + ": " + what);
}

std::optional<uint64_t> ReadVarintAt(ByteSpan page, size_t* position) {
  if (*position > page.size()) return std::nullopt;
  uint64_t value = 0;
  const uint8_t* const end = page.data() + page.size();
  const uint8_t* const behind = ReadVarint(page.data() + *position, end, &value);
  if (!behind) return std::nullopt;
  *position = static_cast<size_t>(behind - page.data());
  return value;
}

// One page of a table b-tree:
//   0  1  type           3  2  number of cells
//   8  4  rightmost child (interior only), then 2 bytes a cell: its offset in the page
//   interior cell: child page (4), varint rowid
//   leaf cell:     varint payload, varint rowid, payload
class BtreePage final {
 public:
  static std::optional<BtreePage> Open(const FilePages& file, uint32_t number) {
    const uint8_t* start = file.Load(number);
    if (start == nullptr) return std::nullopt;
    BtreePage page;
    page.bytes_ = ByteSpan(start, file.layout.usable());
    const uint32_t header = number == 1 ? kFileHeaderBytes : 0;
    const uint8_t type = start[header];
    if (type != kLeafPage && type != kInteriorPage) return std::nullopt;
    page.leaf_ = type == kLeafPage;
    page.cells_ = LoadBig16(start + header + 3);
    page.rightmost_ = LoadBig32(start + header + 8);
    page.pointers_ = header + (page.leaf_ ? 8 : 12);
    if (page.pointers_ + 2 * page.cells_ > page.bytes_.size()) return std::nullopt;
    return page;
  }

  bool leaf() const { return leaf_; }
  uint32_t cells() const { return cells_; }
  ByteSpan bytes() const { return bytes_; }

  struct Cell {
    int64_t rowid;
    uint64_t payload;  // leaf
    size_t body;       // leaf: offset of the payload
    uint32_t child;    // interior: rows up to `rowid`
  };

  std::optional<Cell> ReadCell(uint32_t index) const {
    size_t position = LoadBig16(bytes_.data() + pointers_ + 2 * size_t{index});
    Cell cell{};
    if (leaf_) {
      const std::optional<uint64_t> payload = ReadVarintAt(bytes_, &position);
      if (!payload) return std::nullopt;
      cell.payload = *payload;
    } else {
      if (position + 4 > bytes_.size()) return std::nullopt;
      cell.child = LoadBig32(bytes_.data() + position);
      position += 4;
    }
    const std::optional<uint64_t> rowid = ReadVarintAt(bytes_, &position);
    if (!rowid) return std::nullopt;
    cell.rowid = static_cast<int64_t>(*rowid);
    cell.body = position;
    return cell;
  }

  // The first cell whose row id is at least `rowid`; if there is none, a cell with the rightmost
  // child. Nothing if a cell is malformed, or if a leaf has no such cell.
  std::optional<Cell> LowerBound(int64_t rowid) const {
    uint32_t low = 0;
    uint32_t high = cells_;
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      const std::optional<Cell> cell = ReadCell(middle);
      if (!cell) return std::nullopt;
      if (cell->rowid < rowid) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low < cells_) return ReadCell(low);
    if (leaf_) return std::nullopt;
    return Cell{.rowid = rowid, .payload = 0, .body = 0, .child = rightmost_};
  }

 private:
  ByteSpan bytes_;
  bool leaf_ = false;
  uint32_t cells_ = 0;
  uint32_t rightmost_ = 0;
  size_t pointers_ = 0;
};

}  // namespace

Result<uint32_t> FindFirstPage(const FilePages& file, uint32_t root, int64_t rowid,
                               uint64_t blob_length) {
  const uint64_t payload = blob_length + PageLayout::RecordHeaderBytes(blob_length);
  if (file.layout.ChainPages(payload) > file.bytes.size() / file.layout.page_size()) {
    return Fail(DamagedChain(rowid, "the file is shorter than the row"));
  }
  uint32_t number = root;
  for (int depth = 0; depth < kMaxDepth; ++depth) {
    const std::optional<BtreePage> page = BtreePage::Open(file, number);
    if (!page) {
      return Fail(DamagedChain(rowid, "page " + std::to_string(number) + " is not a b-tree page"));
    }
    const std::optional<BtreePage::Cell> cell = page->LowerBound(rowid);
    if (!cell) return Fail(DamagedChain(rowid, "the row is not in the file"));
    if (!page->leaf()) {
      number = cell->child;
      continue;
    }
    if (cell->rowid != rowid) return Fail(DamagedChain(rowid, "the row is not in the file"));
    const size_t pointer = cell->body + file.layout.LocalBytes(payload);
    if (cell->payload != payload || pointer + 4 > page->bytes().size()) {
      return Fail(DamagedChain(rowid, "the row has an unexpected length"));
    }
    return LoadBig32(page->bytes().data() + pointer);
  }
  return Fail(DamagedChain(rowid, "the b-tree is too deep"));
}

Result<PageMap> FindChain(const FilePages& file, uint32_t root, int64_t rowid, uint64_t blob_length,
                          const ChainVisitor& visit) {
  RECALL_ASSIGN(uint32_t number, FindFirstPage(file, root, rowid, blob_length));
  const uint64_t payload = blob_length + PageLayout::RecordHeaderBytes(blob_length);
  const uint64_t pages = file.layout.ChainPages(payload);
  PageMap map;
  map.reserve(pages);
  std::array<uint8_t, kChainPageStart> start;
  for (uint64_t i = 0; i < pages; ++i) {  // also ends a cycle
    const uint8_t* const page = file.page(number);
    if (page == nullptr || !file.Read(page, start)) {
      return Fail(DamagedChain(rowid, "page " + std::to_string(number) + " is outside the file"));
    }
    if (visit) RECALL_TRY(visit(static_cast<uint32_t>(i), start.data()));
    map.push_back(number);
    number = LoadBig32(start.data());
  }
  if (number != 0) return Fail(DamagedChain(rowid, "the chain is longer than the row"));
  return map;
}

}  // namespace recall
