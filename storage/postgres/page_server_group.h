#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "storage/base/result.h"
#include "storage/postgres/page_server.h"
#include "storage/postgres/postgres_address.h"
#include "storage/postgres/writer_watch.h"

namespace recall {

// The servers of one store.
//
// The problem: readers must see a commit as a whole or not at all, although its pages lie on
// several servers. Each server, and the writer, may fail at any time.
//
// The idea: the number of a page determines its server. The first server decides whether an epoch
// exists. A writer holds the right to write, an advisory lock of its session with the first server.
// It commits the pages of the other servers first, and those of the first server last.
//
// Invariants:
// - An epoch that exists on the first server is complete on all servers. Rows that a dead writer
//   left on the others have a greater epoch, which no reader requests; the next writer deletes
//   them.
// - A writer that lost its session with the first server cannot commit there. The others reject it
//   by its number (PageServer::Fence), because the next writer has a greater one.
// - A server that was restored from a backup, or a standby that is behind, lacks the commit that
//   a reader asks for, or has another id for its number (PageServer::Fetch).
//
// Used by one thread at a time.
class PageServerGroup final {
 public:
  // The number of consecutive pages on one server. Reading ahead then needs few servers.
  static constexpr uint32_t kStripePages = 16;

  static Result<std::unique_ptr<PageServerGroup>> Connect(const PostgresStore& store);
  // The index, in the order of the addresses, of the server that has the page.
  static size_t ServerOf(uint32_t number, size_t servers) {
    return (number - 1) / kStripePages % servers;
  }

  // Whether a connection was lost. The caller must then make a new group.
  bool broken() const;
  // Whether a new connection to the first server may help.
  bool worth_reconnecting() const { return servers_[0]->worth_reconnecting(); }

  // Makes a store whose first epoch contains all pages. `read` is called by several threads.
  // Errors: AlreadyExists.
  Status Create(const std::string& id, const PageEpoch& first, const PageServer::PageReader& read);
  // Checks that these are the servers of one store, in the order of Create, and returns its id.
  // Errors: StoreNotFound, InvalidArgument.
  Result<std::string> ReadId();
  // Checks, after ReadId, that no server is on an older timeline than this machine has seen, as
  // the old primary of a standby that took over is. Errors: IoError.
  Status CheckTimelines(SeenHistory& history) const;

  Result<PageServer::NewestEpoch> Newest(const PageEpoch& seen) {
    return servers_[0]->Newest(seen);
  }
  Result<bool> HasEpoch(const PageEpoch& epoch) { return servers_[0]->HasEpoch(epoch); }
  // Returns the numbers of the pages that epochs after + 1 .. until wrote.
  Result<std::vector<uint32_t>> ChangedPages(int64_t after, int64_t until);

  // Whether the session with the first server has the right to write. A new session does not.
  bool has_right() const { return servers_[0]->has_right(); }
  Result<bool> TryLock() { return servers_[0]->TryLock(); }
  // The first call joins the queue for the right to write. Returns, without waiting, whether the
  // right was granted. Ends the session of a writer that has stopped (WriterWatch).
  Result<bool> IsOurTurn();
  // The writer that had the right when this process last looked; "" if it is not known.
  const std::string& writer() const { return watch_.name(); }
  // Shows the others that this writer goes on; to be called every two seconds. Requires: the right
  // to write.
  Status ShowProgress() { return servers_[0]->ShowProgress(); }
  // Returns the right to write, or leaves the queue.
  Status Unlock();
  // Commits the pages as the next epoch. `read` is called by several threads. Errors: Busy without
  // the right to write, or if another writer has committed this epoch. After another error it is
  // unknown whether the epoch exists.
  Status Commit(const PageEpoch& next, const std::vector<uint32_t>& numbers,
                const PageServer::PageReader& read);
  // Deletes the versions of pages that were superseded for more than `seconds`.
  Status DeleteSuperseded(int64_t seconds);

 private:
  explicit PageServerGroup(std::vector<std::unique_ptr<PageServer>> servers)
      : servers_(std::move(servers)) {}
  // The pages of each server.
  std::vector<std::vector<uint32_t>> Split(const std::vector<uint32_t>& numbers) const;
  // Runs write(i) in a transaction on each server, at the same time. Commits nothing if one failed;
  // otherwise commits on the first server last.
  template <typename Write>
  Status OnAll(Write write);

  // IsOurTurn without a look at the writer.
  Result<bool> TryOurTurn();
  Result<bool> JoinQueue();

  std::vector<std::unique_ptr<PageServer>> servers_;  // at least one
  std::unique_ptr<PageServer> waiting_;               // the session in the queue; null if none is
  std::optional<bool> pooled_;                        // whether sessions are those of a pooler
  int64_t tried_ = 0;                                 // when the right was last asked for
  WriterWatch watch_;
};

}  // namespace recall
