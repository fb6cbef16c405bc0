// Where SQLite enters the extension.

#define SQLITE_CORE 1  // the declarations of functions, not their macros
#include <sqlite3ext.h>

#include <new>
#include <string>

#include "cli/sqlite/host_sqlite.h"
#include "cli/sqlite/recall_functions.h"
#include "storage/base/hosted.h"
#include "storage/base/status.h"

namespace {

int Refuse(const sqlite3_api_routines* routines, char** message, const std::string& why) {
  *message = routines->mprintf("%s", why.c_str());
  return SQLITE_ERROR;
}

}  // namespace

// Requires: SQLite's own limits of the pointers. Called for each connection that loads the library.
extern "C" __attribute__((visibility("default"))) int sqlite3_recall_init(
    sqlite3* connection, char** message, const sqlite3_api_routines* routines) {
  try {
    const std::string lack = recall::UseHostSqlite(routines);
    if (!lack.empty()) return Refuse(routines, message, lack);
    recall::BecomeHosted();
    const recall::Status registered = recall::RegisterRecall(connection);
    if (registered.ok()) return SQLITE_OK;
    return Refuse(routines, message, std::string(registered.message()));
  } catch (const std::bad_alloc&) {
    return SQLITE_NOMEM;
  } catch (...) {
    return SQLITE_INTERNAL;
  }
}

// The name that SQLite tries first, whatever the file is called.
extern "C" __attribute__((visibility("default"))) int sqlite3_extension_init(
    sqlite3* connection, char** message, const sqlite3_api_routines* routines) {
  return sqlite3_recall_init(connection, message, routines);
}
