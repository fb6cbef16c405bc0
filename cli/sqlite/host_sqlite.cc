// SQLite, as the functions of the host.
//
// The problem: the locks of a file belong to a process, not to a copy of SQLite. With two copies in
// a process, closing the file in one of them releases the locks of the other, and a file can be
// damaged. The host has a copy already, which may be within it (better-sqlite3) or the library of
// the system (Debian's Python).
//
// The idea: the objects of Recall call sqlite3_step and so on as always. In the extension these are
// the functions below, which call those that SQLite hands to an extension. The extension is not
// linked with libsqlite3 at all.
//
// Invariants:
// - The library is never unloaded (-z nodelete), because a VFS of it stays registered, and threads
//   and mappings of files live on.
// - All connections that load it have the same copy. A second copy in the process is refused.
//
// Source: https://sqlite.org/loadext.html, https://sqlite.org/howtocorrupt.html (section 2.2.1).

#define SQLITE_CORE 1  // the declarations of functions, not their macros
#include "cli/sqlite/host_sqlite.h"

#include <sqlite3ext.h>

#include <atomic>
#include <cstdarg>

#include "cli/sqlite/host_functions.h"
#include "storage/sqlite/tested_sqlite.h"

namespace {

std::atomic<const sqlite3_api_routines*> shared_host = nullptr;

const sqlite3_api_routines* Host() { return shared_host.load(std::memory_order_relaxed); }

}  // namespace

extern "C" {

#define RECALL_FORWARD(type, function, member, parameters, arguments) \
  type function parameters { return Host()->member arguments; }
RECALL_HOST_FUNCTIONS(RECALL_FORWARD)
#undef RECALL_FORWARD

// These have a variable number of arguments.

int sqlite3_db_config(sqlite3* connection, int option, ...) {
  // All options that Recall sets have an int and the address of one.
  va_list arguments;
  va_start(arguments, option);
  const int on = va_arg(arguments, int);
  int* const result = va_arg(arguments, int*);
  va_end(arguments);
  return Host()->db_config(connection, option, on, result);
}

char* sqlite3_mprintf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char* const text = Host()->vmprintf(format, arguments);
  va_end(arguments);
  return text;
}

int sqlite3_vtab_config(sqlite3* connection, int option, ...) {
  // The options that Recall sets have no argument, or an int.
  va_list arguments;
  va_start(arguments, option);
  const int on = option == SQLITE_VTAB_CONSTRAINT_SUPPORT ? va_arg(arguments, int) : 0;
  va_end(arguments);
  return Host()->vtab_config(connection, option, on);
}

// SQLite may have been built without it. It then takes longer to cancel a check of a store.
void sqlite3_progress_handler(sqlite3* connection, int steps, int (*stop)(void*), void* data) {
  if (Host()->progress_handler == nullptr) return;
  Host()->progress_handler(connection, steps, stop, data);
}

// An extension cannot call these. The host has initialised SQLite, and configures it.

int sqlite3_initialize(void) { return SQLITE_OK; }
int sqlite3_config(int, ...) { return SQLITE_MISUSE; }

}  // extern "C"

namespace recall {
namespace {

// The members that an older version does not have lie behind the end of its struct, so the version
// is compared before any other member is read.
std::string Lack(const sqlite3_api_routines* routines) {
  const int version = routines->libversion_number();
  if (version < kOldestTestedSqlite) {
    return "recall needs SQLite " + SqliteVersionName(kOldestTestedSqlite) +
           " or newer, and this program has " + SqliteVersionName(version);
  }
#define RECALL_CHECK_MEMBER(type, function, member, parameters, arguments) \
  if (routines->member == nullptr) return "the SQLite of this program lacks " #function;
  RECALL_HOST_FUNCTIONS(RECALL_CHECK_MEMBER)
#undef RECALL_CHECK_MEMBER
  if (routines->xthreadsafe != nullptr && routines->xthreadsafe() == 0) {
    return "the SQLite of this program was built without threads (SQLITE_THREADSAFE=0)";
  }
  return "";
}

}  // namespace

std::string UseHostSqlite(const sqlite3_api_routines* routines) {
  std::string lack = Lack(routines);
  if (!lack.empty()) return lack;
  const sqlite3_api_routines* nobody = nullptr;
  if (shared_host.compare_exchange_strong(nobody, routines) || nobody == routines) return "";
  return "another copy of SQLite in this process has loaded recall already";
}

}  // namespace recall
