#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/base/result.h"
#include "storage/postgres/postgres_address.h"
#include "storage/postgres/postgres_session.h"
#include "storage/postgres/seen_history.h"
#include "storage/replica/replica_files.h"

namespace recall {

// Pages of a store on one PostgreSQL server, in a schema of its own, recall_NAME:
//
//   store(key, value)             id, format ("1"), position and servers (Identity)
//   epoch(epoch, id, pages, at)   one row a commit (PageEpoch)
//   page(number, epoch, data)     the page that commit `epoch` wrote: 65536 bytes as a zstd frame
//   horizon(epoch)                one row: the oldest epoch that can be read
//   writer(number)                one row: the last writer (Fence)
//
// The content of a page at epoch E is in the row with the greatest epoch <= E. Rows are inserted
// and never updated. A row is deleted when no epoch from the horizon on needs it. An epoch is
// inserted in the same transaction as its pages. If two writers insert the same epoch, the primary
// key of `epoch` lets only one commit.
//
// Used by one thread at a time.
class PageServer final {
 public:
  struct Identity {
    std::string id;       // random; names the directory of the replicas
    size_t position = 1;  // of this server, from 1 on
    size_t servers = 1;

    bool operator==(const Identity&) const = default;
  };
  // Writes kPageBytes bytes to `page`. Returns false if the page cannot be read.
  using PageReader = std::function<bool(uint32_t number, std::span<uint8_t> page)>;
  using PageSink = std::function<Status(uint32_t number, std::span<const uint8_t> page)>;

  static Result<std::unique_ptr<PageServer>> Connect(const PostgresAddress& address);

  const PostgresAddress& address() const { return address_; }
  const std::string& name() const { return address_.shown; }
  // Whether the connection was lost. Every other call then fails.
  bool broken() const { return session_->broken(); }
  // Whether the connection was lost in a way that a new one may repair: the server was restarted,
  // or a standby took over.
  bool worth_reconnecting() const { return session_->broken() && !session_->timed_out(); }

  // Errors: StoreNotFound if there is no store of this name; Unsupported if a newer program made
  // it.
  Result<Identity> ReadIdentity();
  // As of ReadIdentity; none of a standby, or if this role may not ask.
  const std::optional<ServerTimeline>& timeline() const { return timeline_; }

  struct NewestEpoch {
    PageEpoch epoch;
    // Whether the server lacks the commit `seen`. A standby lacks the commits that it has not
    // received yet, but has lost none.
    bool lost_seen = false;
  };
  Result<NewestEpoch> Newest(const PageEpoch& seen);
  // Whether the server has, or had, this commit.
  Result<bool> HasEpoch(const PageEpoch& epoch);
  // Returns the numbers of the pages that epochs after + 1 .. until wrote, ascending.
  Result<std::vector<uint32_t>> ChangedPages(int64_t after, int64_t until);
  // Passes the pages, as they are at `epoch`, to `sink`. Requires: `numbers` are distinct pages
  // that some commit wrote. Errors: Corruption if a page is missing or damaged, or if the server
  // does not have the commit; Expired if the commit is before the horizon.
  Status Fetch(const PageEpoch& epoch, const std::vector<uint32_t>& numbers, const PageSink& sink);

  // Returns the newest epoch that is older than `seconds`; 0 if there is none.
  Result<int64_t> EpochBefore(int64_t seconds);
  // Moves the horizon to this epoch, and deletes the rows that no later epoch needs.
  Status DeleteSuperseded(int64_t horizon);

  // The right to write: an advisory lock of an open transaction, which the server gives to one at a
  // time, in order of arrival. It ends with the transaction, so it cannot stay with a session that
  // a pooler gives to others. If the machine is gone, the server takes it back after half a minute.
  bool has_right() const { return has_right_ && !broken(); }
  // Takes the right to write, without waiting. Returns false if another session has it or waits for
  // it.
  Result<bool> TryLock();
  // BeginLock joins the queue for the right to write. Callers then poll PollLock until has_right()
  // is true, and may call nothing else in between.
  Status BeginLock();
  Status PollLock();
  Status Unlock();
  // Shows those who wait that this process goes on. Requires: the right to write.
  Status ShowProgress();
  // Whether a pooler such as pgbouncer may run statements in other sessions. One that waits in the
  // queue would take a session of the pool.
  Result<bool> IsPooled();

  // The session that has the right to write, as another session sees it.
  struct Writer {
    int64_t pid = 0;
    std::string began;       // of the session, which tells it from a later one of the same number
    std::string name;        // "recall HOST:PID (10.0.0.7)"; "" if this role may not see it
    std::string progress;    // changes with each statement, and while pages are sent
    bool is_silent = false;  // the server waits for its next message
  };
  // Returns nothing if no session has the right.
  Result<std::optional<Writer>> FindWriter();
  // Ends the session of a writer, and with it its right and its transaction. Does nothing if this
  // role may not, or if the session is gone.
  Status EndWriter(const Writer& writer);
  // Returns a number greater than that of any earlier writer. Requires: this process has the right
  // to write, in another session.
  Result<int64_t> NextWriter();

  // A transaction is Begin, some of the functions below, and End. End commits if `done` is OK, and
  // rolls back otherwise. End returns `done`, or the reason why the commit failed. With the right
  // to write, it is the transaction of that right, which ends with it.
  Status Begin();
  Status End(const Status& done);
  // Errors: AlreadyExists.
  Status CreateTables(const Identity& identity);
  // Rejects writers with smaller numbers from now on, and deletes what they wrote for `epoch` and
  // later epochs. Errors: Busy if a writer with a larger number has already been admitted.
  Status Fence(int64_t writer, int64_t epoch);
  // Errors: Busy if another writer inserted this epoch.
  Status InsertEpoch(const PageEpoch& next, const std::vector<uint32_t>& numbers,
                     const PageReader& read);

 private:
  PageServer(PostgresAddress address, std::unique_ptr<PostgresSession> session);
  Result<PostgresRows> ReadStoreTable();
  Status WhyNotFetched(const PageEpoch& epoch);
  Result<std::optional<Writer>> FindWriterWith(const std::string& join, const std::string& sent);
  // Returns the statement with the name of the schema in place of "$S".
  std::string InSchema(std::string sql) const;

  const PostgresAddress address_;
  const std::string schema_;
  std::unique_ptr<PostgresSession> session_;
  const std::string newest_sql_;
  const std::string fetch_sql_;
  bool has_right_ = false;
  std::optional<ServerTimeline> timeline_;
};

}  // namespace recall
