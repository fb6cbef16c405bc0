#include "storage/btree/btree_page.h"

#include "storage/overflow/checkpointed_snapshot.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr size_t kCellCountAt = 3;
constexpr size_t kRightChildAt = 8;
constexpr size_t kInteriorHeaderBytes = 12;

}  // namespace

Result<std::optional<BtreeRoot>> FindBtreeRoot(Connection& connection, const char* type,
                                               const char* name, const char* sql) {
  if (!connection.features().file_format || connection.page_file() == nullptr ||
      !SnapshotIsInMainFile(connection)) {
    return std::nullopt;
  }
  RECALL_ASSIGN(Statement * cached,
                connection.Cached("SELECT rootpage FROM main.sqlite_schema "
                                  "WHERE type = ?1 AND name = ?2 AND sql = ?3"));
  const StatementScope select(cached);
  select->BindText(1, type);
  select->BindText(2, name);
  select->BindText(3, sql);
  RECALL_ASSIGN(const bool found, select->Step());
  if (!found || select->ColumnInt(0) == 0) return std::nullopt;
  RECALL_ASSIGN(const PageLayout layout, ReadPageLayout(connection));
  return BtreeRoot{static_cast<uint32_t>(select->ColumnInt(0)), layout};
}

BorrowedPage::BorrowedPage(PageFile& file, uint32_t number, uint32_t page_size)
    : file_(file), number_(number), mapped_(file.MapPage(number)) {
  if (mapped_ != nullptr) return;
  copy_.resize(page_size);
  if (!file.CopyPage(number, copy_)) copy_.clear();
}

BorrowedPage::~BorrowedPage() {
  if (mapped_ != nullptr) file_.UnmapPage(number_, mapped_);
}

std::optional<BtreePage> BtreePage::Open(const uint8_t* bytes, uint32_t usable, BtreeKinds kinds) {
  if (bytes == nullptr) return std::nullopt;
  BtreePage page;
  page.is_leaf_ = bytes[0] == kinds.leaf;
  if (!page.is_leaf_ && bytes[0] != kinds.interior) return std::nullopt;
  const size_t header = page.is_leaf_ ? kLeafHeaderBytes : kInteriorHeaderBytes;
  page.bytes_ = {bytes, usable};
  page.cells_ = LoadBig16(bytes + kCellCountAt);
  if (header + 2 * page.cells_ > usable) return std::nullopt;
  page.pointers_ = bytes + header;
  return page;
}

uint32_t BtreePage::ChildOf(size_t cell) const {
  const size_t offset = cell == cells_ ? kRightChildAt : OffsetOf(cell);
  return offset + kChildBytes > bytes_.size() ? 0 : LoadBig32(bytes_.data() + offset);
}

}  // namespace recall
