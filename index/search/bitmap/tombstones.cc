#include "index/search/bitmap/tombstones.h"

#include "storage/base/bytes.h"

namespace recall {

Result<Bitmap> ReadTombstones(const ReadTransaction& transaction) {
  RECALL_ASSIGN(const std::string bytes, transaction.TombstoneBytes());
  auto removed = Bitmap::Parse(AsBytes(bytes));
  if (!removed) return Fail(removed.error().WithContext("read the tombstones"));
  const SnapshotRows* snapshot = transaction.snapshot_rows();
  if (snapshot == nullptr) return removed;
  for (const SnapshotRows::Range& range : snapshot->revived) {
    removed->RemoveRange(range.first, range.first + range.count - 1);
  }
  if (snapshot->next_chunk < snapshot->present_next_chunk) {
    removed->AddRange(static_cast<uint32_t>(snapshot->next_chunk),
                      static_cast<uint32_t>(snapshot->present_next_chunk - 1));
  }
  return removed;
}

Status WriteTombstones(WriteTransaction& transaction, const Bitmap& tombstones) {
  const std::string bytes = tombstones.Empty() ? std::string() : tombstones.Serialize();
  return transaction.SetTombstoneBytes(AsBytes(bytes));
}

}  // namespace recall
