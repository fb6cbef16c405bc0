#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "cli/server/web/process_end.h"

namespace recall::linux_form {

std::optional<int> AwaitEnd(pid_t child, int stop) {
  // The declaration of pidfd_open in glibc 2.36 does not work in C++.
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
  if (process < 0) return posix_form::AwaitEnd(child, stop);  // before Linux 5.3
  pollfd watched[] = {{process, POLLIN, 0}, {stop, POLLIN, 0}};
  int ready = 0;
  do {
    ready = ::poll(watched, 2, -1);
  } while (ready < 0 && errno == EINTR);
  ::close(process);
  int status = 0;
  const bool ended = ready > 0 && watched[1].revents == 0 && ::waitpid(child, &status, 0) == child;
  return ended ? std::optional(status) : std::nullopt;
}

}  // namespace recall::linux_form
