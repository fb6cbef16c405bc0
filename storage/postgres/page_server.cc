#include "storage/postgres/page_server.h"

#include <zstd.h>

#include <utility>

#include "storage/base/coding.h"
#include "storage/replica/page_source.h"

namespace recall {
namespace {

constexpr size_t kServedPageBytes = PageSource::kPageBytes;
constexpr int kZstdLevel = 1;

// "RCLL", as in the application id of stores: the first half of the keys of advisory locks.
constexpr const char* kLockKey = "1380142156, '$S'::regnamespace::oid::int";

std::string BigEndian(uint64_t value, size_t bytes) {
  std::string out;
  for (size_t i = bytes; i-- > 0;) out += static_cast<char>(value >> 8 * i);
  return out;
}

}  // namespace

std::string PageServer::InSchema(std::string sql) const {
  for (size_t at = sql.find("$S"); at != sql.npos; at = sql.find("$S", at)) {
    sql.replace(at, 2, schema_);
  }
  return sql;
}

PageServer::PageServer(PostgresAddress address, std::unique_ptr<PostgresSession> session)
    : address_(std::move(address)),
      schema_("recall_" + address_.store),
      session_(std::move(session)),
      newest_sql_(InSchema("SELECT epoch, pages FROM $S.epoch ORDER BY epoch DESC LIMIT 1")),
      fetch_sql_(InSchema("SELECT wanted, latest.data, horizon.epoch FROM $S.horizon, "
                          "unnest($1) AS wanted LEFT JOIN LATERAL ("
                          "SELECT data FROM $S.page WHERE number = wanted AND epoch <= $2 "
                          "ORDER BY epoch DESC LIMIT 1) AS latest ON true")) {}

Result<std::unique_ptr<PageServer>> PageServer::Connect(const PostgresAddress& address) {
  RECALL_ASSIGN(auto session, PostgresSession::Connect(address));
  return std::unique_ptr<PageServer>(new PageServer(address, std::move(session)));
}

Status PageServer::CreateTables(const std::string& uuid) {
  for (const char* sql : {
           "CREATE SCHEMA $S",
           "CREATE TABLE $S.store(key text PRIMARY KEY, value text NOT NULL)",
           "CREATE TABLE $S.epoch(epoch int8 PRIMARY KEY, pages int4 NOT NULL, "
           "at timestamptz NOT NULL DEFAULT now())",
           "CREATE TABLE $S.page(number int4, epoch int8, data bytea NOT NULL, "
           "PRIMARY KEY(number, epoch))",
           "ALTER TABLE $S.page ALTER data SET STORAGE EXTERNAL",
           "CREATE INDEX page_epoch ON $S.page(epoch, number)",
           "CREATE TABLE $S.horizon(epoch int8 NOT NULL)",
           "INSERT INTO $S.horizon VALUES(0)",
       }) {
    RECALL_TRY(session_->Do(InSchema(sql).c_str()));
  }
  return session_->Do(InSchema("INSERT INTO $S.store VALUES('uuid', $1)").c_str(),
                      {PostgresValue::Text(uuid)});
}

Status PageServer::EndTransaction(const Status& done) {
  if (done.ok()) return session_->Do("COMMIT");
  session_->Do("ROLLBACK").IgnoreError();  // a lost connection ends the transaction, too
  return done;
}

Status PageServer::Create(const std::string& uuid, uint32_t pages, const PageReader& read) {
  RECALL_TRY(session_->Do("BEGIN"));
  Status done = CreateTables(uuid);
  if (done.code() == StatusCode::kAlreadyExists) {
    done = Status::AlreadyExists(address_.shown + ": this is a store already",
                                 "`recall add` adds files to it; ?store=NAME makes another one");
  }
  std::set<uint32_t> all;
  for (uint32_t number = 1; number <= pages; ++number) all.insert(all.end(), number);
  if (done.ok()) done = InsertEpoch({1, pages}, all, read);
  return EndTransaction(done);
}

Result<std::string> PageServer::ReadUuid() {
  Result<PostgresRows> rows =
      session_->Run(InSchema("SELECT value FROM $S.store WHERE key = 'uuid'").c_str());
  if (rows && rows->rows() == 1) return rows->Text(0, 0);
  if (!rows && rows.error().code() != StatusCode::kNotFound) return Fail(rows.error());
  return Fail(
      Status::StoreNotFound(address_.shown + ": no such store", "create it with `recall init`"));
}

Result<PageServer::Epoch> PageServer::Newest() {
  RECALL_ASSIGN(const PostgresRows rows, session_->Run(newest_sql_.c_str()));
  if (rows.rows() == 0) return Epoch{};
  return Epoch{rows.Int(0, 0), static_cast<uint32_t>(rows.Int(0, 1))};
}

Result<std::vector<uint32_t>> PageServer::ChangedPages(int64_t after, int64_t until) {
  RECALL_ASSIGN(
      const PostgresRows rows,
      session_->Run(InSchema("SELECT DISTINCT number FROM $S.page WHERE epoch > $1 AND epoch <= $2 "
                             "ORDER BY number")
                        .c_str(),
                    {PostgresValue::Int64(after), PostgresValue::Int64(until)}));
  std::vector<uint32_t> numbers;
  for (int row = 0; row < rows.rows(); ++row) {
    numbers.push_back(static_cast<uint32_t>(rows.Int(row, 0)));
  }
  return numbers;
}

Status PageServer::Fetch(int64_t epoch, const std::vector<uint32_t>& numbers,
                         const PageSink& sink) {
  RECALL_ASSIGN(const PostgresRows rows,
                session_->Run(fetch_sql_.c_str(),
                              {PostgresValue::Int32Array(numbers), PostgresValue::Int64(epoch)}));
  if (rows.rows() > 0 && rows.Int(0, 2) > epoch) {
    return Status::Expired(address_.shown + ": the server no longer keeps what this command reads",
                           "run the command again");
  }
  std::vector<uint8_t> page(kServedPageBytes);
  for (int row = 0; row < rows.rows(); ++row) {
    if (rows.is_null(row, 1)) {
      return Status::Corruption(address_.shown + ": the server lacks pages of the store",
                                "restore the server's database from a backup");
    }
    const ByteSpan frame = rows.Bytes(row, 1);
    const size_t size = ZSTD_decompress(page.data(), page.size(), frame.data(), frame.size());
    const auto number = static_cast<uint32_t>(rows.Int(row, 0));
    if (size != page.size()) {
      return Status::Corruption(
          address_.shown + ": page " + std::to_string(number) + " is damaged on the server",
          "restore the server's database from a backup");
    }
    RECALL_TRY(sink(number, page));
  }
  return Status::Ok();
}

Status PageServer::DeleteSuperseded(int64_t seconds) {
  RECALL_TRY(session_->Do("BEGIN"));
  // The update locks the row, so one session at a time does this.
  const auto moved = session_->Run(
      InSchema(
          "UPDATE $S.horizon SET epoch = old.epoch FROM (SELECT max(epoch) AS epoch FROM $S.epoch"
          " WHERE at < now() - $1 * interval '1 second') AS old "
          "WHERE horizon.epoch < old.epoch RETURNING horizon.epoch")
          .c_str(),
      {PostgresValue::Int64(seconds)});
  if (!moved) return EndTransaction(moved.error());
  if (moved->rows() == 0) return EndTransaction(Status::Ok());
  const std::vector<PostgresValue> horizon = {PostgresValue::Int64(moved->Int(0, 0))};
  Status done = session_->Do(
      InSchema("DELETE FROM $S.page USING (SELECT number, max(epoch) AS kept FROM $S.page "
               "WHERE epoch <= $1 GROUP BY number HAVING count(*) > 1) AS newest "
               "WHERE page.number = newest.number AND page.epoch < newest.kept")
          .c_str(),
      horizon);
  if (done.ok()) {
    done = session_->Do(InSchema("DELETE FROM $S.epoch WHERE epoch < $1").c_str(), horizon);
  }
  return EndTransaction(done);
}

Result<bool> PageServer::TryLock() {
  RECALL_ASSIGN(
      const PostgresRows rows,
      session_->Run(
          InSchema("SELECT pg_try_advisory_lock(" + std::string(kLockKey) + ")::int4").c_str()));
  return rows.Int(0, 0) == 1;
}

Status PageServer::Unlock() {
  return session_->Do(InSchema("SELECT pg_advisory_unlock(" + std::string(kLockKey) + ")").c_str());
}

Status PageServer::Publish(Epoch next, const std::set<uint32_t>& numbers, const PageReader& read) {
  RECALL_TRY(session_->Do("BEGIN"));
  const Status done = EndTransaction(InsertEpoch(next, numbers, read));
  if (done.code() != StatusCode::kAlreadyExists) return done;
  return Status::Busy(address_.shown + ": another writer committed first", "run the command again");
}

Status PageServer::InsertEpoch(Epoch next, const std::set<uint32_t>& numbers,
                               const PageReader& read) {
  RECALL_TRY(session_->Do(InSchema("INSERT INTO $S.epoch(epoch, pages) VALUES($1, $2)").c_str(),
                          {PostgresValue::Int64(next.number), PostgresValue::Int64(next.pages)}));
  RECALL_TRY(session_->BeginCopy(
      InSchema("COPY $S.page(number, epoch, data) FROM STDIN (FORMAT binary)").c_str()));
  std::vector<uint8_t> page(kServedPageBytes);
  std::string frame(ZSTD_compressBound(page.size()), '\0');
  const std::string epoch = BigEndian(static_cast<uint64_t>(next.number), 8);
  for (const uint32_t number : numbers) {
    if (number > next.pages) break;
    if (!read(number, page)) {
      session_->EndCopy().IgnoreError();
      return Status::IoError("page " + std::to_string(number) + " of the replica cannot be read");
    }
    const size_t size =
        ZSTD_compress(frame.data(), frame.size(), page.data(), page.size(), kZstdLevel);
    RECALL_TRY(session_->CopyRow({BigEndian(number, 4), epoch, {frame.data(), size}}));
  }
  return session_->EndCopy();
}

}  // namespace recall
