#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Where the pages of a replica come from, and where its commits go.
//
// A replica is a local database file that stands for one on a server. The file has the size of the
// original, but a page is fetched when it is first needed. The state of the original after a commit
// is an *epoch*; all pages of the replica that are present belong to one epoch.
//
// A machine has several replicas of a store: one for its writers, since a commit excludes readers
// until it is on the server, and others for readers, which stay at an epoch until they end.
//
// Locks: SQLite's own locks on the replica order its users, in all processes. A user with a SHARED
// lock may fetch pages of the present epoch. Only a user with an EXCLUSIVE lock moves the replica
// to another epoch. The VFS (replica_vfs.h) calls these functions under such locks.
class PageSource {
 public:
  static constexpr uint32_t kPageBytes = 65536;

  virtual ~PageSource() = default;

  // How messages name the original.
  virtual const std::string& name() const = 0;

  // The random id of the epoch of the present pages. Called by holders of a lock.
  virtual int64_t epoch_id() const = 0;

  // How often the server was found to lack the commit of the replica: a standby that took over may
  // not have it. What was remembered of that commit, by its number, may then be wrong.
  virtual uint32_t losses() const = 0;

  // Whether somebody, also this process, has a lock on the file.
  virtual bool IsInUse() const = 0;

  // Pages are numbered from 1. Thread-safe, and called by holders of a SHARED lock.
  virtual bool IsPresent(uint32_t number) const = 0;
  // Returns when the page is in the file; false if it cannot be fetched (TakeError).
  virtual bool Ensure(uint32_t number) = 0;
  // Begins to fetch pages, without waiting.
  virtual void Prefetch(uint32_t first, uint32_t count) = 0;

  // Around each use of the file under a SHARED lock of this process. After the last EndUse no
  // fetched page is written to the file.
  virtual void BeginUse() = 0;
  virtual void EndUse() = 0;

  // Whether the replica is at the newest epoch of the server. One round trip.
  virtual Result<bool> IsCurrent() = 0;
  // Moves the replica to the newest epoch. Requires: an EXCLUSIVE lock, no other user.
  virtual Status Advance() = 0;

  // Whether the replica takes more room on the disk than it may. Cheap.
  virtual bool IsTooLarge() const = 0;
  // Makes about half of the pages absent. Requires: an EXCLUSIVE lock, no other user.
  virtual void Evict() = 0;

  // Writers of different machines queue for the right to write, which the server gives to one at a
  // time, in order of arrival. The first IsOurTurn joins the queue; it must be polled, and never
  // waits. True if this process has the right, until LeaveQueue; also if the server cannot be
  // asked: a transaction then reports why. For one user at a time (WriterQueue).
  virtual bool IsOurTurn() = 0;
  virtual void LeaveQueue() = 0;

  // Takes the right to write, without waiting, unless this process has it. False if another writer
  // has it or waits for it, or if the replica is not at the newest epoch. Requires: a RESERVED
  // lock.
  virtual Result<bool> TryBeginWrite() = 0;
  // Gives the right back, unless this process is in the queue.
  virtual void EndWrite() = 0;
  // Around the writing of a page to the file, by a writer or by SQLite's recovery of one that died.
  // A page of a transaction counts as present when the transaction is published, and until then for
  // its writer only.
  virtual void WillWrite(uint32_t number) = 0;
  virtual void WasWritten(uint32_t number) = 0;
  // Pages behind this one were cut off the end of the file.
  virtual void NoteTruncated(uint32_t pages) = 0;
  // Makes the written pages the next epoch, as a whole or not at all. Requires: TryBeginWrite.
  virtual Status Publish() = 0;
  // The replica is at the epoch that was published. Requires: an EXCLUSIVE lock.
  virtual void AcceptPublished() = 0;

  // Why a function failed last, once; OK if none has since the last call. Thread-safe.
  virtual Status TakeError() = 0;
};

// The source of the pages of the file at `path`; null if it is an ordinary file. Thread-safe.
PageSource* FindPageSource(std::string_view path);
// `path`: absolute, without symbolic links. The source lives until the process ends.
void AddPageSource(const std::string& path, std::unique_ptr<PageSource> source);

}  // namespace recall
