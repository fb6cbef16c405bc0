#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "cli/setup/watch/watcher.h"

namespace recall {

// Keeps a store up to date with files, on a thread of its own, while it exists.
class WatchThread final {
 public:
  // The observer is called on the thread, and so is `on_failure`, once, if the watcher ends with an
  // error. Errors: those of Watcher::Make; IoError if no thread can be started.
  static Result<std::unique_ptr<WatchThread>> Start(std::unique_ptr<Database> database,
                                                    WatchOptions options, WatchObserver observer,
                                                    std::function<void()> on_failure);
  ~WatchThread() { End().IgnoreError(); }

  // Ends the thread. Returns: the error that has ended the watcher before, if one has.
  Status End();

 private:
  WatchThread() = default;

  std::unique_ptr<Database> database_;
  std::unique_ptr<Watcher> watcher_;
  std::function<void()> on_failure_;
  Status ended_;
  std::thread thread_;
};

}  // namespace recall
