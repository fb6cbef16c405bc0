#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/postgres/libpq_library.h"
#include "storage/postgres/postgres_address.h"

namespace recall {

// A parameter of a statement, in PostgreSQL's binary format. Values never become SQL text.
class PostgresValue final {
 public:
  static PostgresValue Int64(int64_t value);
  static PostgresValue Text(std::string_view value);
  static PostgresValue Int32Array(const std::vector<uint32_t>& values);

  unsigned type() const { return type_; }
  const std::string& bytes() const { return bytes_; }

 private:
  PostgresValue(unsigned type, std::string bytes) : type_(type), bytes_(std::move(bytes)) {}
  unsigned type_;
  std::string bytes_;
};

// The rows that a statement returned. Values are in PostgreSQL's binary format.
class PostgresRows final {
 public:
  PostgresRows(const LibpqLibrary& pq, pg_result* result) : pq_(&pq), result_(result) {}
  ~PostgresRows() {
    if (result_ != nullptr) pq_->clear(result_);
  }
  PostgresRows(PostgresRows&& other) noexcept
      : pq_(other.pq_), result_(std::exchange(other.result_, nullptr)) {}
  PostgresRows& operator=(PostgresRows&&) = delete;

  int rows() const { return pq_->rows(result_); }
  // Returns the value of a column of type int4 or int8; 0 if it has another length.
  int64_t Int(int row, int column) const;
  bool Bool(int row, int column) const;
  ByteSpan Bytes(int row, int column) const;
  std::string Text(int row, int column) const;

 private:
  const LibpqLibrary* pq_;
  pg_result* result_;
};

// A connection to a PostgreSQL server. If the server is silent for longer than the address permits,
// the call fails and the connection is closed. Used by one thread at a time.
class PostgresSession final {
 public:
  // Errors: IoError if the server cannot be reached or refuses; Unsupported without libpq.
  static Result<std::unique_ptr<PostgresSession>> Connect(const PostgresAddress& address);
  ~PostgresSession();
  PostgresSession(const PostgresSession&) = delete;
  PostgresSession& operator=(const PostgresSession&) = delete;

  // Runs one statement. Errors: AlreadyExists for a violated unique constraint or a schema that
  // exists, NotFound for a missing table or schema, Busy for a lock that took too long, else
  // IoError.
  Result<PostgresRows> Run(const char* sql, const std::vector<PostgresValue>& values = {});
  Status Do(const char* sql, const std::vector<PostgresValue>& values = {});

  // Start sends a statement whose result may take long; callers then poll, without waiting, until
  // the result has arrived. Nothing else may be called in between.
  Status Start(const char* sql) { return Send(sql, {}); }
  Result<bool> IsAnswered();
  // Returns the result of the statement that Start sent, as Run would.
  Result<PostgresRows> Finish();

  // COPY ... FROM STDIN (FORMAT binary) is BeginCopy, CopyRow for each row, and EndCopy. After an
  // error, none of them may be called.
  Status BeginCopy(const char* sql);
  Status CopyRow(const std::vector<std::string_view>& binary_values);
  Status EndCopy();

  // The process that the server named when the connection began. Behind a pooler it is not the one
  // that runs the statements.
  int64_t announced_pid() const {
    return connection_ == nullptr ? 0 : pq_.backend_pid(connection_);
  }

  // Whether the connection was lost. Every call then fails.
  bool broken() const;
  // Whether the connection was lost because the server was silent for too long.
  bool timed_out() const { return connection_ == nullptr; }

 private:
  PostgresSession(const LibpqLibrary& pq, pg_conn* connection, const PostgresAddress& address)
      : pq_(pq),
        connection_(connection),
        shown_(address.shown),
        answer_timeout_ms_(address.answer_timeout_ms) {}
  // Waits until the socket can be read or, if `to_write`, also written. Reads what has arrived.
  Status Wait(bool to_write);
  // Sends what is buffered.
  Status Flush();
  Status Send(const char* sql, const std::vector<PostgresValue>& values);
  // Returns the last result of the statement, and drops those before it.
  Result<pg_result*> Receive();
  Status PutCopyData(std::string_view bytes);
  Status Failure(pg_result* result) const;

  const LibpqLibrary& pq_;
  pg_conn* connection_;  // null after a time-out
  const std::string shown_;
  const int answer_timeout_ms_;
};

}  // namespace recall
