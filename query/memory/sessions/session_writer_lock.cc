#include "query/memory/sessions/session_writer_lock.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>

#include <cerrno>

namespace recall {
namespace {

constexpr int kLockPollMillis = 10;

}  // namespace

SessionWriterLock::SessionWriterLock(const std::string& directory, const std::atomic<bool>& cancel)
    : directory_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (directory_.get() < 0) return;
  while (::flock(directory_.get(), LOCK_EX | LOCK_NB) != 0 && !cancel.load()) {
    if (errno != EWOULDBLOCK && errno != EINTR) return;
    ::poll(nullptr, 0, kLockPollMillis);
  }
}

}  // namespace recall
