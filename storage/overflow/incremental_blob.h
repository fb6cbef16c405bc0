#pragma once

#include <cstdint>
#include <span>

#include "storage/base/coding.h"
#include "storage/base/result.h"

struct sqlite3_blob;

namespace recall {

class Connection;

// The data of one row of vec_data, read and written in pieces. Lives within one transaction and on
// one thread.
class IncrementalBlob final {
 public:
  enum class Access { kRead, kWrite };

  // Errors: Corruption if there is no such row.
  static Result<IncrementalBlob> Open(Connection& connection, int64_t id, Access access);
  IncrementalBlob(IncrementalBlob&& other) noexcept;
  IncrementalBlob& operator=(IncrementalBlob&&) = delete;
  ~IncrementalBlob();

  uint64_t size() const { return size_; }
  // Errors: Corruption if the piece is not within the data.
  Status Read(uint64_t offset, std::span<uint8_t> out);
  Status Write(uint64_t offset, ByteSpan bytes);

 private:
  IncrementalBlob(Connection* connection, sqlite3_blob* handle, int64_t id);
  Status CheckBounds(uint64_t offset, uint64_t bytes);
  Status PrimeFor(uint64_t end);

  Connection* connection_;
  sqlite3_blob* handle_;
  int64_t id_;
  uint64_t size_;
  bool primed_ = false;
};

}  // namespace recall
