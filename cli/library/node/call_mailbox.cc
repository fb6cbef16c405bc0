#include "cli/library/node/call_mailbox.h"

#include <utility>

namespace recall {

void CallMailbox::Tell(PendingCall* call, const recall_progress& progress) {
  {
    const std::lock_guard lock(mutex_);
    const bool waits = call->news.has_value();
    call->news = {progress.command, progress.stage, progress.done, progress.total};
    if (waits) return;
  }
  Add({nullptr, call});
}

void CallMailbox::Deliver(std::unique_ptr<PendingCall> call) { Add({std::move(call), nullptr}); }

std::vector<CallMailbox::Letter> CallMailbox::Take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(letters_, {});
}

KeptProgress CallMailbox::TakeNews(PendingCall* call) {
  const std::lock_guard lock(mutex_);
  return *std::exchange(call->news, std::nullopt);
}

void CallMailbox::Add(Letter letter) {
  bool first = false;
  {
    const std::lock_guard lock(mutex_);
    first = letters_.empty();
    letters_.push_back(std::move(letter));
  }
  if (first) wake_();
}

}  // namespace recall
