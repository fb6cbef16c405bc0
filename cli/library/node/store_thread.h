#pragma once

// A store of JavaScript: calls that it waits for run on a thread of their own, one after the other.
//
// Problem. The thread of JavaScript must not wait, calls of a store wait for each other, and the
// four threads of libuv's pool are for short work: an ingest of minutes would take one away from
// the files of the host, and calls that wait for it the others.
// Idea. Each store has a queue, and a thread that is started with the first call.
// Invariants. `store_` is written by the thread while it runs kOpen or kClose, or by RunHere while
// no call waits. The thread closes the store when it ends. Whoever destroys this has called Shut.

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "cli/library/node/call_mailbox.h"

namespace recall {

// Tells progress during a call on the thread of JavaScript. Returns: false to end the call.
using ProgressHere = std::function<bool(const recall_progress&)>;

// All functions are called on the thread of JavaScript.
class StoreThread final {
 public:
  StoreThread(const LoadedLibrary* library, CallMailbox* mailbox)
      : library_(library), mailbox_(mailbox), here_(std::this_thread::get_id()) {}
  StoreThread(const StoreThread&) = delete;
  StoreThread& operator=(const StoreThread&) = delete;

  // Runs a call behind all others, and delivers it. Its failure is set if that is not possible.
  void Start(std::unique_ptr<PendingCall> call);
  // Ends a call that waits or runs; does nothing if it has ended. A call that has been taken from
  // the queue and has not reached the store yet does not notice, so this is repeated until the call
  // is delivered.
  void Cancel(uint32_t id);
  // Runs a call on this thread.
  void RunHere(const CallRequest& request, const ProgressHere& progress, CallOutcome* outcome);
  // Closes the store behind all calls, without waiting for it.
  void Finish();
  // Ends all calls, waits until they have ended, and closes the store. Within a call on this
  // thread, which the end of the process has interrupted, it does neither.
  void Shut();
  // True if the thread has ended, so that Shut does not wait.
  bool ended();

 private:
  void StartThread();
  void Run();
  std::unique_ptr<PendingCall> Next();
  void CancelRunning();
  static int OnProgress(const recall_progress* progress, void* self);

  const LoadedLibrary* const library_;
  CallMailbox* const mailbox_;
  const std::thread::id here_;

  recall_store* store_ = nullptr;
  std::thread thread_;
  const ProgressHere* progress_here_ = nullptr;  // of the call of RunHere
  bool runs_here_ = false;

  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::deque<std::unique_ptr<PendingCall>> queue_;
  PendingCall* running_ = nullptr;
  bool finishing_ = false;
  bool ended_ = false;
};

}  // namespace recall
