// Reads one column of consecutive rows.
//
// Problem. A filter on a field of chunks looks at every chunk within the other filters. SQLite
// needs some 250 nanoseconds for a row: it interprets an instruction for each step, decodes the
// header of the record up to the column, and copies the text.
//
// Idea. The leaves of the table's b-tree (https://sqlite.org/fileformat2.html, sections 1.6
// and 2.1) have the rows in order, and all columns before the wanted one are integers, whose serial
// types have one byte each. So the place of the value follows from a few bytes:
//
//   leaf cell      payload size | rowid | record
//   interior cell  left child 4 | the greatest rowid of the left child
//   record         header size, serial types: 0 (the rowid), integers, ... | integers, ...
//
// Invariants. Nothing is assumed about the bytes of a page. Rows are visited in ascending order,
// each once. A row that is not wholly on its page, or is not as expected, ends the scan before it
// is visited, and SQLite continues with it. So does a tree that is deeper than SQLite allows, or
// has more pages than the file.
//
// Cost: one descent, then a few bytes of each row.

#include "storage/btree/column_scan.h"

#include <algorithm>
#include <optional>
#include <string>

#include "storage/base/varint.h"
#include "storage/btree/btree_page.h"
#include "storage/btree/record_integer.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// A cell of a table's leaf.
struct RowCell {
  int64_t row = 0;
  const uint8_t* record = nullptr;  // null if it is not wholly on its page
  const uint8_t* end = nullptr;
};

class ColumnScan final {
 public:
  ColumnScan(Connection& connection, const PageLayout& layout, const ScannedColumn& column,
             uint32_t first, uint32_t last, const ScannedRowVisitor& visit)
      : connection_(connection),
        file_(*connection.page_file()),
        layout_(layout),
        column_(column),
        last_(last),
        visit_(visit),
        next_(first) {}

  Result<uint64_t> Run(uint32_t root, int64_t pages) {
    pages_left_ = pages;
    const bool complete = ScanSubtree(root, 0);
    if (connection_.interrupted()) {
      return Fail(Status::Cancelled(connection_.path() + ": interrupted"));
    }
    return complete ? static_cast<uint64_t>(last_) + 1 : next_;
  }

 private:
  // The functions below return false if SQLite has to continue from next_ on.

  bool ScanSubtree(uint32_t number, int level) {
    if (level == kMostBtreeLevels || --pages_left_ < 0 || connection_.interrupted()) return false;
    const BorrowedPage borrowed(file_, number, layout_.page_size());
    const std::optional<BtreePage> page =
        BtreePage::Open(borrowed.bytes(), layout_.usable(), kTablePages);
    if (!page) return false;
    if (page->is_leaf()) return ScanLeaf(*page);
    for (size_t cell = 0; cell <= page->cells(); ++cell) {
      int64_t greatest = last_;  // the rightmost child has no bound
      const bool is_rightmost = cell == page->cells();
      if (!is_rightmost && !ReadGreatest(*page, cell, &greatest)) return false;
      if (!is_rightmost && greatest < static_cast<int64_t>(next_)) continue;
      if (!ScanSubtree(page->ChildOf(cell), level + 1)) return false;
      if (greatest >= last_) return true;
    }
    return true;
  }

  static bool ReadGreatest(const BtreePage& page, size_t cell, int64_t* row) {
    const size_t offset = page.OffsetOf(cell) + BtreePage::kChildBytes;
    if (offset >= page.bytes().size()) return false;
    uint64_t value = 0;
    const uint8_t* const end = page.bytes().data() + page.bytes().size();
    if (ReadVarint(page.bytes().data() + offset, end, &value) == nullptr) return false;
    *row = static_cast<int64_t>(value);
    return true;
  }

  bool ScanLeaf(const BtreePage& page) {
    RowCell cell;
    size_t low = 0;
    for (size_t high = page.cells(); low < high;) {  // the first row that is not before next_
      const size_t middle = (low + high) / 2;
      if (!ReadCell(page, middle, &cell)) return false;
      if (cell.row < static_cast<int64_t>(next_)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (size_t place = low; place < page.cells(); ++place) {
      if (!ReadCell(page, place, &cell) || cell.row < static_cast<int64_t>(next_)) return false;
      if (cell.row > last_) return true;
      ScannedValue value;
      if (cell.record == nullptr || !ReadValue(cell, &value)) return false;
      visit_(static_cast<uint32_t>(cell.row), value);
      next_ = static_cast<uint64_t>(cell.row) + 1;
    }
    return true;
  }

  bool ReadCell(const BtreePage& page, size_t place, RowCell* cell) const {
    const uint8_t* const begin = page.bytes().data();
    const size_t usable = page.bytes().size();
    const size_t offset = page.OffsetOf(place);
    if (offset >= usable) return false;
    uint64_t size = 0;
    uint64_t row = 0;
    const uint8_t* at = ReadVarint(begin + offset, begin + usable, &size);
    if (at == nullptr || !(at = ReadVarint(at, begin + usable, &row))) return false;
    const size_t most_local = usable - 35;  // a longer payload overflows
    const bool is_whole = size <= most_local && size <= static_cast<size_t>(begin + usable - at);
    *cell = {static_cast<int64_t>(row), is_whole ? at : nullptr, is_whole ? at + size : nullptr};
    return true;
  }

  bool ReadValue(const RowCell& cell, ScannedValue* value) const {
    uint64_t header = 0;
    const uint8_t* at = ReadVarint(cell.record, cell.end, &header);
    if (at == nullptr || header > static_cast<size_t>(cell.end - cell.record)) return false;
    const uint8_t* const body = cell.record + header;
    if (at > body || static_cast<size_t>(body - at) <= column_.number) return false;
    const uint8_t* data = body;
    for (size_t i = 0; i < column_.number; ++i) {
      const int bytes = BytesOfInteger(at[i]);
      if (bytes < 0 || bytes > cell.end - data) return false;
      data += bytes;
    }
    at += column_.number;
    if (!column_.is_text) return ReadRecordInteger(*at, &data, cell.end, &value->number);
    uint64_t serial = 0;
    if (ReadVarint(at, body, &serial) == nullptr || serial < 13 || serial % 2 == 0) return false;
    const uint64_t length = (serial - 13) / 2;
    if (length > static_cast<size_t>(cell.end - data)) return false;
    value->text = {reinterpret_cast<const char*>(data), static_cast<size_t>(length)};
    return true;
  }

  Connection& connection_;
  PageFile& file_;
  const PageLayout layout_;
  const ScannedColumn column_;
  const int64_t last_;
  const ScannedRowVisitor& visit_;
  uint64_t next_;  // all rows before it are visited
  int64_t pages_left_ = 0;
};

}  // namespace

Result<uint64_t> ScanColumn(Connection& connection, const RowTableDefinition& table,
                            const ScannedColumn& column, uint32_t first, uint32_t last,
                            const ScannedRowVisitor& visit) {
  RECALL_ASSIGN(const std::optional<BtreeRoot> root,
                FindBtreeRoot(connection, "table", table.name, table.sql));
  if (!root) return first;
  RECALL_ASSIGN(const int64_t pages, connection.QueryInt("PRAGMA page_count"));
  return ColumnScan(connection, root->layout, column, first, last, visit).Run(root->page, pages);
}

}  // namespace recall
