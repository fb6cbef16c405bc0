#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "storage/base/result.h"
#include "storage/postgres/postgres_address.h"
#include "storage/postgres/postgres_session.h"
#include "storage/replica/replica_files.h"

namespace recall {

// Pages of a store on one PostgreSQL server, in a schema of its own, recall_NAME:
//
//   store(key, value)             id, format ("1"), position and servers (Identity)
//   epoch(epoch, id, pages, at)   one row a commit (PageEpoch)
//   page(number, epoch, data)     a page as commit `epoch` wrote it: a zstd frame of 65536 bytes
//   horizon(epoch)                one row: the oldest epoch that can be read
//   writer(number)                one row: the last writer (Fence)
//
// A page at epoch E is its row with the greatest epoch <= E. Rows are inserted, never updated; rows
// that no epoch from the horizon on needs are deleted. An epoch is inserted in the transaction that
// inserts its pages; of two writers that made the same epoch, the primary key of `epoch` lets one
// commit.
//
// Used by one thread at a time.
class PageServer final {
 public:
  struct Identity {
    std::string id;       // random; replicas of the store are found by it
    size_t position = 1;  // of this server, from 1 on
    size_t servers = 1;

    bool operator==(const Identity&) const = default;
  };
  // Returns the bytes of a page, kPageBytes of them.
  using PageReader = std::function<bool(uint32_t number, std::span<uint8_t> page)>;
  using PageSink = std::function<Status(uint32_t number, std::span<const uint8_t> page)>;

  static Result<std::unique_ptr<PageServer>> Connect(const PostgresAddress& address);

  const PostgresAddress& address() const { return address_; }
  const std::string& name() const { return address_.shown; }
  // Whether the connection was lost; then every other call fails.
  bool broken() const { return session_->broken(); }
  // Whether a new connection may help: the server was started again, or a standby took over.
  bool worth_reconnecting() const { return session_->broken() && !session_->timed_out(); }

  // Errors: StoreNotFound if there is no store of this name; Unsupported if a newer program made
  // it.
  Result<Identity> ReadIdentity();
  Result<PageEpoch> Newest();
  // Whether this server has had the commit.
  Result<bool> HasEpoch(const PageEpoch& epoch);
  // The pages that epochs after+1 .. until wrote, ascending.
  Result<std::vector<uint32_t>> ChangedPages(int64_t after, int64_t until);
  // `numbers`: different ones. Every page must have been written. Errors: Corruption if one is
  // missing or damaged, or if the server does not have the commit; Expired if it is before the
  // horizon.
  Status Fetch(const PageEpoch& epoch, const std::vector<uint32_t>& numbers, const PageSink& sink);

  // The newest epoch that is older than `seconds`; 0 if there is none.
  Result<int64_t> EpochBefore(int64_t seconds);
  // Moves the horizon there, and deletes the rows that are not needed any more.
  Status DeleteSuperseded(int64_t horizon);

  // The right to write, an advisory lock, which the server gives to one session at a time, in order
  // of arrival. If the session's machine is gone, the server takes it back after half a minute.
  bool has_right() const { return has_right_ && !broken(); }
  // Without waiting. False if another session has the right or waits for it.
  Result<bool> TryLock();
  // Joins the queue for the right; then has_right() is true some time after, when PollLock is
  // called. Nothing else may be called in between.
  Status BeginLock();
  Status PollLock();
  Status Unlock();
  // A number greater than that of any writer before. Requires: the right to write.
  Result<int64_t> NextWriter();

  // A transaction: Begin, some of the following, End, which commits if `done` is OK and else rolls
  // back. Returns: `done`, or why it could not be committed.
  Status Begin();
  Status End(const Status& done);
  // Errors: AlreadyExists.
  Status CreateTables(const Identity& identity);
  // Keeps out writers with smaller numbers from now on, and deletes what they wrote of `epoch` and
  // later ones. Errors: Busy if a greater number was here.
  Status Fence(int64_t writer, int64_t epoch);
  // Errors: Busy if another writer inserted this epoch.
  Status InsertEpoch(const PageEpoch& next, const std::vector<uint32_t>& numbers,
                     const PageReader& read);

 private:
  PageServer(PostgresAddress address, std::unique_ptr<PostgresSession> session);
  Status WhyNotFetched(const PageEpoch& epoch);
  // The statement with the schema's name in place of "$S".
  std::string InSchema(std::string sql) const;

  const PostgresAddress address_;
  const std::string schema_;
  std::unique_ptr<PostgresSession> session_;
  const std::string newest_sql_;
  const std::string fetch_sql_;
  bool has_right_ = false;
};

}  // namespace recall
