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

  // The number of times that the server was found to lack the commit of the replica, as a standby
  // that took over may do. Another commit then gets its number, so values that a caller keeps by
  // commit number may be wrong.
  virtual uint32_t losses() const = 0;

  // Whether any process, including this one, has a lock on the file.
  virtual bool IsInUse() const = 0;

  // Whether a page is in the file. Pages are numbered from 1. This and the next two functions are
  // thread-safe, and are called by holders of a SHARED lock.
  virtual bool IsPresent(uint32_t number) const = 0;
  // Waits until the page is in the file. Returns false if it cannot be fetched (TakeError).
  virtual bool Ensure(uint32_t number) = 0;
  // Starts to fetch pages, without waiting for them.
  virtual void Prefetch(uint32_t first, uint32_t count) = 0;

  // Called before and after each use of the file under a SHARED lock of this process. Once the
  // last use has ended, no fetched page is written to the file.
  virtual void BeginUse() = 0;
  virtual void EndUse() = 0;

  // Whether the replica is at the newest epoch of the server. One round trip; none if the thread's
  // question (QuestionScope) has asked before and the replica is where it was then. A replica of
  // writers asks again after two seconds.
  virtual Result<bool> IsCurrent() = 0;
  // Moves the replica to the newest epoch. Requires: an EXCLUSIVE lock, no other user.
  virtual Status Advance() = 0;

  // Whether the replica takes more room on the disk than it may. Cheap.
  virtual bool IsTooLarge() const = 0;
  // Makes about half of the pages absent. Requires: an EXCLUSIVE lock, no other user.
  virtual void Evict() = 0;

  // Writers of different machines queue for the right to write, which the server gives to one at a
  // time, in order of arrival. The first call of IsOurTurn joins the queue; callers poll it,
  // because it never waits. It returns true if this process has the right, which lasts until
  // Commit or LeaveQueue. It also returns true if the server cannot be asked: the transaction that
  // follows then reports the error. For one user at a time (WriterQueue).
  virtual bool IsOurTurn() = 0;
  virtual void LeaveQueue() = 0;
  // The writer for which IsOurTurn last waited, for messages; "" if it is not known.
  virtual std::string WriterBefore() = 0;

  // Takes the right to write, without waiting, unless this process has it. False if another writer
  // has it or waits for it, or if the replica is not at the newest epoch. Requires: a RESERVED
  // lock.
  virtual Result<bool> TryBeginWrite() = 0;
  // Returns the right to write, unless this process is still in the queue.
  virtual void EndWrite() = 0;
  // Called before and after a page is written to the file, by a writer or by SQLite's recovery of a
  // writer that died.
  // A page that a transaction wrote counts as present for its writer at once, and for others when
  // the transaction is committed.
  virtual void WillWrite(uint32_t number) = 0;
  virtual void WasWritten(uint32_t number) = 0;
  // Called when the file was truncated to `pages` pages.
  virtual void NoteTruncated(uint32_t pages) = 0;
  // Commits the written pages on the server as the next epoch, as a whole or not at all. Requires:
  // TryBeginWrite.
  virtual Status Commit() = 0;
  // Moves the replica to the epoch that Commit made. Requires: an EXCLUSIVE lock.
  virtual void AcceptCommit() = 0;

  // Returns what users must know although nothing failed, such as that the server has lost commits,
  // and forgets it; "" if there is nothing. Thread-safe.
  virtual std::string TakeWarning() = 0;

  // Returns the error of the function that failed last, and forgets it; OK if none has failed since
  // the last call. Thread-safe.
  virtual Status TakeError() = 0;
};

// The source of the pages of the file at `path`; null if it is an ordinary file. Thread-safe.
PageSource* FindPageSource(std::string_view path);
// `path`: absolute, without symbolic links. The source lives until the process ends.
void AddPageSource(const std::string& path, std::unique_ptr<PageSource> source);

}  // namespace recall
