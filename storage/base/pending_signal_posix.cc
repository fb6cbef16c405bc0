#include <signal.h>

#include "storage/base/pending_signal.h"

namespace recall::posix_form {

// macOS has no sigtimedwait(2). If the signal is pending for this thread, sigwait(2) does not wait.
void TakePendingSignal(int signal) {
  sigset_t pending;
  sigset_t only;
  sigpending(&pending);
  if (sigismember(&pending, signal) != 1) return;
  sigemptyset(&only);
  sigaddset(&only, signal);
  int taken = 0;
  sigwait(&only, &taken);
}

}  // namespace recall::posix_form
