#include "storage/postgres/postgres_session.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

// Object ids of built-in types (pg_type.dat), which never change.
constexpr unsigned kInt8 = 20;
constexpr unsigned kInt4 = 23;
constexpr unsigned kText = 25;
constexpr unsigned kInt4Array = 1007;

void Append16(std::string* to, uint16_t value) {
  *to += static_cast<char>(value >> 8);
  *to += static_cast<char>(value);
}
void Append32(std::string* to, uint32_t value) {
  Append16(to, static_cast<uint16_t>(value >> 16));
  Append16(to, static_cast<uint16_t>(value));
}

std::string OneLine(const char* message) {
  std::string line = message == nullptr ? "" : message;
  std::ranges::replace(line, '\n', ' ');
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

PostgresValue PostgresValue::Int64(int64_t value) {
  std::string bytes;
  Append32(&bytes, static_cast<uint32_t>(static_cast<uint64_t>(value) >> 32));
  Append32(&bytes, static_cast<uint32_t>(value));
  return {kInt8, std::move(bytes)};
}

PostgresValue PostgresValue::Text(std::string_view value) { return {kText, std::string(value)}; }

// The binary format of an array: dimensions, flag for nulls, type; per dimension length and lower
// bound; then length and bytes of each element (array_send in arrayfuncs.c).
PostgresValue PostgresValue::Int32Array(const std::vector<uint32_t>& values) {
  std::string bytes;
  bytes.reserve(20 + 8 * values.size());
  Append32(&bytes, values.empty() ? 0 : 1);
  Append32(&bytes, 0);
  Append32(&bytes, kInt4);
  if (!values.empty()) {
    Append32(&bytes, static_cast<uint32_t>(values.size()));
    Append32(&bytes, 1);
  }
  for (const uint32_t value : values) {
    Append32(&bytes, 4);
    Append32(&bytes, value);
  }
  return {kInt4Array, std::move(bytes)};
}

int64_t PostgresRows::Int(int row, int column) const {
  const ByteSpan bytes = Bytes(row, column);
  if (bytes.size() == 4) return static_cast<int32_t>(LoadBig32(bytes.data()));
  if (bytes.size() != 8) return 0;
  return static_cast<int64_t>(uint64_t{LoadBig32(bytes.data())} << 32 |
                              LoadBig32(bytes.data() + 4));
}

ByteSpan PostgresRows::Bytes(int row, int column) const {
  return {reinterpret_cast<const uint8_t*>(pq_->value(result_, row, column)),
          static_cast<size_t>(pq_->length(result_, row, column))};
}

std::string PostgresRows::Text(int row, int column) const {
  const ByteSpan bytes = Bytes(row, column);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<std::unique_ptr<PostgresSession>> PostgresSession::Connect(const std::string& conninfo,
                                                                  const std::string& shown) {
  RECALL_ASSIGN(const LibpqLibrary* const pq, LibpqLibrary::Get());
  pg_conn* const connection = pq->connect(conninfo.c_str());
  std::unique_ptr<PostgresSession> session(new PostgresSession(*pq, connection, shown));
  if (connection == nullptr || pq->status(connection) != LibpqLibrary::kConnectionOk) {
    const std::string why = connection == nullptr ? "" : OneLine(pq->error_message(connection));
    return Fail(Status::IoError(shown + ": cannot connect: " + why,
                                "check that the server runs, and the address, role and password"));
  }
  pq->set_notice_processor(
      connection, [](void*, const char*) {}, nullptr);
  return session;
}

PostgresSession::~PostgresSession() {
  if (connection_ != nullptr) pq_.finish(connection_);
}

bool PostgresSession::broken() const {
  return pq_.status(connection_) != LibpqLibrary::kConnectionOk;
}

Status PostgresSession::Failure(pg_result* result) const {
  const char* const state =
      result == nullptr ? nullptr : pq_.result_error_field(result, LibpqLibrary::kSqlState);
  const std::string_view code = state == nullptr ? std::string_view() : state;
  const std::string message = shown_ + ": " + OneLine(pq_.error_message(connection_));
  // unique_violation, duplicate_schema; undefined_table, invalid_schema_name.
  if (code == "23505" || code == "42P06") return Status::AlreadyExists(message);
  if (code == "42P01" || code == "3F000") return Status::NotFound(message);
  return Status::IoError(message, "check the server's log; the command may be run again");
}

Result<PostgresRows> PostgresSession::Run(const char* sql,
                                          const std::vector<PostgresValue>& values) {
  std::vector<unsigned> types;
  std::vector<const char*> pointers;
  std::vector<int> lengths;
  std::vector<int> formats;
  for (const PostgresValue& value : values) {
    types.push_back(value.type());
    pointers.push_back(value.bytes().data());
    lengths.push_back(static_cast<int>(value.bytes().size()));
    formats.push_back(1);
  }
  pg_result* const result =
      pq_.exec_params(connection_, sql, static_cast<int>(values.size()), types.data(),
                      pointers.data(), lengths.data(), formats.data(), 1);
  PostgresRows rows(pq_, result);
  const int status = result == nullptr ? -1 : pq_.result_status(result);
  if (status == LibpqLibrary::kTuplesOk || status == LibpqLibrary::kCommandOk) return rows;
  return Fail(Failure(result));
}

Status PostgresSession::Do(const char* sql, const std::vector<PostgresValue>& values) {
  RECALL_ASSIGN([[maybe_unused]] const PostgresRows rows, Run(sql, values));
  return Status::Ok();
}

Status PostgresSession::BeginCopy(const char* sql) {
  const PostgresRows begun(pq_, nullptr);
  pg_result* const result = pq_.exec(connection_, sql);
  const bool ready = result != nullptr && pq_.result_status(result) == LibpqLibrary::kCopyIn;
  const Status failure = ready ? Status::Ok() : Failure(result);
  if (result != nullptr) pq_.clear(result);
  RECALL_TRY(failure);
  // Signature, flags, length of an extension (https://www.postgresql.org/docs/15/sql-copy.html).
  static constexpr char kHeader[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0";
  return pq_.put_copy_data(connection_, kHeader, sizeof(kHeader) - 1) == 1 ? Status::Ok()
                                                                           : Failure(nullptr);
}

Status PostgresSession::CopyRow(const std::vector<std::string_view>& binary_values) {
  std::string row;
  Append16(&row, static_cast<uint16_t>(binary_values.size()));
  for (const std::string_view value : binary_values) {
    Append32(&row, static_cast<uint32_t>(value.size()));
    row += value;
  }
  return pq_.put_copy_data(connection_, row.data(), static_cast<int>(row.size())) == 1
             ? Status::Ok()
             : Failure(nullptr);
}

Status PostgresSession::EndCopy() {
  static constexpr char kEnd[] = "\377\377";
  if (pq_.put_copy_data(connection_, kEnd, 2) != 1 || pq_.put_copy_end(connection_, nullptr) != 1) {
    return Failure(nullptr);
  }
  Status failure = Status::Ok();
  while (pg_result* const result = pq_.get_result(connection_)) {
    if (failure.ok() && pq_.result_status(result) != LibpqLibrary::kCommandOk) {
      failure = Failure(result);
    }
    pq_.clear(result);
  }
  return failure;
}

}  // namespace recall
