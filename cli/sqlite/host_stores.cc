#include "cli/sqlite/host_stores.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "cli/library/library_options.h"
#include "cli/show/terminal/exit_code.h"
#include "cli/sqlite/host_statement.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/lent_connection.h"
#include "storage/sqlite/sqlite_features.h"

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

// The rows of a statement by `take`. Errors: Cancelled. Any other error ends the rows.
template <typename Take>
Status ReadRows(sqlite3* connection, const std::string& sql, const Take& take) {
  sqlite3_stmt* statement = nullptr;
  int code = sqlite3_prepare_v2(connection, sql.c_str(), -1, &statement, nullptr);
  while (code == SQLITE_OK || code == SQLITE_ROW) {
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) take(statement);
  }
  sqlite3_finalize(statement);
  return (code & 0xff) == SQLITE_INTERRUPT ? Status::Cancelled("interrupted") : Status::Ok();
}

Result<std::vector<AttachedDatabase>> DatabasesOf(sqlite3* connection) {
  std::vector<AttachedDatabase> databases;
  RECALL_TRY(ReadRows(connection, "PRAGMA database_list", [&](sqlite3_stmt* row) {
    databases.push_back({.name = TextOf(row, 1), .file = TextOf(row, 2)});
  }));
  return databases;
}

Result<bool> IsStore(sqlite3* connection, const AttachedDatabase& database) {
  if (database.file.empty()) return false;
  bool is_store = false;
  RECALL_TRY(ReadRows(
      connection, "PRAGMA " + QuotedName(database.name) + ".application_id",
      [&](sqlite3_stmt* row) { is_store = sqlite3_column_int64(row, 0) == kStoreApplicationId; }));
  return is_store;
}

// Whether the database "main", which is a store, can be read through the connection. FTS5 of an
// untested version is read through temporary tables, which are not made in the host's connection.
bool CanLend(sqlite3* connection) {
  const auto features = ProcessFeatures();
  return features && features->fts_format && CanBorrow(connection);
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
    case ErrorCode::kCancelled:
      return Status::Cancelled(message);
    case ErrorCode::kNotFound:
      return Status::NotFound(message);
    default:
      return Status::InvalidArgument(message);
  }
}

HostStores::HostStores(sqlite3* connection)
    : connection_(connection), lender_(std::make_shared<LentConnection>(connection)) {}

Result<HostStores::Place> HostStores::PlaceOf(const std::optional<std::string>& named) const {
  RECALL_ASSIGN(const std::vector<AttachedDatabase> databases, DatabasesOf(connection_));
  const auto place_of = [this](const AttachedDatabase& store) {
    return Place{store.file, store.name == "main" && CanLend(connection_)};
  };
  if (named) {
    const auto found = std::ranges::find(databases, *named, &AttachedDatabase::name);
    if (found == databases.end() || found->file.empty()) return Place{*named, false};
    RECALL_ASSIGN(const bool is_store, IsStore(connection_, *found));
    return is_store ? place_of(*found) : Place{found->file, false};
  }
  const AttachedDatabase* only = nullptr;
  for (const AttachedDatabase& database : databases) {
    RECALL_ASSIGN(const bool is_store, IsStore(connection_, database));
    if (!is_store) continue;
    if (database.name == "main") return place_of(database);
    if (only != nullptr) {
      return Fail(Status::InvalidArgument(
          "several attached databases are stores",
          "name one with the argument `store`, for example '" + only->name + "'"));
    }
    only = &database;
  }
  if (only != nullptr) return place_of(*only);
  return Fail(
      Status::StoreNotFound("no database of this connection is a store",
                            "open or attach one, or name its file with the argument `store`"));
}

Result<LibraryStore*> HostStores::Find(const Place& place) {
  const auto found = std::ranges::find(stores_, place, &Open::place);
  if (found != stores_.end()) {
    stores_.splice(stores_.begin(), stores_, found);
    return stores_.front().store.get();
  }
  RECALL_ASSIGN(LibraryOptions options, ReadLibraryOptions(place.path, options_));
  if (place.lent) options.call.lender = lender_;
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
  // Without a virtual table nobody would close the store before the connection.
  const auto close = [this](void*) {
    if (tables_ == 0) stores_.clear();
  };
  const std::unique_ptr<void, decltype(close)> at_end(this, close);
  RECALL_ASSIGN(const Place place, PlaceOf(named));
  RECALL_ASSIGN(LibraryStore* const store, Find(place));
  RECALL_ASSIGN(CallAnswer answer, store->Call(request));
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
