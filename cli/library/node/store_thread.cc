#include "cli/library/node/store_thread.h"

#include <pthread.h>
#include <signal.h>

#include <chrono>
#include <system_error>
#include <utility>

namespace recall {
namespace {

// Blocks all signals of this thread, and of threads that it starts meanwhile: they are for the
// host.
class SignalsBlocked final {
 public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
};

constexpr const char* kEnded = "the call was cancelled before it began";

}  // namespace

void StoreThread::Start(std::unique_ptr<PendingCall> call) {
  try {
    if (!thread_.joinable()) StartThread();
  } catch (const std::system_error&) {
    call->outcome.failure = "no thread can be started";
    mailbox_->Deliver(std::move(call));
    return;
  }
  const std::lock_guard lock(mutex_);
  queue_.push_back(std::move(call));
  changed_.notify_all();
}

void StoreThread::StartThread() {
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { Run(); });
}

void StoreThread::Cancel(uint32_t id) {
  std::unique_ptr<PendingCall> taken;
  {
    const std::lock_guard lock(mutex_);
    if (running_ != nullptr && running_->id == id) return CancelRunning();
    for (auto call = queue_.begin(); call != queue_.end(); ++call) {
      if ((*call)->id != id) continue;
      taken = std::move(*call);
      queue_.erase(call);
      break;
    }
  }
  if (!taken) return;
  taken->outcome.status = RECALL_INTERRUPTED;
  taken->outcome.failure = kEnded;
  mailbox_->Deliver(std::move(taken));
}

// Requires: the mutex is held, so that the call does not end meanwhile.
void StoreThread::CancelRunning() {
  running_->aborted = true;
  const CallKind kind = running_->request.kind;
  if (kind != CallKind::kOpen && kind != CallKind::kClose) library_->cancel(store_);
}

void StoreThread::RunHere(const CallRequest& request, const ProgressHere& progress,
                          CallOutcome* outcome) {
  progress_here_ = &progress;
  runs_here_ = true;
  RunCall(*library_, request, &store_, outcome);
  runs_here_ = false;
  progress_here_ = nullptr;
  if (request.kind == CallKind::kOpen && store_ != nullptr) {
    library_->set_progress(store_, &OnProgress, this);
  }
}

void StoreThread::Finish() {
  try {
    if (!thread_.joinable() && store_ != nullptr) StartThread();
  } catch (const std::system_error&) {
    return;  // Shut closes it
  }
  const std::lock_guard lock(mutex_);
  finishing_ = true;
  if (!thread_.joinable()) ended_ = true;
  changed_.notify_all();
}

void StoreThread::Shut() {
  if (runs_here_) {
    if (thread_.joinable()) thread_.detach();  // it waits for the call, which never ends
    return;
  }
  std::deque<std::unique_ptr<PendingCall>> waiting;
  if (thread_.joinable()) {
    std::unique_lock lock(mutex_);
    finishing_ = true;
    waiting = std::exchange(queue_, {});
    changed_.notify_all();
    while (!ended_) {
      if (running_ != nullptr) CancelRunning();
      changed_.wait_for(lock, std::chrono::milliseconds(5));
    }
    lock.unlock();
    thread_.join();
  }
  library_->close(std::exchange(store_, nullptr));
  for (std::unique_ptr<PendingCall>& call : waiting) {
    call->outcome.status = RECALL_INTERRUPTED;
    call->outcome.failure = kEnded;
    mailbox_->Deliver(std::move(call));
  }
}

bool StoreThread::ended() {
  const std::lock_guard lock(mutex_);
  return ended_;
}

void StoreThread::Run() {
  while (std::unique_ptr<PendingCall> call = Next()) {
    RunCall(*library_, call->request, &store_, &call->outcome);
    if (call->request.kind == CallKind::kOpen && store_ != nullptr) {
      library_->set_progress(store_, &OnProgress, this);
    }
    {
      const std::lock_guard lock(mutex_);
      running_ = nullptr;
    }
    mailbox_->Deliver(std::move(call));
  }
  library_->close(std::exchange(store_, nullptr));
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

// The next call; null if there is none and there will be none.
std::unique_ptr<PendingCall> StoreThread::Next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !queue_.empty() || finishing_; });
  if (queue_.empty()) return nullptr;
  std::unique_ptr<PendingCall> call = std::move(queue_.front());
  queue_.pop_front();
  running_ = call.get();
  if (call->request.kind == CallKind::kClose) finishing_ = true;
  return call;
}

int StoreThread::OnProgress(const recall_progress* progress, void* self) {
  StoreThread& store = *static_cast<StoreThread*>(self);
  if (std::this_thread::get_id() == store.here_) {
    const ProgressHere* const here = store.progress_here_;
    return here == nullptr || !*here || (*here)(*progress) ? 0 : 1;
  }
  // Only this thread changes it.
  PendingCall* const call = store.running_;
  if (call->aborted) return 1;
  if (call->listener != nullptr) store.mailbox_->Tell(call, *progress);
  return 0;
}

}  // namespace recall
