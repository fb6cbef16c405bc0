#include "storage/overflow/incremental_blob.h"

#include <sqlite3.h>

#include <string>
#include <utility>

#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr char kBlobTable[] = "vec_data";
constexpr char kBlobColumn[] = "data";
// Reads that end before this offset do not need the whole chain: enough for a segment's header.
constexpr uint64_t kUnprimedBytes = 4096;

}  // namespace

Result<IncrementalBlob> IncrementalBlob::Open(Connection& connection, int64_t id, Access access) {
  sqlite3_blob* handle = nullptr;
  const int code = sqlite3_blob_open(connection.handle(), "main", kBlobTable, kBlobColumn, id,
                                     access == Access::kWrite ? 1 : 0, &handle);
  if (code == SQLITE_ERROR) {  // no such row, or the value is not a BLOB
    return Fail(Status::Corruption("segment " + std::to_string(id) +
                                   " has no data: " + sqlite3_errmsg(connection.handle())));
  }
  if (code != SQLITE_OK) {
    return Fail(connection.ToStatus(code, "open segment " + std::to_string(id)));
  }
  return IncrementalBlob(&connection, handle, id);
}

IncrementalBlob::IncrementalBlob(Connection* connection, sqlite3_blob* handle, int64_t id)
    : connection_(connection),
      handle_(handle),
      id_(id),
      size_(static_cast<uint64_t>(sqlite3_blob_bytes(handle))) {}

IncrementalBlob::IncrementalBlob(IncrementalBlob&& other) noexcept
    : connection_(other.connection_),
      handle_(std::exchange(other.handle_, nullptr)),
      id_(other.id_),
      size_(other.size_),
      primed_(other.primed_) {}

IncrementalBlob::~IncrementalBlob() {
  if (handle_ != nullptr) sqlite3_blob_close(handle_);  // cannot fail after reads
}

Status IncrementalBlob::Read(uint64_t offset, std::span<uint8_t> out) {
  RECALL_TRY(CheckBounds(offset, out.size()));
  RECALL_TRY(PrimeFor(offset + out.size()));
  const int code = sqlite3_blob_read(handle_, out.data(), static_cast<int>(out.size()),
                                     static_cast<int>(offset));
  if (code == SQLITE_OK) return Status::Ok();
  return connection_->ToStatus(code, "read segment " + std::to_string(id_));
}

Status IncrementalBlob::Write(uint64_t offset, ByteSpan bytes) {
  RECALL_TRY(CheckBounds(offset, bytes.size()));
  RECALL_TRY(PrimeFor(offset + bytes.size()));
  const int code = sqlite3_blob_write(handle_, bytes.data(), static_cast<int>(bytes.size()),
                                      static_cast<int>(offset));
  if (code == SQLITE_OK) return Status::Ok();
  return connection_->ToStatus(code, "write segment " + std::to_string(id_));
}

Status IncrementalBlob::CheckBounds(uint64_t offset, uint64_t bytes) {
  if (offset <= size_ && bytes <= size_ - offset) return Status::Ok();
  return Status::Corruption("segment " + std::to_string(id_) +
                            " is too short: " + std::to_string(size_) +
                            " bytes, expected at least " + std::to_string(offset + bytes));
}

// To reach page i, SQLite steps through the chain from the last page number that it has cached, and
// caches only the page it reads. Ascending reads therefore walk from the start each time, which is
// quadratic (38 s for 240,000 pages). Reading the last byte first caches all page numbers at once.
Status IncrementalBlob::PrimeFor(uint64_t end) {
  if (primed_ || end <= kUnprimedBytes) return Status::Ok();
  primed_ = true;
  uint8_t last;
  return Read(size_ - 1, std::span(&last, 1));
}

}  // namespace recall
