#pragma once

#include <memory>

struct sqlite3;

namespace recall {

// Stands between SQLite and the file of a database, and sees every page that comes from it.
//
// When SQLite first looks at a page in its mapping (PRAGMA mmap_size), the system is asked for that
// page and no more. Left to itself a page fault reads as much around it as the disk's read-ahead
// allows, 128 KiB by default and 8 MiB on some machines: there each takes 9 ms where a tenth would
// do, and a search looks at 50 to 340 pages. A page that is in memory costs one system call more.
//
// And its cells are checked, once, and whenever it is read by copy (CellsLieOnPage): a damaged page
// is SQLITE_CORRUPT. SQLite's own check does that each time a statement comes by a mapped page, a
// thousand cells for the one row that is wanted.
//
// Not thread-safe, as the connection, which must be closed first.
class PageWatch final {
 public:
  PageWatch();
  ~PageWatch();

  // Puts itself before the connection's "main" database. Does nothing where SQLite cannot map that
  // file. Returns: whether it checks cells; not when what a page is cannot be told, as in an empty
  // file or one of more than 2^24 pages.
  bool Attach(sqlite3* connection);

 private:
  struct Methods;  // hides SQLite's
  std::unique_ptr<Methods> methods_;
};

}  // namespace recall
