#include "cli/library/node/addon_state.h"

#include <utility>

namespace recall {

AddonState::AddonState(napi_env env)
    : env_(env),
      mailbox_([this] { napi_call_threadsafe_function(wake_, nullptr, napi_tsfn_nonblocking); }) {}

AddonState* AddonState::Create(napi_env env) {
  auto* const state = new AddonState(env);
  const auto destroy = [](napi_env, void* data, void*) { delete static_cast<AddonState*>(data); };
  // The hook runs before those that were added before it, such as that of StartWaking.
  const auto shut = [](void* data) { static_cast<AddonState*>(data)->Shut(); };
  if (napi_set_instance_data(env, state, destroy, nullptr) != napi_ok || !state->StartWaking() ||
      napi_add_env_cleanup_hook(env, shut, state) != napi_ok) {
    napi_throw_error(env, nullptr, "the addon of recall cannot be initialised");
    return nullptr;
  }
  return state;
}

bool AddonState::StartWaking() {
  const auto awake = [](napi_env env, napi_value, void* data, void*) {
    if (env != nullptr) static_cast<AddonState*>(data)->Empty();
  };
  napi_value name = JsText(env_, "recall");
  return napi_create_threadsafe_function(env_, nullptr, nullptr, name, 0, 1, nullptr, nullptr, this,
                                         awake, &wake_) == napi_ok &&
         napi_unref_threadsafe_function(env_, wake_) == napi_ok;
}

AddonState* AddonState::Of(napi_env env) {
  void* data = nullptr;
  napi_get_instance_data(env, &data);
  return static_cast<AddonState*>(data);
}

std::shared_ptr<StoreThread> AddonState::NewStore() {
  Reap();
  stores_.push_back(std::make_shared<StoreThread>(&library, &mailbox_));
  return stores_.back();
}

uint32_t AddonState::Start(StoreThread& store, std::unique_ptr<PendingCall> call) {
  if (++pending_ == 1) napi_ref_threadsafe_function(env_, wake_);
  const uint32_t id = call->id = ++last_id_;
  store.Start(std::move(call));
  return id;
}

void AddonState::Empty() {
  for (CallMailbox::Letter& letter : mailbox_.Take()) {
    napi_handle_scope scope = nullptr;
    napi_open_handle_scope(env_, &scope);
    if (letter.ended) {
      End(*letter.ended);
    } else {
      TellNews(*letter.proceeds);
    }
    napi_close_handle_scope(env_, scope);
  }
  Reap();
}

void AddonState::TellNews(PendingCall& call) {
  const KeptProgress news = mailbox_.TakeNews(&call);
  napi_value listener = nullptr;
  napi_get_reference_value(env_, call.listener, &listener);
  const recall_progress told = {news.command.c_str(), news.stage.c_str(), news.done, news.total};
  CallJs(env_, listener, {JsProgress(env_, told)});
}

void AddonState::End(PendingCall& call) {
  napi_value callback = nullptr;
  napi_get_reference_value(env_, call.callback, &callback);
  napi_delete_reference(env_, call.callback);
  if (call.listener != nullptr) napi_delete_reference(env_, call.listener);
  if (--pending_ == 0) napi_unref_threadsafe_function(env_, wake_);
  JsResult result = ResultOf(env_, library, makers, call.outcome);
  if (result.error == nullptr && result.value == nullptr) {
    // Making the value has thrown.
    napi_get_and_clear_last_exception(env_, &result.error);
  }
  const napi_value nothing = JsNothing(env_);
  CallJs(env_, callback,
         {result.error != nullptr ? result.error : nothing,
          result.value != nullptr ? result.value : nothing});
}

void AddonState::Reap() {
  stores_.remove_if([](const std::shared_ptr<StoreThread>& store) {
    const bool ended = store->ended();
    if (ended) store->Shut();
    return ended;
  });
}

void AddonState::Shut() {
  for (const std::shared_ptr<StoreThread>& store : stores_) store->Shut();
}

}  // namespace recall
