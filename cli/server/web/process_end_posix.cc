#include <poll.h>
#include <sys/wait.h>

#include <cerrno>

#include "cli/server/web/process_end.h"

namespace recall::posix_form {

std::optional<int> AwaitEnd(pid_t child, int stop) {
  constexpr int kLookMillis = 200;
  pollfd watched = {stop, POLLIN, 0};
  for (;;) {
    int status = 0;
    const pid_t ended = ::waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return std::nullopt;
    if (::poll(&watched, 1, kLookMillis) > 0) return std::nullopt;
  }
}

}  // namespace recall::posix_form
