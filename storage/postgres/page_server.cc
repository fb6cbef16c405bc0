#include "storage/postgres/page_server.h"

#include <zstd.h>

#include <cstdlib>
#include <utility>

#include "storage/base/coding.h"
#include "storage/replica/page_source.h"

namespace recall {
namespace {

constexpr size_t kServedPageBytes = PageSource::kPageBytes;
constexpr int kZstdLevel = 1;
constexpr const char* kFormat = "1";

// "RCLL", as in the application id of stores: the first half of the keys of advisory locks.
constexpr const char* kLockKey = "1380142156, '$S'::regnamespace::oid::int";
// Makes the server test, after 15 seconds of silence, whether the client's machine still answers.
constexpr const char* kNoticeLoss =
    "set_config('tcp_keepalives_idle', '15', true), "
    "set_config('tcp_keepalives_interval', '5', true), "
    "set_config('tcp_keepalives_count', '3', true)";
// So that statements see what others committed after it began.
constexpr const char* kBegin = "BEGIN ISOLATION LEVEL READ COMMITTED";

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
      newest_sql_(
          InSchema("SELECT epoch, id, pages, $1 > 0 AND NOT pg_is_in_recovery() AND NOT EXISTS "
                   "(SELECT FROM $S.epoch AS seen WHERE seen.epoch = $1 AND seen.id = $2) "
                   "FROM $S.epoch ORDER BY epoch DESC LIMIT 1")),
      // Pages are selected by their numbers alone, so that Citus can distribute the table by them.
      fetch_sql_(
          InSchema("SELECT DISTINCT ON (number) number, data, horizon.epoch, known.id IS NULL "
                   "FROM $S.page CROSS JOIN $S.horizon "
                   "LEFT JOIN $S.epoch AS known ON known.epoch = $2 AND known.id = $3 "
                   "WHERE number = ANY($1) AND page.epoch <= $2 "
                   "ORDER BY number, page.epoch DESC")) {}

Result<std::unique_ptr<PageServer>> PageServer::Connect(const PostgresAddress& address) {
  RECALL_ASSIGN(auto session, PostgresSession::Connect(address));
  return std::unique_ptr<PageServer>(new PageServer(address, std::move(session)));
}

// With the timeline, which a server names unless it is a standby or an administrator has revoked
// the functions.
Result<PostgresRows> PageServer::ReadStoreTable() {
  const std::string table = InSchema("SELECT key, value FROM $S.store");
  auto rows = session_->Run(
      (table + " UNION ALL SELECT 'system', system_identifier::text FROM pg_control_system() "
               "WHERE NOT pg_is_in_recovery() UNION ALL "
               "SELECT 'timeline', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) "
               "WHERE NOT pg_is_in_recovery()")
          .c_str());
  if (rows || rows.error().code() == StatusCode::kNotFound || broken()) return rows;
  return session_->Run(table.c_str());
}

Result<PageServer::Identity> PageServer::ReadIdentity() {
  const Result<PostgresRows> rows = ReadStoreTable();
  if (!rows && rows.error().code() != StatusCode::kNotFound) return Fail(rows.error());
  Identity identity;
  std::string format;
  ServerTimeline timeline;
  for (int row = 0; rows && row < rows->rows(); ++row) {
    const std::string key = rows->Text(row, 0);
    const std::string value = rows->Text(row, 1);
    if (key == "id") identity.id = value;
    if (key == "format") format = value;
    if (key == "position") identity.position = std::strtoul(value.c_str(), nullptr, 10);
    if (key == "servers") identity.servers = std::strtoul(value.c_str(), nullptr, 10);
    if (key == "system") timeline.system = value;
    if (key == "timeline") timeline.number = std::strtol(value.c_str(), nullptr, 16);
  }
  if (identity.id.empty()) {
    return Fail(Status::StoreNotFound(name() + ": no such store", "create it with `recall init`"));
  }
  if (format != kFormat) {
    return Fail(Status::Unsupported(
        name() + ": the tables of the store have format " + format + ", not " + kFormat,
        "use the release of recall that made the store, or a newer one"));
  }
  timeline_.reset();
  if (!timeline.system.empty() && timeline.number > 0) timeline_ = std::move(timeline);
  return identity;
}

Result<PageServer::NewestEpoch> PageServer::Newest(const PageEpoch& seen) {
  RECALL_ASSIGN(const PostgresRows rows,
                session_->Run(newest_sql_.c_str(),
                              {PostgresValue::Int64(seen.number), PostgresValue::Int64(seen.id)}));
  if (rows.rows() == 0) return NewestEpoch{};
  return NewestEpoch{{rows.Int(0, 0), rows.Int(0, 1), static_cast<uint32_t>(rows.Int(0, 2))},
                     rows.Bool(0, 3)};
}

Result<bool> PageServer::HasEpoch(const PageEpoch& epoch) {
  RECALL_ASSIGN(
      const PostgresRows rows,
      session_->Run(InSchema("SELECT 1 FROM $S.epoch WHERE epoch = $1 AND id = $2").c_str(),
                    {PostgresValue::Int64(epoch.number), PostgresValue::Int64(epoch.id)}));
  return rows.rows() == 1;
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

Status PageServer::Fetch(const PageEpoch& epoch, const std::vector<uint32_t>& numbers,
                         const PageSink& sink) {
  RECALL_ASSIGN(const PostgresRows rows,
                session_->Run(fetch_sql_.c_str(), {PostgresValue::Int32Array(numbers),
                                                   PostgresValue::Int64(epoch.number),
                                                   PostgresValue::Int64(epoch.id)}));
  if (rows.rows() == 0 || rows.Int(0, 2) > epoch.number || rows.Bool(0, 3)) {
    return WhyNotFetched(epoch);
  }
  std::vector<uint8_t> page(kServedPageBytes);
  for (int row = 0; row < rows.rows(); ++row) {
    const auto number = static_cast<uint32_t>(rows.Int(row, 0));
    const ByteSpan frame = rows.Bytes(row, 1);
    const size_t size = ZSTD_decompress(page.data(), page.size(), frame.data(), frame.size());
    if (size != page.size()) {
      return Status::Corruption(
          name() + ": page " + std::to_string(number) + " is damaged on the server",
          "restore the server's database from a backup");
    }
    RECALL_TRY(sink(number, page));
  }
  return static_cast<size_t>(rows.rows()) == numbers.size() ? Status::Ok() : WhyNotFetched(epoch);
}

Status PageServer::WhyNotFetched(const PageEpoch& epoch) {
  RECALL_ASSIGN(const PostgresRows horizon,
                session_->Run(InSchema("SELECT epoch FROM $S.horizon").c_str()));
  if (horizon.rows() > 0 && horizon.Int(0, 0) > epoch.number) {
    return Status::Expired(name() + ": the server no longer keeps what this command reads",
                           "run the command again");
  }
  RECALL_ASSIGN(const bool known, HasEpoch(epoch));
  if (known) {
    return Status::Corruption(name() + ": the server lacks pages of the store",
                              "restore the server's database from a backup");
  }
  return Status::Corruption(
      name() + ": the server lacks commit " + std::to_string(epoch.number) + " of the store",
      "it was restored from an older backup, or is a standby that is behind; the servers of a "
      "store must have the same commits");
}

Result<int64_t> PageServer::EpochBefore(int64_t seconds) {
  RECALL_ASSIGN(const PostgresRows rows,
                session_->Run(InSchema("SELECT coalesce(max(epoch), 0) FROM $S.epoch "
                                       "WHERE at < now() - $1 * interval '1 second'")
                                  .c_str(),
                              {PostgresValue::Int64(seconds)}));
  return rows.Int(0, 0);
}

// The table `epoch` keeps all its rows, because replicas look up old commits in it (HasEpoch). Each
// statement is a transaction of its own and short, however many rows there are: what one has
// deleted stays deleted if a later one fails. The horizon comes first, so a reader never misses a
// row without learning why.
Status PageServer::DeleteSuperseded(int64_t horizon) {
  constexpr int64_t kNumbers = 1024;
  RECALL_TRY(session_->Do(InSchema("UPDATE $S.horizon SET epoch = $1 WHERE epoch < $1").c_str(),
                          {PostgresValue::Int64(horizon)}));
  RECALL_ASSIGN(const PostgresRows most,
                session_->Run(InSchema("SELECT max(number)::int8 FROM $S.page").c_str()));
  const std::string remove = InSchema(
      "DELETE FROM $S.page USING (SELECT number, max(epoch) AS kept FROM $S.page "
      "WHERE epoch <= $1 AND number >= $2 AND number < $3 GROUP BY number HAVING count(*) > 1) "
      "AS newest WHERE page.number = newest.number AND page.epoch < newest.kept");
  for (int64_t first = 1; first <= most.Int(0, 0); first += kNumbers) {
    RECALL_TRY(
        session_->Do(remove.c_str(), {PostgresValue::Int64(horizon), PostgresValue::Int64(first),
                                      PostgresValue::Int64(first + kNumbers)}));
  }
  return Status::Ok();
}

Result<bool> PageServer::TryLock() {
  RECALL_TRY(session_->Do(kBegin));
  const auto rows = session_->Run(InSchema("SELECT pg_try_advisory_xact_lock(" +
                                           std::string(kLockKey) + ")::int4, " + kNoticeLoss)
                                      .c_str());
  has_right_ = rows && rows->Int(0, 0) == 1;
  if (has_right_) return true;
  const Status ended = session_->Do("ROLLBACK");
  if (!rows) return Fail(rows.error());
  RECALL_TRY(ended);
  return false;
}

// Servers older than version 14 do not notice that a waiting client has gone. The time limit
// removes such a client from their queue.
Status PageServer::BeginLock() {
  session_->Do("SET client_connection_check_interval = '2s'").IgnoreError();
  RECALL_TRY(session_->Do(kBegin));
  RECALL_TRY(session_->Do("SET LOCAL lock_timeout = '30s'"));
  RECALL_TRY(session_->Do(("SELECT " + std::string(kNoticeLoss)).c_str()));
  return session_->Start(
      InSchema("SELECT pg_advisory_xact_lock(" + std::string(kLockKey) + ")").c_str());
}

Status PageServer::PollLock() {
  RECALL_ASSIGN(const bool answered, session_->IsAnswered());
  if (!answered) return Status::Ok();
  const Result<PostgresRows> locked = session_->Finish();
  if (!locked && locked.error().code() == StatusCode::kBusy) {
    RECALL_TRY(session_->Do("ROLLBACK"));
    return BeginLock();
  }
  if (!locked) return locked.error();
  has_right_ = true;
  return session_->Do("SET LOCAL lock_timeout = 0");
}

Status PageServer::Unlock() {
  if (!std::exchange(has_right_, false)) return Status::Ok();
  return session_->Do("ROLLBACK");
}

Status PageServer::ShowProgress() { return session_->Do("SELECT 1"); }

Result<bool> PageServer::IsPooled() {
  RECALL_ASSIGN(const PostgresRows rows, session_->Run("SELECT pg_backend_pid()"));
  return rows.Int(0, 0) != session_->announced_pid();
}

// Servers older than version 14 have no pg_stat_progress_copy: there a writer that stops while it
// sends pages is not found.
Result<std::optional<PageServer::Writer>> PageServer::FindWriter() {
  auto writer = FindWriterWith("LEFT JOIN pg_stat_progress_copy USING (pid)", "bytes_processed");
  if (writer || writer.error().code() != StatusCode::kNotFound) return writer;
  return FindWriterWith("", "CASE WHEN state = 'active' THEN clock_timestamp() END");
}

// Of sessions of other roles a role sees no more than the numbers.
Result<std::optional<PageServer::Writer>> PageServer::FindWriterWith(const std::string& join,
                                                                     const std::string& sent) {
  RECALL_ASSIGN(
      const PostgresRows rows,
      session_->Run(
          InSchema("SELECT pid::int8, coalesce(backend_start::text, ''), "
                   "coalesce(application_name || coalesce(' (' || host(client_addr) || ')', ''), "
                   "''), concat_ws(' ', state_change, query_start, xact_start, state, " +
                   sent +
                   "), coalesce(wait_event = 'ClientRead', false)::int4 "
                   "FROM pg_locks JOIN pg_stat_activity USING (pid) " +
                   join +
                   " WHERE locktype = 'advisory' AND granted AND classid = 1380142156 AND "
                   "objid = '$S'::regnamespace::oid AND objsubid = 2 AND database = "
                   "(SELECT oid FROM pg_database WHERE datname = current_database())")
              .c_str()));
  if (rows.rows() == 0) return std::nullopt;
  return Writer{rows.Int(0, 0), rows.Text(0, 1), rows.Text(0, 2), rows.Text(0, 3),
                rows.Int(0, 4) == 1};
}

Status PageServer::EndWriter(const Writer& writer) {
  return session_->Do(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
      "WHERE pid = $1 AND backend_start::text = $2",
      {PostgresValue::Int64(writer.pid), PostgresValue::Text(writer.began)});
}

// Writers are numbered by the time in microseconds, or by the next number if the clock went back.
// So a number is also greater than those of writers that this server does not know, because it was
// restored from a backup or is a standby that lacks the last commits.
Result<int64_t> PageServer::NextWriter() {
  RECALL_ASSIGN(const PostgresRows rows,
                session_->Run(InSchema("UPDATE $S.writer SET number = greatest(number + 1, "
                                       "(extract(epoch FROM clock_timestamp()) * 1000000)::int8) "
                                       "RETURNING number")
                                  .c_str()));
  return rows.rows() == 1 ? rows.Int(0, 0) : 0;
}

Status PageServer::Begin() { return has_right() ? Status::Ok() : session_->Do("BEGIN"); }

Status PageServer::End(const Status& done) {
  has_right_ = false;
  if (done.ok()) return session_->Do("COMMIT");
  session_->Do("ROLLBACK").IgnoreError();  // a lost connection ends the transaction, too
  return done;
}

Status PageServer::CreateTables(const Identity& identity) {
  for (const char* sql : {
           "CREATE SCHEMA $S",
           "CREATE TABLE $S.store(key text PRIMARY KEY, value text NOT NULL)",
           "CREATE TABLE $S.epoch(epoch int8 PRIMARY KEY, id int8 NOT NULL, pages int4 NOT NULL, "
           "at timestamptz NOT NULL DEFAULT now())",
           "CREATE TABLE $S.page(number int4, epoch int8, data bytea NOT NULL, "
           "PRIMARY KEY(number, epoch))",
           "ALTER TABLE $S.page ALTER data SET STORAGE EXTERNAL",
           "CREATE INDEX page_epoch ON $S.page(epoch, number)",
           "CREATE TABLE $S.horizon(epoch int8 NOT NULL)",
           "INSERT INTO $S.horizon VALUES(0)",
           "CREATE TABLE $S.writer(number int8 NOT NULL)",
           "INSERT INTO $S.writer VALUES(0)",
       }) {
    const Status made = session_->Do(InSchema(sql).c_str());
    if (made.code() == StatusCode::kAlreadyExists) {
      return Status::AlreadyExists(name() + ": this is a store already",
                                   "`recall add` adds files to it; ?store=NAME makes another one");
    }
    RECALL_TRY(made);
  }
  return session_->Do(InSchema("INSERT INTO $S.store VALUES('id', $1), ('format', $2), "
                               "('position', $3), ('servers', $4)")
                          .c_str(),
                      {PostgresValue::Text(identity.id), PostgresValue::Text(kFormat),
                       PostgresValue::Text(std::to_string(identity.position)),
                       PostgresValue::Text(std::to_string(identity.servers))});
}

Status PageServer::Fence(int64_t writer, int64_t epoch) {
  RECALL_ASSIGN(
      const PostgresRows raised,
      session_->Run(
          InSchema("UPDATE $S.writer SET number = $1 WHERE number < $1 RETURNING number").c_str(),
          {PostgresValue::Int64(writer)}));
  if (raised.rows() == 0) {
    return Status::Busy(name() + ": another writer has the right to write",
                        "run the command again");
  }
  const std::vector<PostgresValue> from = {PostgresValue::Int64(epoch)};
  RECALL_TRY(session_->Do(InSchema("DELETE FROM $S.page WHERE epoch >= $1").c_str(), from));
  return session_->Do(InSchema("DELETE FROM $S.epoch WHERE epoch >= $1").c_str(), from);
}

Status PageServer::InsertEpoch(const PageEpoch& next, const std::vector<uint32_t>& numbers,
                               const PageReader& read) {
  const Status inserted =
      session_->Do(InSchema("INSERT INTO $S.epoch(epoch, id, pages) VALUES($1, $2, $3)").c_str(),
                   {PostgresValue::Int64(next.number), PostgresValue::Int64(next.id),
                    PostgresValue::Int64(next.pages)});
  if (inserted.code() == StatusCode::kAlreadyExists) {
    return Status::Busy(name() + ": another writer committed first", "run the command again");
  }
  RECALL_TRY(inserted);
  RECALL_TRY(session_->BeginCopy(
      InSchema("COPY $S.page(number, epoch, data) FROM STDIN (FORMAT binary)").c_str()));
  std::vector<uint8_t> page(kServedPageBytes);
  std::string frame(ZSTD_compressBound(page.size()), '\0');
  const std::string epoch = BigEndian(static_cast<uint64_t>(next.number), 8);
  for (const uint32_t number : numbers) {
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
