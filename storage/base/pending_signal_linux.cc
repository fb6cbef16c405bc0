#include <signal.h>

#include <cerrno>
#include <ctime>

#include "storage/base/pending_signal.h"

namespace recall::linux_form {

void TakePendingSignal(int signal) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, signal);
  const timespec at_once = {0, 0};
  while (sigtimedwait(&only, nullptr, &at_once) < 0 && errno == EINTR) continue;
}

}  // namespace recall::linux_form
