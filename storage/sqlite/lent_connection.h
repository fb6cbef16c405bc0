#pragma once

#include <vector>

#include "storage/base/status.h"

struct sqlite3;

namespace recall {

// The connection of another program, lent for reading its database "main". Belongs to the thread
// that uses the connection, and is read within a statement of that program only.
class LentConnection final {
 public:
  // `handle` must outlive all that reads through it.
  explicit LentConnection(sqlite3* handle) : handle_(handle) {}
  LentConnection(const LentConnection&) = delete;
  LentConnection& operator=(const LentConnection&) = delete;

  sqlite3* handle() const { return handle_; }
  // What Connection::InstallOnce has run. It stays with the handle: SQLite refuses to register a
  // function again while a statement runs.
  std::vector<Status (*)(sqlite3*)>& installed() { return installed_; }

 private:
  sqlite3* const handle_;
  std::vector<Status (*)(sqlite3*)> installed_;
};

}  // namespace recall
