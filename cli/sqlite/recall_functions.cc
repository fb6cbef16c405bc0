#include "cli/sqlite/recall_functions.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "cli/sqlite/answer_table.h"
#include "cli/sqlite/documents_table.h"
#include "cli/sqlite/host_stores.h"
#include "cli/sqlite/host_value.h"
#include "index/base/json/json_tape.h"
#include "query/maintenance/build_info.h"
#include "storage/sqlite/page_vfs.h"

namespace recall {
namespace {

// ---- Table-valued functions

constexpr AnswerColumn kHitColumns[] = {{"score", "REAL", "score"},
                                        {"path", "TEXT", "doc.path"},
                                        {"citation", "TEXT", "cite"},
                                        {"heading", "TEXT", "chunk.heading"},
                                        {"snippet", "TEXT", "snippet.text"},
                                        {"text", "TEXT", "chunk.text"},
                                        {"start_line", "INTEGER", "chunk.start_line"},
                                        {"end_line", "INTEGER", "chunk.end_line"},
                                        {"start_byte", "INTEGER", "chunk.start_byte"},
                                        {"end_byte", "INTEGER", "chunk.end_byte"},
                                        {"tokens", "INTEGER", "chunk.tokens"},
                                        {"place", "TEXT", "chunk.locator.text"},
                                        {"tag", "TEXT", "doc.tag"},
                                        {"source", "TEXT", "doc.source"},
                                        {"mtime", "TEXT", "doc.mtime"},
                                        {"meta", "TEXT", "doc.meta"},
                                        {"doc_id", "TEXT", "doc.id"},
                                        {"chunk_id", "TEXT", "chunk.id"}};

// The object of the row, and the answer that has it.
constexpr AnswerColumn kJsonColumns[] = {{"json", "TEXT", ""}, {"answer", "TEXT", "/"}};

constexpr AnswerColumn kPassageColumns[] = {{"score", "REAL", "score"},
                                            {"path", "TEXT", "path"},
                                            {"citation", "TEXT", "cite"},
                                            {"heading", "TEXT", "heading"},
                                            {"text", "TEXT", "text"},
                                            {"start_line", "INTEGER", "start_line"},
                                            {"end_line", "INTEGER", "end_line"},
                                            {"start_byte", "INTEGER", "start_byte"},
                                            {"end_byte", "INTEGER", "end_byte"},
                                            {"tokens", "INTEGER", "tokens"},
                                            {"truncated", "INTEGER", "truncated"},
                                            {"mtime", "TEXT", "mtime"},
                                            {"doc_id", "TEXT", "doc_id"},
                                            {"chunk_id", "TEXT", "id"}};

constexpr AnswerColumn kContextColumns[] = {{"context", "TEXT", "/context.text"},
                                            {"used_tokens", "INTEGER", "/context.used_tokens"},
                                            {"json", "TEXT", ""},
                                            {"answer", "TEXT", "/"}};

constexpr AnswerColumn kRowColumns[] = {
    {"score", "REAL", "score"}, {"path", "TEXT", "doc.path"}, {"json", "TEXT", ""}};
constexpr AnswerColumn kAnswerColumns[] = {{"answer", "TEXT", "/"}};

constexpr AnswerArgument kSearchArguments[] = {
    {"query", "query"}, {"k", "k"}, {"filter", "filter"}};
constexpr AnswerArgument kSimilarArguments[] = {
    {"target", "target"}, {"k", "k"}, {"filter", "filter"}};
constexpr AnswerArgument kContextArguments[] = {
    {"query", "query"}, {"budget", "budget_tokens"}, {"filter", "filter"}};
constexpr AnswerArgument kQueryArguments[] = {{"rql", "rql"}};

constexpr AnswerTable kTables[] = {
    {"recall_search", "search", "results", kHitColumns, kJsonColumns, kSearchArguments},
    {"recall_similar", "similar", "results", kHitColumns, kJsonColumns, kSimilarArguments},
    {"recall_context", "context", "context.chunks", kPassageColumns, kContextColumns,
     kContextArguments},
    {"recall_query", "query", "results", kRowColumns, kAnswerColumns, kQueryArguments}};

// ---- Scalar functions

// The commands that only read.
constexpr std::array<std::string_view, 14> kReadCommands = {
    "search", "sessions", "similar", "context", "query", "grep",  "symbols",
    "map",    "related",  "get",     "ls",      "stats", "links", "stale"};

using HostValues = std::span<sqlite3_value*>;

Result<std::optional<std::string>> ArgumentAt(HostValues values, size_t at, const char* name) {
  if (at >= values.size()) return std::optional<std::string>();
  return TextOfValue(values[at], name);
}

// The answer of `get` for a target; nullopt if the target is NULL.
Result<std::optional<std::string>> GetTarget(HostStores& stores, HostValues values) {
  RECALL_ASSIGN(const auto target, ArgumentAt(values, 0, "target"));
  RECALL_ASSIGN(const auto store, ArgumentAt(values, 1, "store"));
  if (!target) return std::optional<std::string>();
  RECALL_ASSIGN(
      CallAnswer answer,
      stores.Call(store, {.command = "get", .texts = {{"target", *target}}, .flags = {"--cite"}}));
  return std::optional(std::move(answer.output));
}

// A member of the answer of `get`, by the names on the way to it.
Result<std::optional<std::string>> MemberOfTarget(HostStores& stores, HostValues values,
                                                  std::initializer_list<std::string_view> names) {
  RECALL_ASSIGN(const auto answer, GetTarget(stores, values));
  if (!answer) return std::optional<std::string>();
  JsonTape tape;
  if (!tape.Parse(*answer)) return Fail(Status::Internal("the answer is not JSON"));
  TapeValue value = tape.root();
  for (const std::string_view name : names) value = value[name];
  return std::optional(value.Text());
}

// recall_cite(TARGET, STORE)
Result<std::optional<std::string>> Cite(HostStores& stores, HostValues values) {
  return MemberOfTarget(stores, values, {"get", "cite"});
}

// recall_get(TARGET, STORE)
Result<std::optional<std::string>> Get(HostStores& stores, HostValues values) {
  return MemberOfTarget(stores, values, {"get", "chunk", "text"});
}

// recall_call(COMMAND, REQUEST, STORE)
Result<std::optional<std::string>> CallCommand(HostStores& stores, HostValues values) {
  RECALL_ASSIGN(const auto command, ArgumentAt(values, 0, "command"));
  RECALL_ASSIGN(const auto request, ArgumentAt(values, 1, "request"));
  RECALL_ASSIGN(const auto store, ArgumentAt(values, 2, "store"));
  if (!command) return std::optional<std::string>();
  if (std::ranges::find(kReadCommands, *command) == kReadCommands.end()) {
    std::string names;
    for (const std::string_view name : kReadCommands) {
      names.append(names.empty() ? "" : ", ").append(name);
    }
    return Fail(Status::InvalidArgument("there is no command '" + *command + "' here",
                                        "the commands are " + names));
  }
  LibraryRequest asked{.command = *command};
  if (request) asked.body = *request;
  RECALL_ASSIGN(CallAnswer answer, stores.Call(store, asked));
  if (answer.output.ends_with('\n')) answer.output.pop_back();
  return std::optional(std::move(answer.output));
}

// recall_options(JSON)
Result<std::optional<std::string>> SetOptions(HostStores& stores, HostValues values) {
  RECALL_ASSIGN(const auto json, ArgumentAt(values, 0, "the options"));
  RECALL_TRY(stores.SetOptions(json.value_or("")));
  return std::optional<std::string>();
}

// recall_version()
Result<std::optional<std::string>> Version(HostStores&, HostValues) {
  return std::optional(std::string(BuildInformation().version));
}

struct ScalarFunction {
  const char* name;
  int least_arguments;
  int most_arguments;
  Result<std::optional<std::string>> (*run)(HostStores& stores, HostValues values);
};

constexpr ScalarFunction kFunctions[] = {{"recall_cite", 1, 2, &Cite},
                                         {"recall_get", 1, 2, &Get},
                                         {"recall_call", 1, 3, &CallCommand},
                                         {"recall_options", 1, 1, &SetOptions},
                                         {"recall_version", 0, 0, &Version}};

struct RegisteredFunction {
  std::shared_ptr<HostStores> stores;
  const ScalarFunction* function;
};

void CallScalar(sqlite3_context* context, int count, sqlite3_value** values) {
  const auto& registered = *static_cast<RegisteredFunction*>(sqlite3_user_data(context));
  try {
    const auto result =
        registered.function->run(*registered.stores, {values, static_cast<size_t>(count)});
    if (!result) return ReportError(context, registered.function->name, result.error());
    if (*result) SetResult(context, **result);
  } catch (const std::bad_alloc&) {
    sqlite3_result_error_nomem(context);
  } catch (...) {
    sqlite3_result_error_code(context, SQLITE_INTERNAL);
  }
}

int RegisterScalar(const std::shared_ptr<HostStores>& stores, const ScalarFunction& function) {
  const auto free = [](void* data) { delete static_cast<RegisteredFunction*>(data); };
  for (int arguments = function.least_arguments; arguments <= function.most_arguments;
       ++arguments) {
    // Not for views and triggers of a file, which could be another one's.
    const int code = sqlite3_create_function_v2(
        stores->connection(), function.name, arguments, SQLITE_UTF8 | SQLITE_DIRECTONLY,
        new RegisteredFunction{stores, &function}, &CallScalar, nullptr, nullptr, free);
    if (code != SQLITE_OK) return code;
  }
  return SQLITE_OK;
}

bool HasFts5(sqlite3* connection) {
  sqlite3_stmt* function = nullptr;
  const int code = sqlite3_prepare_v2(connection, "SELECT fts5(NULL)", -1, &function, nullptr);
  sqlite3_finalize(function);
  return code == SQLITE_OK;
}

}  // namespace

Status RegisterRecall(sqlite3* connection) {
  if (!HasFts5(connection)) {
    return Status::Unsupported("the SQLite of this program was built without FTS5");
  }
  // So that a program can open its stores with it, and write to them.
  if (PageVfs() == nullptr) return Status::Internal("cannot register the VFS of Recall");
  const auto stores = std::make_shared<HostStores>(connection);
  for (const ScalarFunction& function : kFunctions) {
    if (RegisterScalar(stores, function) != SQLITE_OK) {
      return Status::Internal("cannot register " + std::string(function.name) + ": " +
                              sqlite3_errmsg(connection));
    }
  }
  for (const AnswerTable& table : kTables) RECALL_TRY(RegisterAnswerTable(stores, table));
  return RegisterDocumentsTable(connection);
}

}  // namespace recall
