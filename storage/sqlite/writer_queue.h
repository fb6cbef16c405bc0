#pragma once

// Whose turn it is to write. SQLite lets one process write at a time but keeps no order among those
// that wait: whoever happens to look at the right moment gets the lock, and with a few busy writers
// one may look in vain for many seconds. So writers queue first.
//
// A place in the queue is a byte far behind the end of the file, held by a lock of the open file
// description (fcntl(2), F_OFD_SETLK), which the kernel takes back when the process dies:
//
//   2^60          2^60 + 1      2^60 + 2
//   | it writes   | comes next  | after that | free ...
//
// Threads of one process share the description, so they queue among themselves first, and only the
// foremost has a place.
//
// The queue is only about order: that one process writes at a time remains SQLite's business, and
// programs that do not queue, or file systems without such locks, do no harm.

#include <cstdint>

namespace recall {

// Each WriterQueue belongs to one thread at a time; those of one descriptor know each other.
class WriterQueue final {
 public:
  // `descriptor` is of the store's file, open for writing, and must outlive the queue: it is
  // FileMapping's. -1 makes a queue in which it is always one's turn.
  explicit WriterQueue(int descriptor) : descriptor_(descriptor) {}
  ~WriterQueue() { Leave(); }
  WriterQueue(const WriterQueue&) = delete;
  WriterQueue& operator=(const WriterQueue&) = delete;

  // Goes behind everybody. Never waits.
  void Enter();
  // True when nobody is before us. To be asked again and again: only so do we advance.
  bool IsOurTurn();
  // Takes the turn if nobody has it or waits for it; never waits, and is in no queue otherwise.
  // True only where a lock makes it sure.
  bool TryTurn();
  void Leave();

 private:
  bool IsForemostOfProcess() const;
  void TakePlace();
  bool IsAnyoneIn(uint64_t first, uint64_t last) const;
  uint64_t FirstFreePlace() const;

  const int descriptor_;
  bool entered_ = false;  // among the threads of this process
  bool tried_ = false;    // to take a place
  bool placed_ = false;
  uint64_t place_ = 0;
};

}  // namespace recall
