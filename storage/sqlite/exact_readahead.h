#pragma once

#include <memory>

struct sqlite3;

namespace recall {

// Has the system read a page of the file, and no more, when SQLite first looks at it in its mapping
// (PRAGMA mmap_size).
//
// Left to itself a page fault reads as much around the page as the disk's read-ahead allows, 128
// KiB by default and 8 MiB on some machines: there each takes 9 ms where a tenth would do, and a
// search looks at 50 to 340 pages. A page that is in memory costs one system call more.
//
// Not thread-safe, as the connection, which must be closed first.
class ExactReadahead final {
 public:
  ExactReadahead();
  ~ExactReadahead();

  // Puts itself between SQLite and the file of the connection's "main" database. Does nothing where
  // SQLite cannot map that file.
  void Attach(sqlite3* connection);

 private:
  struct Methods;  // hides SQLite's
  std::unique_ptr<Methods> methods_;
};

}  // namespace recall
