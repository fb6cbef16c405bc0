#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "storage/base/result.h"
#include "storage/postgres/page_server.h"
#include "storage/postgres/postgres_address.h"

namespace recall {

// The servers of one store.
//
// The problem: a commit must be there for readers as a whole or not at all, although its pages lie
// on several servers, any of which, or the writer, may fail or stop at any time.
//
// The idea: pages lie on servers by their numbers. The first server decides: an epoch exists when
// it is there. A writer has the right to write, an advisory lock of its session with the first
// server. It writes and commits the pages on the other servers, and then those on the first.
//
// Invariants:
// - An epoch of the first server is on all servers. What a dead writer left on the others has a
//   greater number, which no reader asks for; the next writer deletes it.
// - A writer that lost its session with the first server cannot commit there. On the others it is
//   kept out by its number (PageServer::Fence): that of the next writer is greater.
// - A server that was restored from a backup, or a standby that is behind, lacks the commit that
//   a reader asks for, or has another id for its number (PageServer::Fetch).
//
// Used by one thread at a time.
class PageServerGroup final {
 public:
  // Consecutive pages that lie on one server: reading ahead asks few servers.
  static constexpr uint32_t kStripePages = 16;

  static Result<std::unique_ptr<PageServerGroup>> Connect(const PostgresStore& store);
  // The index, in the order of the addresses, of the server that has the page.
  static size_t ServerOf(uint32_t number, size_t servers) {
    return (number - 1) / kStripePages % servers;
  }

  // Whether a connection was lost. Then the group must be connected again.
  bool broken() const;
  // Of the first server.
  bool worth_reconnecting() const { return servers_[0]->worth_reconnecting(); }

  // Makes a store with one epoch, of all pages. `read` is called by several threads.
  // Errors: AlreadyExists.
  Status Create(const std::string& id, const PageEpoch& first, const PageServer::PageReader& read);
  // Checks that these are the servers of one store, in the order of Create, and returns its id.
  // Errors: StoreNotFound, InvalidArgument.
  Result<std::string> ReadId();

  Result<PageEpoch> Newest() { return servers_[0]->Newest(); }
  Result<bool> HasEpoch(const PageEpoch& epoch) { return servers_[0]->HasEpoch(epoch); }
  // The pages that epochs after+1 .. until wrote.
  Result<std::vector<uint32_t>> ChangedPages(int64_t after, int64_t until);

  // The right to write, of the session with the first server. A new session does not have it.
  bool has_right() const { return servers_[0]->has_right(); }
  Result<bool> TryLock() { return servers_[0]->TryLock(); }
  // Joins the queue for the right, and asks without waiting whether it has come.
  Result<bool> IsOurTurn();
  // Gives the right back, or leaves the queue.
  Status Unlock();
  // Makes the pages the next epoch. `read` is called by several threads.
  // Errors: Busy without the right, or if another writer has done so. After another error it is
  // unknown whether the epoch exists.
  Status Publish(const PageEpoch& next, const std::vector<uint32_t>& numbers,
                 const PageServer::PageReader& read);
  // Deletes the versions of pages that were superseded for more than `seconds`.
  Status DeleteSuperseded(int64_t seconds);

 private:
  explicit PageServerGroup(std::vector<std::unique_ptr<PageServer>> servers)
      : servers_(std::move(servers)) {}
  // The pages of each server.
  std::vector<std::vector<uint32_t>> Split(const std::vector<uint32_t>& numbers) const;
  // Runs write(i) for each server in a transaction, at the same time. Commits that of the first one
  // after the others, and none if a write failed.
  template <typename Write>
  Status OnAll(Write write);

  std::vector<std::unique_ptr<PageServer>> servers_;  // at least one
  std::unique_ptr<PageServer> waiting_;               // for the right; null if not in the queue
};

}  // namespace recall
