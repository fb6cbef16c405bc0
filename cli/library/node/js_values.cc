#include "cli/library/node/js_values.h"

#include <cstring>
#include <initializer_list>

namespace recall {
namespace {

napi_value Referenced(napi_env env, napi_ref reference) {
  napi_value value = nullptr;
  napi_get_reference_value(env, reference, &value);
  return value;
}

napi_value FailureOf(napi_env env, const JsMakers& makers, int status, const char* code,
                     const char* message) {
  return CallJs(env, Referenced(env, makers.error),
                {JsNumber(env, status), JsText(env, code), JsText(env, message)});
}

// The order of the arguments is that of `makeHit` in package/values.js.
napi_value JsHit(napi_env env, napi_value make, const recall_hit& hit) {
  const auto text = [env](const char* chars) { return JsText(env, chars, std::strlen(chars)); };
  const auto number = [env](auto value) { return JsNumber(env, static_cast<double>(value)); };
  return CallJs(env, make,
                {number(hit.score), text(hit.path), text(hit.citation), text(hit.document),
                 text(hit.chunk), number(hit.first_line), number(hit.last_line),
                 number(hit.start_byte), number(hit.end_byte), text(hit.heading),
                 JsText(env, hit.text, hit.text_size), JsText(env, hit.snippet, hit.snippet_size),
                 number(hit.snippet_first_line), number(hit.snippet_last_line), text(hit.place),
                 text(hit.metadata), text(hit.tag), text(hit.source), number(hit.stale)});
}

napi_value JsHits(napi_env env, const LoadedLibrary& library, const JsMakers& makers,
                  const recall_hits* hits) {
  const napi_value make = Referenced(env, makers.hit);
  const size_t count = library.count(hits);
  napi_value array = nullptr;
  napi_create_array_with_length(env, count, &array);
  for (size_t i = 0; i < count; ++i) {
    napi_handle_scope scope = nullptr;
    napi_open_handle_scope(env, &scope);
    const napi_value hit = JsHit(env, make, *library.hit_at(hits, i));
    if (hit != nullptr) napi_set_element(env, array, static_cast<uint32_t>(i), hit);
    napi_close_handle_scope(env, scope);
    if (hit == nullptr) return nullptr;
  }
  return array;
}

}  // namespace

std::string TextOf(napi_env env, napi_value value) {
  size_t size = 0;
  if (napi_get_value_string_utf8(env, value, nullptr, 0, &size) != napi_ok) return "";
  std::string text(size, '\0');
  napi_get_value_string_utf8(env, value, text.data(), size + 1, &size);
  return text;
}

uint32_t NumberOf(napi_env env, napi_value value) {
  uint32_t number = 0;
  napi_get_value_uint32(env, value, &number);
  return number;
}

bool IsFunction(napi_env env, napi_value value) {
  napi_valuetype type = napi_undefined;
  napi_typeof(env, value, &type);
  return type == napi_function;
}

napi_value JsText(napi_env env, const char* text, size_t size) {
  napi_value value = nullptr;
  napi_create_string_utf8(env, text, size, &value);
  return value;
}

napi_value JsText(napi_env env, const std::string& text) {
  return JsText(env, text.data(), text.size());
}

napi_value JsNumber(napi_env env, double number) {
  napi_value value = nullptr;
  napi_create_double(env, number, &value);
  return value;
}

napi_value JsNothing(napi_env env) {
  napi_value value = nullptr;
  napi_get_undefined(env, &value);
  return value;
}

napi_value JsProgress(napi_env env, const recall_progress& progress) {
  napi_value object = nullptr;
  napi_create_object(env, &object);
  napi_set_named_property(env, object, "command", JsText(env, progress.command));
  napi_set_named_property(env, object, "stage", JsText(env, progress.stage));
  napi_set_named_property(env, object, "done", JsNumber(env, static_cast<double>(progress.done)));
  napi_set_named_property(env, object, "total", JsNumber(env, static_cast<double>(progress.total)));
  return object;
}

napi_value CallJs(napi_env env, napi_value function, std::initializer_list<napi_value> arguments) {
  for (const napi_value argument : arguments) {
    if (argument != nullptr) continue;
    bool thrown = false;
    napi_is_exception_pending(env, &thrown);
    if (!thrown) napi_throw_range_error(env, nullptr, "a text is longer than a string can be");
    return nullptr;
  }
  napi_value result = nullptr;
  napi_call_function(env, JsNothing(env), function, arguments.size(), arguments.begin(), &result);
  return result;
}

napi_value ErrorOf(napi_env env, const LoadedLibrary& library, const JsMakers& makers, int status,
                   const recall_answer* answer) {
  const recall_error* const error = library.error_of(answer);
  if (error == nullptr) return FailureOf(env, makers, status, "internal", "the call failed");
  size_t size = 0;
  const char* const json = library.json(answer, &size);
  return CallJs(env, Referenced(env, makers.error),
                {JsNumber(env, status), JsText(env, error->code), JsText(env, error->message),
                 JsText(env, error->hint), JsNumber(env, static_cast<double>(error->line)),
                 JsNumber(env, static_cast<double>(error->column)), JsText(env, error->excerpt),
                 JsText(env, json, size)});
}

JsResult ResultOf(napi_env env, const LoadedLibrary& library, const JsMakers& makers,
                  const CallOutcome& outcome) {
  if (outcome.failure != nullptr) {
    const bool cancelled = outcome.status == RECALL_INTERRUPTED;
    return {FailureOf(env, makers, cancelled ? RECALL_INTERRUPTED : RECALL_USAGE,
                      cancelled ? "cancelled" : "limit_exceeded", outcome.failure),
            nullptr};
  }
  if (outcome.status != RECALL_OK) {
    return {ErrorOf(env, library, makers, outcome.status, outcome.answer), nullptr};
  }
  if (outcome.hits != nullptr) return {nullptr, JsHits(env, library, makers, outcome.hits)};
  if (outcome.answer == nullptr) return {nullptr, JsNothing(env)};
  size_t size = 0;
  const char* const json = library.json(outcome.answer, &size);
  const napi_value text = JsText(env, json, size);
  if (text != nullptr) return {nullptr, text};
  return {FailureOf(env, makers, RECALL_USAGE, "limit_exceeded",
                    "the answer is longer than a string can be"),
          nullptr};
}

}  // namespace recall
