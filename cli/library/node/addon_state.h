#pragma once

// What an environment of Node.js, the main thread or a worker, has of the addon.
//
// Problem. Calls end on threads of stores, and their promises belong to the thread of JavaScript.
// An environment may end at any time: the process exits, or a worker is terminated.
// Idea. One function that is safe to call from threads (napi_threadsafe_function) wakes the loop,
// which then empties the mailbox. It keeps the loop alive only while calls are pending. At the end
// of the environment, before that function becomes invalid, all stores are shut, so that no thread
// is left.

#include <node_api.h>

#include <list>
#include <memory>

#include "cli/library/node/js_values.h"
#include "cli/library/node/store_thread.h"

namespace recall {

// All functions are called on the thread of the environment.
class AddonState final {
 public:
  // Returns: null if Node.js refuses; an exception is then pending.
  static AddonState* Create(napi_env env);
  // That of the environment.
  static AddonState* Of(napi_env env);
  AddonState(const AddonState&) = delete;
  AddonState& operator=(const AddonState&) = delete;

  // Requires for all that follow: the library is loaded.
  std::shared_ptr<StoreThread> NewStore();
  // Starts a call, whose callback JavaScript gets later. Returns: its number.
  uint32_t Start(StoreThread& store, std::unique_ptr<PendingCall> call);

  LoadedLibrary library = {};
  bool loaded = false;
  JsMakers makers;

 private:
  explicit AddonState(napi_env env);

  bool StartWaking();
  // Tells JavaScript what is in the mailbox.
  void Empty();
  void TellNews(PendingCall& call);
  void End(PendingCall& call);
  void Shut();
  // Forgets stores that are closed.
  void Reap();

  const napi_env env_;
  napi_threadsafe_function wake_ = nullptr;
  CallMailbox mailbox_;
  std::list<std::shared_ptr<StoreThread>> stores_;
  size_t pending_ = 0;
  uint32_t last_id_ = 0;
};

}  // namespace recall
