#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "index/write/derived/forward_index_builder.h"
#include "storage/base/thread_failure.h"
#include "storage/store/store.h"

namespace recall {

// Builds the forward index of a store, if it is due, on a thread of its own and through a
// connection of its own, while the caller reads the store through another. Begin, Finish and the
// destructor belong to one thread.
class ForwardIndexTask final {
 public:
  // `cancelled` must outlive the task.
  ForwardIndexTask(const std::atomic<bool>& cancelled, ForwardIndexOptions options)
      : cancelled_(cancelled), options_(std::move(options)) {}
  // Waits for the thread.
  ~ForwardIndexTask();
  ForwardIndexTask(const ForwardIndexTask&) = delete;
  ForwardIndexTask& operator=(const ForwardIndexTask&) = delete;

  // Starts the thread. Returns: false if there can be none, or no other connection: the caller then
  // builds the index itself. Requires: called once.
  bool Begin(const Store& store);
  // Waits until the index is built, and passes progress on meanwhile. Does nothing without a thread
  // and when called again. Errors: those of BuildForwardIndexIfDue.
  Status Finish();

 private:
  void Build();
  void Wait();

  const std::atomic<bool>& cancelled_;
  const ForwardIndexOptions options_;
  std::unique_ptr<Store> store_;  // used by the thread
  std::optional<std::thread> thread_;
  ThreadFailure failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<DerivedDataProgress> progress_;  // not yet passed on
  bool done_ = false;
  Status outcome_;
};

}  // namespace recall
