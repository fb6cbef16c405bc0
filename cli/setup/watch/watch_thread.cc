#include "cli/setup/watch/watch_thread.h"

#include <utility>

#include "storage/base/thread_start.h"

namespace recall {

Result<std::unique_ptr<WatchThread>> WatchThread::Start(std::unique_ptr<Database> database,
                                                        WatchOptions options,
                                                        WatchObserver observer,
                                                        std::function<void()> on_failure) {
  std::unique_ptr<WatchThread> watch(new WatchThread);
  watch->database_ = std::move(database);
  watch->on_failure_ = std::move(on_failure);
  RECALL_ASSIGN(watch->watcher_,
                Watcher::Make(watch->database_.get(), std::move(options), std::move(observer)));
  auto thread = StartThread([at = watch.get()] {
    at->ended_ = at->watcher_->Run();
    if (!at->ended_.ok()) at->on_failure_();
  });
  if (!thread) return Fail(Status::IoError("cannot start a thread to watch files"));
  watch->thread_ = *std::move(thread);
  return watch;
}

Status WatchThread::End() {
  if (!thread_.joinable()) return {};
  watcher_->Stop();
  thread_.join();
  return ended_;
}

}  // namespace recall
