#include "storage/sqlite/writer_queue.h"

#include <cerrno>
#include <list>
#include <map>
#include <mutex>
#include <utility>

#include "storage/base/file_locks.h"

namespace recall {
namespace {

// writer_queue.h describes the queue. Places are byte ranges beyond the end of the file, on which
// the kernel keeps locks (storage/base/file_locks.h):
//
//   2^60     +1       +2       +3       +4
//   | free   | lock B | free   | lock D | free ...     B is first; D waits for B
//     A left            C gave up        E takes this one: after the last lock
//
// Joining: find the first byte after all locks by bisection. The kernel tells whether any lock
// exists in a range, so 40 calls suffice for 2^40 places. Then lock that byte; if another process
// was faster, try the next one.
//
// Turn: a writer is first if no lock exists before its own. It polls (Connection::WaitUntil),
// because a blocking lock could not be interrupted and would have to name one predecessor.
//
// Invariants: the lock of a process ends with it, however it ends, so a crash never blocks the
// queue. Places are never reused while a later one is held, so the order is that of arrival. When
// the queue is empty it starts again at 2^60. Threads of a process share the descriptor, and with
// it the locks; therefore only the first of them holds a place.
//
// Cost: about 40 system calls to join, one per poll.

constexpr uint64_t kFirstPlace = uint64_t{1} << 60;
constexpr uint64_t kLastPlace = kFirstPlace + (uint64_t{1} << 40);

// The threads of this process that want to write, for each descriptor in order of arrival.
struct Threads {
  std::mutex mutex;
  std::map<int, std::list<const WriterQueue*>> lines;
};

// Leaked on purpose: a store may be closed while the process exits.
Threads& TheThreads() {
  static Threads& threads = *new Threads;
  return threads;
}

}  // namespace

void WriterQueue::Enter() {
  Leave();
  if (descriptor_ < 0) return;
  Threads& threads = TheThreads();
  const std::lock_guard lock(threads.mutex);
  threads.lines[descriptor_].push_back(this);
  entered_ = true;
  if (threads.lines[descriptor_].size() == 1) TakePlace();
}

bool WriterQueue::IsOurTurn() {
  if (!IsFirstOnThisMachine()) return false;
  if (source_ == nullptr) return true;
  asked_source_ = true;
  return source_->IsOurTurn();
}

bool WriterQueue::IsFirstOnThisMachine() {
  if (!entered_) return true;
  if (!IsForemostOfProcess()) return false;
  if (!tried_) TakePlace();
  return !placed_ || place_ == kFirstPlace || !IsAnyoneIn(kFirstPlace, place_ - 1);
}

bool WriterQueue::TryTurn() {
  Enter();
  if (placed_ && IsFirstOnThisMachine()) return true;
  Leave();
  return false;
}

void WriterQueue::Leave() {
  if (std::exchange(asked_source_, false)) source_->LeaveQueue();
  if (!entered_) return;
  if (placed_) UnlockBytes(descriptor_, static_cast<off_t>(place_), 1);
  entered_ = tried_ = placed_ = false;
  Threads& threads = TheThreads();
  const std::lock_guard lock(threads.mutex);
  threads.lines[descriptor_].remove(this);
}

bool WriterQueue::IsForemostOfProcess() const {
  Threads& threads = TheThreads();
  const std::lock_guard lock(threads.mutex);
  return threads.lines[descriptor_].front() == this;
}

void WriterQueue::TakePlace() {
  tried_ = true;
  for (place_ = FirstFreePlace(); place_ <= kLastPlace; ++place_) {
    const int error = LockBytes(descriptor_, static_cast<off_t>(place_), 1);
    placed_ = error == 0;
    // Another process locked it after the search: try the next place. Other errors mean that the
    // system or the file system does not support such locks.
    if (placed_ || (error != EAGAIN && error != EACCES)) return;
  }
}

bool WriterQueue::IsAnyoneIn(uint64_t first, uint64_t last) const {
  return AreBytesLocked(descriptor_, static_cast<off_t>(first),
                        static_cast<off_t>(last - first + 1));
}

// The place after the last one that is held, by bisection. The held places may have gaps, where
// writers have finished or given up.
uint64_t WriterQueue::FirstFreePlace() const {
  if (!IsAnyoneIn(kFirstPlace, kLastPlace)) return kFirstPlace;
  uint64_t held = kFirstPlace;     // a lock exists at or after this place
  uint64_t free = kLastPlace + 1;  // no lock exists at or after this place
  while (free - held > 1) {
    const uint64_t middle = held + (free - held) / 2;
    (IsAnyoneIn(middle, kLastPlace) ? held : free) = middle;
  }
  return free;
}

}  // namespace recall
