#pragma once

// A queue of writers. SQLite lets one process write at a time but does not order those that wait:
// the process that happens to poll at the right moment gets the lock. With a few busy writers, one
// process may fail to get it for many seconds. So writers queue first.
//
// A place in the queue is a byte far beyond the end of the file, held by an open file description
// lock (storage/base/file_locks.h), which the kernel releases when the process dies:
//
//   2^60          2^60 + 1      2^60 + 2
//   | writing     | next        | after that | free ...
//
// Threads of one process share the file description, so they queue among themselves first, and only
// the first of them holds a place.
//
// The queue only determines the order. SQLite still ensures that one process writes at a time, so
// programs that do not queue, and file systems without such locks, do no harm.
//
// If the file is a replica of a store on a server, the first writer of this machine then joins the
// queue of machines, which the server keeps (PageSource::IsOurTurn).

#include <cstdint>
#include <string>

#include "storage/replica/page_source.h"

namespace recall {

// Each WriterQueue belongs to one thread at a time. Queues with the same descriptor share their
// order.
class WriterQueue final {
 public:
  // `descriptor` is of the store's file, open for writing, and must outlive the queue; it is the
  // one of FileMapping. With -1 it is always this writer's turn on this machine. `source`: of the
  // file; null if it is no replica.
  explicit WriterQueue(int descriptor, PageSource* source = nullptr)
      : descriptor_(descriptor), source_(source) {}
  ~WriterQueue() { Leave(); }
  WriterQueue(const WriterQueue&) = delete;
  WriterQueue& operator=(const WriterQueue&) = delete;

  // Joins the queue at its end. Never waits.
  void Enter();
  // True if no other writer is before this one. Must be polled: the writer only advances in these
  // calls.
  bool IsOurTurn();
  // Joins the queue of this machine if it is empty; otherwise stays outside. Never waits. True only
  // if a lock guarantees it.
  bool TryTurn();
  void Leave();
  // The writer of another machine for which this one waits; "" if it is not known.
  std::string WriterBefore() const { return asked_source_ ? source_->WriterBefore() : ""; }

 private:
  bool IsFirstOnThisMachine();
  bool IsForemostOfProcess() const;
  void TakePlace();
  bool IsAnyoneIn(uint64_t first, uint64_t last) const;
  uint64_t FirstFreePlace() const;

  const int descriptor_;
  PageSource* const source_;
  bool entered_ = false;  // among the threads of this process
  bool tried_ = false;    // to take a place
  bool placed_ = false;
  bool asked_source_ = false;  // so we have joined its queue
  uint64_t place_ = 0;
};

}  // namespace recall
