#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "storage/base/result.h"
#include "storage/postgres/postgres_address.h"
#include "storage/postgres/postgres_session.h"

namespace recall {

// The pages of a store on a PostgreSQL server, in a schema of its own, recall_NAME:
//
//   store(key, value)           uuid
//   epoch(epoch, pages, at)     one row a commit: its number, from 1 without gaps, and the size of
//                               the file in pages
//   page(number, epoch, data)   a page as commit `epoch` wrote it: a zstd frame of 65536 bytes
//   horizon(epoch)              one row: the oldest epoch that can be read
//
// A page at epoch E is its row with the greatest epoch <= E. Rows are inserted, never updated; rows
// that no epoch from the horizon on needs are deleted. An
// epoch is inserted in the transaction that inserts its pages; of two writers that made the same
// epoch, the primary key of `epoch` lets one commit.
//
// Used by one thread at a time.
class PageServer final {
 public:
  struct Epoch {
    int64_t number = 0;
    uint32_t pages = 0;
  };
  // Returns the bytes of a page, kPageBytes of them.
  using PageReader = std::function<bool(uint32_t number, std::span<uint8_t> page)>;
  using PageSink = std::function<Status(uint32_t number, std::span<const uint8_t> page)>;

  static Result<std::unique_ptr<PageServer>> Connect(const PostgresAddress& address);

  // Whether the connection was lost; then every other call fails.
  bool broken() const { return session_->broken(); }

  // Makes a store whose epoch 1 is these pages, as a whole or not at all. Errors: AlreadyExists.
  Status Create(const std::string& uuid, uint32_t pages, const PageReader& read);
  // Errors: StoreNotFound if there is no store of this name.
  Result<std::string> ReadUuid();

  Result<Epoch> Newest();
  // The pages that epochs after+1 .. until wrote, ascending.
  Result<std::vector<uint32_t>> ChangedPages(int64_t after, int64_t until);
  // Every page must have been written. Errors: Corruption if one is missing or damaged; Expired if
  // the epoch is before the horizon.
  Status Fetch(int64_t epoch, const std::vector<uint32_t>& numbers, const PageSink& sink);

  // Moves the horizon to the newest epoch that is older than `seconds`, if there is one, and
  // deletes the rows that are not needed any more.
  Status DeleteSuperseded(int64_t seconds);

  // The right to write, which the server gives to one session at a time.
  Result<bool> TryLock();
  Status Unlock();
  // Errors: Busy if another writer published this epoch.
  Status Publish(Epoch next, const std::set<uint32_t>& numbers, const PageReader& read);

 private:
  PageServer(PostgresAddress address, std::unique_ptr<PostgresSession> session);
  Status CreateTables(const std::string& uuid);
  // Ends the transaction: COMMIT if `done` is OK, else ROLLBACK.
  Status EndTransaction(const Status& done);
  Status InsertEpoch(Epoch next, const std::set<uint32_t>& numbers, const PageReader& read);
  // The statement with the schema's name in place of "$S".
  std::string InSchema(std::string sql) const;

  const PostgresAddress address_;
  const std::string schema_;
  std::unique_ptr<PostgresSession> session_;
  const std::string newest_sql_;
  const std::string fetch_sql_;
};

}  // namespace recall
