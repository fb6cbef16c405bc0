// The functions of recall.h about stores, answers and commands. Each checks its pointers, and lets
// no exception through.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "cli/library/c_answer.h"
#include "cli/library/c_memory.h"
#include "cli/library/library_store.h"
#include "cli/library/recall.h"
#include "cli/library/spare_memory.h"
#include "cli/server/mcp/json_rpc.h"
#include "index/base/text/utf8.h"
#include "query/maintenance/build_version.h"
#include "storage/base/json_writer.h"

namespace recall {
namespace {

std::string_view TextOf(const char* text) { return text == nullptr ? std::string_view() : text; }

Status MissingArgument(const char* what) {
  return Status::InvalidArgument(std::string(what) + " is NULL");
}

// Runs a request, and delivers its answer.
int CallAndDeliver(recall_store* store, const LibraryRequest& request, recall_answer** answer) {
  if (store == nullptr) return Deliver(MissingArgument("store"), answer);
  const Result<CallAnswer> call = store->library->Call(request);
  return call ? Deliver(*call, answer) : Deliver(call.error(), answer);
}

// What a document of recall_add_text has.
struct GivenText {
  std::string_view path;
  std::string_view text;
  std::string_view metadata;
  const float* vector = nullptr;
  size_t dimensions = 0;
};

// Errors: InvalidArgument for texts that are not UTF-8, which JSON could not hold, and for metadata
// that is not one JSON object, which could add members to the line that it is put into.
Status CheckGiven(const GivenText& given) {
  if (!IsValidUtf8(given.path)) return Status::InvalidArgument("the path is not UTF-8");
  const std::string document = " of '" + std::string(given.path) + "'";
  if (!IsValidUtf8(given.text)) {
    return Status::InvalidArgument("the text" + document + " is not UTF-8");
  }
  const std::optional<Json> json =
      given.metadata.empty() ? Json::object() : ParseJson(given.metadata);
  if (json && json->is_object()) return Status::Ok();
  return Status::InvalidArgument("the metadata" + document + " must be a JSON object",
                                 "for example {\"year\": 2024}");
}

// The document as a line of `add --jsonl`. Requires: CheckGiven.
std::string LineOf(const GivenText& given) {
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("path", given.path);
  json.Field("text", given.text);
  if (given.vector != nullptr) {
    json.BeginArray("embedding");
    for (size_t i = 0; i < given.dimensions; ++i) json.Double(given.vector[i]);
    json.EndArray();
  }
  json.EndObject();
  if (given.metadata.empty()) return line;
  line.pop_back();
  line += ",\"meta\":";
  // A line is a document: the newlines of the metadata are white space.
  for (const char c : given.metadata) line += c == '\n' || c == '\r' ? ' ' : c;
  return line + "}";
}

}  // namespace
}  // namespace recall

using recall::CallAndDeliver;
using recall::Deliver;
using recall::Guarded;
using recall::MissingArgument;
using recall::TextOf;

const char* recall_version(void) { return recall::BuildVersion(); }

int recall_abi_version(void) { return RECALL_ABI_VERSION; }

int recall_set_allocator(void* (*allocate)(size_t, void*), void (*release)(void*, void*),
                         void* user) {
  if (allocate == nullptr || release == nullptr) return RECALL_USAGE;
  return recall::SetMemory(allocate, release, user) ? RECALL_OK : RECALL_USAGE;
}

int recall_open(const char* path, const char* options, recall_store** store,
                recall_answer** answer) {
  recall::BecomeHosted();
  recall::UseMemory();
  if (store != nullptr) *store = nullptr;
  return Guarded(answer, [&] {
    if (store == nullptr) return Deliver(MissingArgument("store"), answer);
    if (path == nullptr || *path == '\0') return Deliver(MissingArgument("path"), answer);
    auto read = recall::ReadLibraryOptions(path, std::string(TextOf(options)));
    if (!read) return Deliver(read.error(), answer);
    auto handle = std::make_unique<recall_store>();
    const auto opened = recall::LibraryStore::Open(*std::move(read), &handle->library);
    if (!opened) return Deliver(opened.error(), answer);
    if (!handle->library) return Deliver(*opened, answer);
    *store = handle.release();
    return static_cast<int>(RECALL_OK);
  });
}

void recall_close(recall_store* store) {
  // Without it, what is closed may still have enough.
  static_cast<void>(recall::FillSpareMemory());
  delete store;
}

void recall_cancel(recall_store* store) {
  if (store != nullptr) store->library->Cancel();
}

int recall_set_progress(recall_store* store, int (*progress)(const recall_progress*, void*),
                        void* user) {
  return Guarded(nullptr, [&] {
    if (store == nullptr) return static_cast<int>(RECALL_USAGE);
    const recall::Status set = store->library->SetProgress(progress, user);
    return set.ok() ? static_cast<int>(RECALL_OK) : static_cast<int>(RECALL_USAGE);
  });
}

const char* recall_json(const recall_answer* answer, size_t* size) {
  if (size != nullptr) *size = answer == nullptr ? 0 : answer->size;
  return answer == nullptr ? "" : answer->json;
}

const recall_error* recall_error_of(const recall_answer* answer) {
  return answer != nullptr && answer->failed ? &answer->error : nullptr;
}

void recall_free(recall_answer* answer) { recall::FreeAnswer(answer); }

int recall_call(recall_store* store, const char* command, const char* request,
                recall_answer** answer) {
  return Guarded(answer, [&] {
    if (command == nullptr) return Deliver(MissingArgument("command"), answer);
    return CallAndDeliver(store, {.command = command, .body = TextOf(request)}, answer);
  });
}

int recall_context(recall_store* store, const char* query, int64_t budget, const char* request,
                   recall_answer** answer) {
  return Guarded(answer, [&] {
    if (query == nullptr) return Deliver(MissingArgument("query"), answer);
    return CallAndDeliver(store,
                          {.command = "context",
                           .body = TextOf(request),
                           .texts = {{"query", query}},
                           .budget = budget},
                          answer);
  });
}

int recall_get(recall_store* store, const char* target, const char* request,
               recall_answer** answer) {
  return Guarded(answer, [&] {
    if (target == nullptr) return Deliver(MissingArgument("target"), answer);
    return CallAndDeliver(
        store, {.command = "get", .body = TextOf(request), .texts = {{"target", target}}}, answer);
  });
}

int recall_add_text(recall_store* store, const char* path, const char* text, size_t text_size,
                    const char* metadata, const float* vector, size_t dimensions,
                    recall_answer** answer) {
  return Guarded(answer, [&] {
    if (path == nullptr) return Deliver(MissingArgument("path"), answer);
    if (text == nullptr && text_size > 0) return Deliver(MissingArgument("text"), answer);
    const recall::GivenText given = {path, std::string_view(text, text_size), TextOf(metadata),
                                     vector, dimensions};
    const recall::Status checked = recall::CheckGiven(given);
    if (!checked.ok()) return Deliver(checked, answer);
    const std::string line = recall::LineOf(given);
    return CallAndDeliver(store, {.command = "add", .lines = line}, answer);
  });
}

int recall_add_lines(recall_store* store, const char* lines, size_t size, const char* request,
                     recall_answer** answer) {
  return Guarded(answer, [&] {
    if (lines == nullptr && size > 0) return Deliver(MissingArgument("lines"), answer);
    return CallAndDeliver(
        store, {.command = "add", .body = TextOf(request), .lines = std::string_view(lines, size)},
        answer);
  });
}

int recall_save(recall_store* store, const char* type, const char* title, const char* text,
                const char* request, recall_answer** answer) {
  return Guarded(answer, [&] {
    if (type == nullptr) return Deliver(MissingArgument("type"), answer);
    if (title == nullptr) return Deliver(MissingArgument("title"), answer);
    if (text == nullptr) return Deliver(MissingArgument("text"), answer);
    return CallAndDeliver(store,
                          {.command = "save",
                           .body = TextOf(request),
                           .texts = {{"text", text}},
                           .note = {type, title}},
                          answer);
  });
}
