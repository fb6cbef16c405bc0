#include "cli/sqlite/host_stores.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/library/library_options.h"
#include "cli/show/terminal/exit_code.h"
#include "storage/schema/schema.h"

namespace recall {
namespace {

// A store that was used longer ago than these many others is closed.
constexpr size_t kMostStores = 8;

struct AttachedDatabase {
  std::string name;  // "main"
  std::string file;  // "" if it is in memory, or temporary
};

std::string TextOf(sqlite3_stmt* row, int column) {
  const auto* const text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
  return text == nullptr ? std::string() : std::string(text);
}

std::vector<AttachedDatabase> DatabasesOf(sqlite3* connection) {
  std::vector<AttachedDatabase> databases;
  sqlite3_stmt* list = nullptr;
  if (sqlite3_prepare_v2(connection, "PRAGMA database_list", -1, &list, nullptr) == SQLITE_OK) {
    while (sqlite3_step(list) == SQLITE_ROW) {
      databases.push_back({.name = TextOf(list, 1), .file = TextOf(list, 2)});
    }
  }
  sqlite3_finalize(list);
  return databases;
}

std::string Quoted(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

bool IsStore(sqlite3* connection, const AttachedDatabase& database) {
  const std::string sql = "PRAGMA " + Quoted(database.name) + ".application_id";
  sqlite3_stmt* read = nullptr;
  const bool is_store =
      sqlite3_prepare_v2(connection, sql.c_str(), -1, &read, nullptr) == SQLITE_OK &&
      sqlite3_step(read) == SQLITE_ROW && sqlite3_column_int64(read, 0) == kStoreApplicationId;
  sqlite3_finalize(read);
  return is_store;
}

}  // namespace

Status ErrorOf(const CallAnswer& answer) {
  if (!answer.failure) {
    return Status::NotFound("a part of the call failed", "call the command with recall_call()");
  }
  const Failure& failure = *answer.failure;
  std::string message = failure.message;
  if (failure.position && failure.position->line > 0) {
    message += ", line " + std::to_string(failure.position->line);
    if (failure.position->column > 0) {
      message += ", column " + std::to_string(failure.position->column);
    }
  }
  if (!failure.hint.empty()) message += " (" + failure.hint + ")";
  switch (failure.code) {
    case ErrorCode::kBusy:
      return Status::Busy(message);
    case ErrorCode::kNotFound:
      return Status::NotFound(message);
    default:
      return Status::InvalidArgument(message);
  }
}

Result<std::string> HostStores::PlaceOf(const std::optional<std::string>& named) const {
  const std::vector<AttachedDatabase> databases = DatabasesOf(connection_);
  if (named) {
    const auto found = std::ranges::find(databases, *named, &AttachedDatabase::name);
    return found == databases.end() || found->file.empty() ? *named : found->file;
  }
  const AttachedDatabase* only = nullptr;
  for (const AttachedDatabase& database : databases) {
    if (database.file.empty() || !IsStore(connection_, database)) continue;
    if (database.name == "main") return database.file;
    if (only != nullptr) {
      return Fail(Status::InvalidArgument(
          "several attached databases are stores",
          "name one with the argument `store`, for example '" + only->name + "'"));
    }
    only = &database;
  }
  if (only != nullptr) return only->file;
  return Fail(
      Status::StoreNotFound("no database of this connection is a store",
                            "open or attach one, or name its file with the argument `store`"));
}

Result<LibraryStore*> HostStores::Find(const std::string& place) {
  const auto found = std::ranges::find(stores_, place, &Open::place);
  if (found != stores_.end()) {
    stores_.splice(stores_.begin(), stores_, found);
    return stores_.front().store.get();
  }
  RECALL_ASSIGN(LibraryOptions options, ReadLibraryOptions(place, options_));
  if (options.create) {
    return Fail(Status::InvalidArgument("the option 'create' is not for SQL",
                                        "make the store with `recall init`"));
  }
  std::unique_ptr<LibraryStore> store;
  RECALL_ASSIGN(const CallAnswer opened, LibraryStore::Open(std::move(options), &store));
  if (!store) return Fail(ErrorOf(opened));
  if (stores_.size() == kMostStores) stores_.pop_back();
  stores_.push_front({place, std::move(store)});
  return stores_.front().store.get();
}

Result<CallAnswer> HostStores::Call(const std::optional<std::string>& named,
                                    const LibraryRequest& request) {
  RECALL_ASSIGN(const std::string place, PlaceOf(named));
  RECALL_ASSIGN(LibraryStore* const store, Find(place));
  RECALL_ASSIGN(CallAnswer answer, store->Call(request));
  // Without a virtual table nobody would close the store before the connection.
  if (tables_ == 0) stores_.clear();
  if (answer.exit != ExitCode::kDone) return Fail(ErrorOf(answer));
  return answer;
}

Status HostStores::SetOptions(const std::string& json) {
  RECALL_TRY(internal::ToStatus(ReadLibraryOptions("", json)));
  options_ = json;
  stores_.clear();
  return Status::Ok();
}

}  // namespace recall
