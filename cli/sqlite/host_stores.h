#pragma once

// The stores that the statements of one SQLite connection ask.

#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/library/library_store.h"
#include "cli/run/execution/command_call.h"
#include "storage/base/result.h"

struct sqlite3;

namespace recall {

// The error that an answer reports. Requires: there is one.
Status ErrorOf(const CallAnswer& answer);

// Belongs to the connection, whose thread calls it.
class HostStores final {
 public:
  explicit HostStores(sqlite3* connection) : connection_(connection) {}
  HostStores(const HostStores&) = delete;
  HostStores& operator=(const HostStores&) = delete;

  sqlite3* connection() const { return connection_; }

  // Runs a command over a store. `named`: the name of a database of the connection ("main", or one
  // that is attached), a path, or an address; if it is not set, the database "main" is asked if it
  // is a store, else the only attached one that is. Errors: StoreNotFound, InvalidArgument. An
  // error of the command is returned as an error, too.
  Result<CallAnswer> Call(const std::optional<std::string>& named, const LibraryRequest& request);

  // Sets the options of recall_open (recall.h) for the stores that are opened from now on. Errors:
  // InvalidArgument.
  Status SetOptions(const std::string& json);

  // A virtual table is connected. When the last one is disconnected, which SQLite does before it
  // closes the connection, no statement is left open.
  void Connect() { ++tables_; }
  void Disconnect() {
    if (--tables_ == 0) stores_.clear();
  }

 private:
  struct Open {
    std::string place;
    std::unique_ptr<LibraryStore> store;
  };

  Result<std::string> PlaceOf(const std::optional<std::string>& named) const;
  Result<LibraryStore*> Find(const std::string& place);

  sqlite3* const connection_;
  std::string options_;
  size_t tables_ = 0;
  std::list<Open> stores_;  // the one used last first
};

}  // namespace recall
