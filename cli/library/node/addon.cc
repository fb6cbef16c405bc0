// The addon of the npm package: what package/node_stores.js calls of librecall. Its arguments were
// checked by that file, so this code only makes sure that wrong ones harm nothing.

#include <cmath>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "cli/library/node/addon_state.h"

namespace recall {
namespace {

// The arguments of a function of the addon; those that are missing are undefined.
struct Arguments {
  Arguments(napi_env env, napi_callback_info info) {
    size_t count = std::size(at);
    napi_get_cb_info(env, info, &count, at, nullptr, nullptr);
  }
  napi_value operator[](size_t place) const { return at[place]; }

  napi_value at[8] = {};
};

// A handle that JavaScript has; it releases what it refers to when it is collected.
template <typename Object>
napi_value JsHandle(napi_env env, std::shared_ptr<Object> object, void (*release)(Object& object)) {
  struct Held {
    std::shared_ptr<Object> object;
    void (*release)(Object&);
  };
  auto* const held = new Held{std::move(object), release};
  const auto finalize = [](napi_env, void* data, void*) {
    auto* const dropped = static_cast<Held*>(data);
    if (dropped->release != nullptr) dropped->release(*dropped->object);
    delete dropped;
  };
  napi_value handle = nullptr;
  if (napi_create_external(env, held, finalize, nullptr, &handle) != napi_ok) delete held;
  return handle;
}

template <typename Object>
std::shared_ptr<Object> HandleOf(napi_env env, napi_value value) {
  void* data = nullptr;
  // The first member of what JsHandle holds.
  if (napi_get_value_external(env, value, &data) != napi_ok) return nullptr;
  return *static_cast<std::shared_ptr<Object>*>(data);
}

// load(path): what the library says of itself.
napi_value Load(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  AddonState& state = *AddonState::Of(env);
  const std::string problem = LoadLibrary(TextOf(env, arguments[0]), &state.library);
  if (!problem.empty()) {
    napi_throw_error(env, nullptr, problem.c_str());
    return nullptr;
  }
  napi_create_reference(env, arguments[1], 1, &state.makers.hit);
  napi_create_reference(env, arguments[2], 1, &state.makers.error);
  state.loaded = true;
  return JsText(env, std::string(state.library.version()));
}

// Reads the vector of a text: of a call on this thread where it lies, because JavaScript cannot
// change, resize or transfer it meanwhile; else a copy.
void ReadVector(napi_env env, napi_value value, bool here, CallRequest* request) {
  bool is_array = false;
  napi_is_typedarray(env, value, &is_array);
  if (!is_array) return;
  napi_typedarray_type type = napi_int8_array;
  size_t size = 0;
  void* data = nullptr;
  napi_get_typedarray_info(env, value, &type, &size, &data, nullptr, nullptr);
  if (type == napi_float32_array) {
    const auto* const floats = static_cast<const float*>(data);
    if (here) {
      request->borrowed = floats;
      request->size = size;
    } else {
      request->vector.assign(floats, floats + size);
    }
  } else if (type == napi_uint8_array && here) {
    request->borrowed_lines = static_cast<const char*>(data);
    request->size = size;
  } else if (type == napi_uint8_array) {
    request->content.assign(static_cast<const char*>(data), size);
  }
}

// The arguments from the second on: kind, first, content, request, extra. Content may be a text or
// a Uint8Array; extra is a vector or a set.
CallRequest RequestOf(napi_env env, const Arguments& arguments, bool here) {
  CallRequest request;
  request.kind = static_cast<CallKind>(NumberOf(env, arguments[1]));
  request.first = TextOf(env, arguments[2]);
  request.content = TextOf(env, arguments[3]);
  ReadVector(env, arguments[3], here, &request);
  request.request = TextOf(env, arguments[4]);
  ReadVector(env, arguments[5], here, &request);
  if (request.kind == CallKind::kSearch) {
    request.set = HandleOf<recall_set>(env, arguments[5]);
  }
  return request;
}

// newStore(): a handle, with which the store is opened by kOpen.
napi_value NewStore(napi_env env, napi_callback_info) {
  AddonState& state = *AddonState::Of(env);
  return JsHandle<StoreThread>(env, state.NewStore(), [](StoreThread& store) { store.Finish(); });
}

// start(store, kind, first, content, request, extra, callback, listener): the number of the call.
napi_value Start(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  AddonState& state = *AddonState::Of(env);
  const std::shared_ptr<StoreThread> store = HandleOf<StoreThread>(env, arguments[0]);
  if (!store || !IsFunction(env, arguments[6])) return nullptr;
  auto call = std::make_unique<PendingCall>(&state.library);
  call->request = RequestOf(env, arguments, false);
  napi_create_reference(env, arguments[6], 1, &call->callback);
  if (IsFunction(env, arguments[7])) {
    napi_create_reference(env, arguments[7], 1, &call->listener);
  }
  return JsNumber(env, state.Start(*store, std::move(call)));
}

// run(store, kind, first, content, request, extra, listener): the value; throws the error.
napi_value Run(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  const AddonState& state = *AddonState::Of(env);
  const std::shared_ptr<StoreThread> store = HandleOf<StoreThread>(env, arguments[0]);
  if (!store) return nullptr;
  ProgressHere progress;
  if (const napi_value listener = arguments[6]; IsFunction(env, listener)) {
    progress = [env, listener](const recall_progress& told) {
      napi_handle_scope scope = nullptr;
      napi_open_handle_scope(env, &scope);
      const bool goes_on = CallJs(env, listener, {JsProgress(env, told)}) != nullptr;
      napi_close_handle_scope(env, scope);
      return goes_on;
    };
  }
  CallOutcome outcome(&state.library);
  store->RunHere(RequestOf(env, arguments, true), progress, &outcome);
  bool thrown = false;
  napi_is_exception_pending(env, &thrown);
  if (thrown) return nullptr;  // by the listener
  const JsResult result = ResultOf(env, state.library, state.makers, outcome);
  if (result.error != nullptr) napi_throw(env, result.error);
  return result.value;
}

// cancel(store, number).
napi_value Cancel(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  const std::shared_ptr<StoreThread> store = HandleOf<StoreThread>(env, arguments[0]);
  if (store) store->Cancel(NumberOf(env, arguments[1]));
  return nullptr;
}

// shut(store).
napi_value Shut(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  const std::shared_ptr<StoreThread> store = HandleOf<StoreThread>(env, arguments[0]);
  if (store) store->Shut();
  return nullptr;
}

// newSet(of, names): a handle; throws the error.
napi_value NewSet(napi_env env, napi_callback_info info) {
  const Arguments arguments(env, info);
  const AddonState& state = *AddonState::Of(env);
  uint32_t count = 0;
  napi_get_array_length(env, arguments[1], &count);
  std::vector<std::string> texts(count);
  std::vector<const char*> names(count);
  for (uint32_t i = 0; i < count; ++i) {
    napi_value name = nullptr;
    napi_get_element(env, arguments[1], i, &name);
    texts[i] = TextOf(env, name);
    names[i] = texts[i].c_str();
  }
  recall_set* set = nullptr;
  CallOutcome outcome(&state.library);
  outcome.status = state.library.set_new(static_cast<recall_set_of>(NumberOf(env, arguments[0])),
                                         names.data(), count, &set, &outcome.answer);
  if (set == nullptr) {
    napi_throw(env, ErrorOf(env, state.library, state.makers, outcome.status, outcome.answer));
    return nullptr;
  }
  return JsHandle<recall_set>(env, SharedSet(set, state.library.set_free), nullptr);
}

}  // namespace
}  // namespace recall

NAPI_MODULE_INIT(/* napi_env env, napi_value exports */) {
  if (recall::AddonState::Create(env) == nullptr) return nullptr;
  const auto add = [&](const char* name, napi_callback function) {
    napi_value value = nullptr;
    napi_create_function(env, name, NAPI_AUTO_LENGTH, function, nullptr, &value);
    napi_set_named_property(env, exports, name, value);
  };
  add("load", recall::Load);
  add("newStore", recall::NewStore);
  add("newSet", recall::NewSet);
  add("start", recall::Start);
  add("run", recall::Run);
  add("cancel", recall::Cancel);
  add("shut", recall::Shut);
  return exports;
}
