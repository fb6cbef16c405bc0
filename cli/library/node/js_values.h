#pragma once

// Values of JavaScript from those of librecall, and the reverse. What JavaScript sees of hits and
// errors is made by functions of the package (package/values.js), which keeps this code small.

#include <node_api.h>

#include <string>

#include "cli/library/node/call_mailbox.h"

namespace recall {

// The functions of the package that make hits and errors.
struct JsMakers {
  napi_ref hit = nullptr;
  napi_ref error = nullptr;
};

// The text of a value in UTF-8, without unpaired surrogates; "" if it is no text.
std::string TextOf(napi_env env, napi_value value);
uint32_t NumberOf(napi_env env, napi_value value);
bool IsFunction(napi_env env, napi_value value);

// Returns: null if there is no such text, as of one that is longer than JavaScript's.
napi_value JsText(napi_env env, const char* text, size_t size);
napi_value JsText(napi_env env, const std::string& text);
napi_value JsNumber(napi_env env, double number);
napi_value JsNothing(napi_env env);
napi_value JsProgress(napi_env env, const recall_progress& progress);

// Calls a function. Returns: null if it has thrown, and the exception is still there.
napi_value CallJs(napi_env env, napi_value function, std::initializer_list<napi_value> arguments);

// The value of a call that has succeeded: hits, a JSON text, or nothing; else its error.
struct JsResult {
  napi_value error = nullptr;
  napi_value value = nullptr;
};
JsResult ResultOf(napi_env env, const LoadedLibrary& library, const JsMakers& makers,
                  const CallOutcome& outcome);
napi_value ErrorOf(napi_env env, const LoadedLibrary& library, const JsMakers& makers, int status,
                   const recall_answer* answer);

}  // namespace recall
