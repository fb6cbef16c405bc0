#pragma once

#include <pthread.h>
#include <signal.h>

#include "storage/base/pending_signal.h"

namespace recall {

// While it exists, a write to a pipe or connection without a reader cannot kill the process:
// SIGPIPE is blocked for this thread and discarded at the end, unless one was already pending.
class WithoutSigpipe final {
 public:
  WithoutSigpipe() {
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }
  ~WithoutSigpipe() {
    if (!was_pending_) TakePendingSignal(SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t sigpipe_;
  sigset_t before_;
  bool was_pending_ = false;
};

}  // namespace recall
