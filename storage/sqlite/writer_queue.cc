#include "storage/sqlite/writer_queue.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <list>
#include <map>
#include <mutex>

namespace recall {
namespace {

constexpr uint64_t kFirstPlace = uint64_t{1} << 60;
constexpr uint64_t kLastPlace = kFirstPlace + (uint64_t{1} << 40);

struct flock LockOf(short type, uint64_t first, uint64_t last) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = static_cast<off_t>(first);
  lock.l_len = static_cast<off_t>(last - first + 1);
  return lock;
}

// The threads of this process that want to write, for each descriptor in the order they came.
struct Threads {
  std::mutex mutex;
  std::map<int, std::list<const WriterQueue*>> lines;
};

// Leaked on purpose: a store may be closed while the process ends.
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
  if (!entered_) return true;
  if (!IsForemostOfProcess()) return false;
  if (!tried_) TakePlace();
  return !placed_ || place_ == kFirstPlace || !IsAnyoneIn(kFirstPlace, place_ - 1);
}

bool WriterQueue::TryTurn() {
  Enter();
  if (placed_ && IsOurTurn()) return true;
  Leave();
  return false;
}

void WriterQueue::Leave() {
  if (!entered_) return;
  if (placed_) {
    struct flock lock = LockOf(F_UNLCK, place_, place_);
    ::fcntl(descriptor_, F_OFD_SETLK, &lock);
  }
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
    struct flock lock = LockOf(F_WRLCK, place_, place_);
    placed_ = ::fcntl(descriptor_, F_OFD_SETLK, &lock) == 0;
    // Taken between the look and the grasp: the next one then. Else there are no such locks here.
    if (placed_ || (errno != EAGAIN && errno != EACCES)) return;
  }
}

bool WriterQueue::IsAnyoneIn(uint64_t first, uint64_t last) const {
  struct flock lock = LockOf(F_WRLCK, first, last);
  return ::fcntl(descriptor_, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
}

// The place behind the last that is held, by bisection: held places have gaps where somebody gave
// up or has finished.
uint64_t WriterQueue::FirstFreePlace() const {
  if (!IsAnyoneIn(kFirstPlace, kLastPlace)) return kFirstPlace;
  uint64_t held = kFirstPlace;     // somebody is here or behind
  uint64_t free = kLastPlace + 1;  // nobody is here or behind
  while (free - held > 1) {
    const uint64_t middle = held + (free - held) / 2;
    (IsAnyoneIn(middle, kLastPlace) ? held : free) = middle;
  }
  return free;
}

}  // namespace recall
