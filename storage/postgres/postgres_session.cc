#include "storage/postgres/postgres_session.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
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

// PostgreSQL keeps 63 bytes of a name.
std::string HostName() {
  std::array<char, 41> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

std::string OneLine(const char* message) {
  std::string line = message == nullptr ? "" : message;
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\t', ' ');
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

bool PostgresRows::Bool(int row, int column) const {
  const ByteSpan bytes = Bytes(row, column);
  return !bytes.empty() && bytes[0] != 0;
}

ByteSpan PostgresRows::Bytes(int row, int column) const {
  return {reinterpret_cast<const uint8_t*>(pq_->value(result_, row, column)),
          static_cast<size_t>(pq_->length(result_, row, column))};
}

std::string PostgresRows::Text(int row, int column) const {
  const ByteSpan bytes = Bytes(row, column);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<std::unique_ptr<PostgresSession>> PostgresSession::Connect(const PostgresAddress& address) {
  RECALL_ASSIGN(const LibpqLibrary* const pq, LibpqLibrary::Get());
  // libpq lets later parameters replace earlier ones, so those of the address come last.
  const std::string seconds = std::to_string(address.answer_timeout_ms / 1000);
  const char* const keywords[] = {"connect_timeout", "application_name", "dbname",
                                  address.verify_certificate ? "sslmode" : nullptr, nullptr};
  const std::string application = "recall " + HostName() + ":" + std::to_string(::getpid());
  const char* const values[] = {seconds.c_str(), application.c_str(), address.conninfo.c_str(),
                                "verify-full", nullptr};
  pg_conn* const connection = pq->connect(keywords, values, 1);
  std::unique_ptr<PostgresSession> session(new PostgresSession(*pq, connection, address));
  if (connection == nullptr || pq->status(connection) != LibpqLibrary::kConnectionOk) {
    const std::string why = connection == nullptr ? "" : OneLine(pq->error_message(connection));
    return Fail(Status::IoError(
        address.shown + ": cannot connect: " + why,
        address.verify_certificate
            ? "the connection must be encrypted, with a certificate that "
              "~/.postgresql/root.crt confirms; sslmode=MODE in the address sets another mode"
            : "check that the server runs, and the address, role and password"));
  }
  pq->set_notice_processor(
      connection, [](void*, const char*) {}, nullptr);
  if (pq->set_nonblocking(connection, 1) != 0) return Fail(session->Failure(nullptr));
  return session;
}

PostgresSession::~PostgresSession() {
  if (connection_ != nullptr) pq_.finish(connection_);
}

bool PostgresSession::broken() const {
  return connection_ == nullptr || pq_.status(connection_) != LibpqLibrary::kConnectionOk;
}

Status PostgresSession::Failure(pg_result* result) const {
  constexpr const char* kHint = "check the server and the network, then run the command again";
  if (connection_ == nullptr) return Status::IoError(shown_ + ": the connection was lost", kHint);
  const char* const state =
      result == nullptr ? nullptr : pq_.result_error_field(result, LibpqLibrary::kSqlState);
  const std::string_view code = state == nullptr ? std::string_view() : state;
  const std::string message = shown_ + ": " + OneLine(pq_.error_message(connection_));
  // unique_violation, duplicate_schema; undefined_table, invalid_schema_name.
  if (code == "23505" || code == "42P06") return Status::AlreadyExists(message);
  if (code == "42P01" || code == "3F000") return Status::NotFound(message);
  if (code == "55P03") return Status::Busy(message);  // lock_not_available
  // insufficient_privilege: to try again does not help.
  if (code == "42501") {
    return Status::IoError(message, "ask the owner of the store to grant this role the right");
  }
  return Status::IoError(message, kHint);
}

Status PostgresSession::Wait(bool to_write) {
  pollfd waiting{.fd = pq_.socket(connection_),
                 .events = static_cast<int16_t>(to_write ? POLLIN | POLLOUT : POLLIN),
                 .revents = 0};
  int ready = 0;
  do {
    ready = ::poll(&waiting, 1, answer_timeout_ms_);
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) {
    pq_.finish(std::exchange(connection_, nullptr));
    return Status::IoError(
        shown_ + ": no answer within " + std::to_string(answer_timeout_ms_ / 1000) + " s",
        "check the server and the network, then run the command again; answer_timeout=SECONDS in "
        "the address sets another limit");
  }
  if ((waiting.revents & ~POLLOUT) != 0 && pq_.consume_input(connection_) == 0) {
    return Failure(nullptr);
  }
  return Status::Ok();
}

Status PostgresSession::Flush() {
  for (int left = 1; left != 0;) {
    left = pq_.flush(connection_);
    if (left < 0) return Failure(nullptr);
    if (left > 0) RECALL_TRY(Wait(true));
  }
  return Status::Ok();
}

Status PostgresSession::Send(const char* sql, const std::vector<PostgresValue>& values) {
  if (connection_ == nullptr) return Failure(nullptr);
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
  if (pq_.send(connection_, sql, static_cast<int>(values.size()), types.data(), pointers.data(),
               lengths.data(), formats.data(), 1) != 1) {
    return Failure(nullptr);
  }
  return Flush();
}

Result<pg_result*> PostgresSession::Receive() {
  pg_result* last = nullptr;
  for (;;) {
    while (pq_.is_busy(connection_) != 0) {
      const Status waited = Wait(false);
      if (waited.ok()) continue;
      if (last != nullptr) pq_.clear(last);
      return Fail(waited);
    }
    pg_result* const next = pq_.get_result(connection_);
    if (next == nullptr) return last;
    if (last != nullptr) pq_.clear(last);
    last = next;
    // While COPY receives rows, libpq returns the same result each time.
    if (pq_.result_status(last) == LibpqLibrary::kCopyIn) return last;
  }
}

Result<PostgresRows> PostgresSession::Run(const char* sql,
                                          const std::vector<PostgresValue>& values) {
  RECALL_TRY(Send(sql, values));
  return Finish();
}

Result<bool> PostgresSession::IsAnswered() {
  if (connection_ == nullptr || pq_.consume_input(connection_) == 0) return Fail(Failure(nullptr));
  return pq_.is_busy(connection_) == 0;
}

Result<PostgresRows> PostgresSession::Finish() {
  RECALL_ASSIGN(pg_result* const result, Receive());
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
  RECALL_TRY(Send(sql, {}));
  RECALL_ASSIGN(pg_result* const result, Receive());
  const PostgresRows begun(pq_, result);
  if (result == nullptr || pq_.result_status(result) != LibpqLibrary::kCopyIn) {
    return Failure(result);
  }
  // The header: signature, flags, length of the extension
  // (https://www.postgresql.org/docs/15/sql-copy.html).
  static constexpr std::string_view kHeader("PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
  return PutCopyData(kHeader);
}

Status PostgresSession::PutCopyData(std::string_view bytes) {
  for (;;) {
    const int put = pq_.put_copy_data(connection_, bytes.data(), static_cast<int>(bytes.size()));
    if (put < 0) return Failure(nullptr);
    if (put == 1) return Flush();
    RECALL_TRY(Wait(true));
  }
}

Status PostgresSession::CopyRow(const std::vector<std::string_view>& binary_values) {
  std::string row;
  Append16(&row, static_cast<uint16_t>(binary_values.size()));
  for (const std::string_view value : binary_values) {
    Append32(&row, static_cast<uint32_t>(value.size()));
    row += value;
  }
  return PutCopyData(row);
}

Status PostgresSession::EndCopy() {
  if (connection_ == nullptr) return Failure(nullptr);
  RECALL_TRY(PutCopyData("\377\377"));
  while (pq_.put_copy_end(connection_, nullptr) == 0) RECALL_TRY(Wait(true));
  RECALL_TRY(Flush());
  RECALL_ASSIGN(pg_result* const result, Receive());
  const PostgresRows ended(pq_, result);
  if (result != nullptr && pq_.result_status(result) == LibpqLibrary::kCommandOk) {
    return Status::Ok();
  }
  return Failure(result);
}

}  // namespace recall
