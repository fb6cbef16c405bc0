#pragma once

// The stores that the statements of one SQLite connection ask.
//
// The problem: the host wants answers of the state that its statement sees. Recall's statements
// name tables without a database, so they can read the database "main" of a connection, and no
// other.
//
// The idea: if "main" is the store that is asked, its statements run on the host's connection. Any
// other store is opened beside it.
//
// Invariants:
// - Between calls no statement of Recall runs on the host's connection, so no transaction is held.
// - Whether "main" can be read there is found out for each call: the host may have made a temporary
//   table that hides one of the store's.
// - Statements are kept for the next call as long as a virtual table is connected. SQLite
//   disconnects them before it closes a connection, and then none is left.

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

class LentConnection;

// The error that an answer reports. Requires: there is one.
Status ErrorOf(const CallAnswer& answer);

// Belongs to the connection, whose thread calls it.
class HostStores final {
 public:
  explicit HostStores(sqlite3* connection);
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
  struct Place {
    std::string path;
    bool lent = false;  // read through the host's connection
    bool operator==(const Place&) const = default;
  };
  struct Open {
    Place place;
    std::unique_ptr<LibraryStore> store;
  };

  Result<Place> PlaceOf(const std::optional<std::string>& named) const;
  Result<LibraryStore*> Find(const Place& place);

  sqlite3* const connection_;
  const std::shared_ptr<LentConnection> lender_;
  std::string options_;
  size_t tables_ = 0;
  std::list<Open> stores_;  // the one used last first
};

}  // namespace recall
