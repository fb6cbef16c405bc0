#pragma once

#include <memory>

struct sqlite3;

namespace recall {

// Intercepts the pages that SQLite reads from the file of a database.
//
// When SQLite first accesses a page in its mapping (PRAGMA mmap_size), exactly that page is
// requested from the system. A plain page fault reads as much around it as the disk's read-ahead
// allows, 128 KiB by default and 8 MiB on some machines. There each one takes 9 ms instead of about
// 0.1 ms, and a search accesses 50 to 340 pages. A page that is in memory costs one additional
// system call.
//
// The cells of a page are checked once, and whenever the page is read by copy (CellsLieOnPage): a
// damaged page gives SQLITE_CORRUPT. SQLite's own check examines all cells, about a thousand, each
// time a statement accesses a mapped page.
//
// Not thread-safe, like the connection, which must be closed first.
class PageWatch final {
 public:
  PageWatch();
  ~PageWatch();

  // Intercepts the pages of the connection's "main" database. Does nothing if SQLite cannot map
  // that file. Returns: whether cells are checked. They are not if the kind of a page cannot be
  // determined, as in an empty file or one of more than 2^24 pages.
  bool Attach(sqlite3* connection);

 private:
  struct Methods;  // hides SQLite's
  std::unique_ptr<Methods> methods_;
};

}  // namespace recall
