#include "storage/sqlite/page_watch.h"

#include <sqlite3.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <vector>

#include "storage/sqlite/cell_check.h"

namespace recall {
// The problem: SQLite reads a mapped database by page faults, and checks mapped pages again for
// each statement. Both waste time.
// - A page fault reads as much around the page as the disk's read-ahead allows (128 KiB by default,
//   8 MiB on some machines). A search needs 50 to 340 scattered pages.
// - PRAGMA cell_size_check examines all cells of a page each time a cursor enters it.
//
// The idea: replace two of the file's I/O methods with wrappers. Nothing else of the VFS changes.
//
//   SQLite pager --> xFetch (pointer into the mapping) --> first time: madvise(WILLNEED) for
//                                                          exactly this page, then CellsLieOnPage
//                --> xRead  (copy)                     --> CellsLieOnPage, each time
//                --> all other methods                 --> unchanged
//
// Invariants: a page that fails the check is SQLITE_CORRUPT and stays unseen, so it fails the next
// time, too. The table of methods must live as long as the file, so it belongs to the connection's
// PageWatch, which is destroyed after the connection is closed. Pages are recognised as b-tree
// pages by their first byte. An overflow or free page begins with a page number, whose first byte
// is 0 in files of fewer than 2^24 pages; larger files are not checked.
//
// Cost: one system call and one pass over the cells for each page and connection, one bit per page
// of memory. Source: https://sqlite.org/c3ref/io_methods.html;
// docs/decisions/0022-pages-as-needed.md.

namespace {

// Offsets in the file's header.
constexpr size_t kPageSizeAt = 16;  // 2 bytes, big-endian; 1 is 65536
constexpr size_t kReservedAt = 20;  // bytes at the end of each page that SQLite leaves alone
constexpr size_t kVersionHeaderBytes = 24;

// A page that does not belong to a b-tree begins with the number of another page. In files of fewer
// pages than this, its first byte is 0, so the page cannot be mistaken for a b-tree page.
constexpr int64_t kMostPages = int64_t{1} << 24;

// The size of the pages if their cells can be checked, else 0.
size_t CheckedPageBytes(sqlite3_file* file) {
  std::array<uint8_t, kVersionHeaderBytes> header;
  sqlite3_int64 size = 0;
  if (file->pMethods->xFileSize(file, &size) != SQLITE_OK || size < 512 ||
      file->pMethods->xRead(file, header.data(), kVersionHeaderBytes, 0) != SQLITE_OK) {
    return 0;
  }
  const size_t stated = LoadBig16(header.data() + kPageSizeAt);
  const size_t bytes = stated == 1 ? 65536 : stated;
  const bool known =
      bytes >= 512 && header[kReservedAt] == 0 && size / static_cast<int64_t>(bytes) < kMostPages;
  return known ? bytes : 0;
}

}  // namespace

// The file's own methods, except for xFetch and xRead.
struct PageWatch::Methods : sqlite3_io_methods {
  Methods(const sqlite3_io_methods* own, size_t checked)
      : sqlite3_io_methods(*own), original(own), checked_bytes(checked) {
    iVersion = 3;  // this copy has no methods of later versions
    xFetch = &Fetch;
    xRead = &Read;
  }

  // SQLite declares the table const, but it is the object made by Attach.
  static Methods& Of(sqlite3_file* file) {
    return *const_cast<Methods*>(static_cast<const Methods*>(file->pMethods));
  }
  static int Fetch(sqlite3_file* file, sqlite3_int64 offset, int size, void** page);
  static int Read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset);
  bool IsFirstAccess(size_t page_index);
  bool IsSound(const void* page, size_t size) const {
    return size != checked_bytes || CellsLieOnPage({static_cast<const uint8_t*>(page), size});
  }

  const sqlite3_io_methods* original;
  size_t checked_bytes;    // size of a page; 0: pages are not checked
  std::vector<bool> seen;  // by page
};

int PageWatch::Methods::Fetch(sqlite3_file* file, sqlite3_int64 offset, int size, void** page) {
  Methods& self = Of(file);
  const int code = self.original->xFetch(file, offset, size, page);
  if (code != SQLITE_OK || !*page || !self.IsFirstAccess(static_cast<size_t>(offset / size))) {
    return code;
  }
  // A failure does not matter: the page fault then reads the page.
  static_cast<void>(::madvise(*page, static_cast<size_t>(size), MADV_WILLNEED));
  if (self.IsSound(*page, static_cast<size_t>(size))) return SQLITE_OK;
  self.seen[static_cast<size_t>(offset / size)] = false;  // so that the next access fails, too
  self.original->xUnfetch(file, offset, *page);
  *page = nullptr;
  return SQLITE_CORRUPT;
}

int PageWatch::Methods::Read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset) {
  const Methods& self = Of(file);
  const int code = self.original->xRead(file, to, size, offset);
  if (code != SQLITE_OK || offset % size != 0) return code;
  return self.IsSound(to, static_cast<size_t>(size)) ? SQLITE_OK : SQLITE_CORRUPT;
}

bool PageWatch::Methods::IsFirstAccess(size_t page_index) {
  if (page_index >= seen.size()) {
    seen.resize(std::max(page_index + 1, 2 * seen.size()));
  }
  const bool first = !seen[page_index];
  seen[page_index] = true;
  return first;
}

PageWatch::PageWatch() = default;
PageWatch::~PageWatch() = default;

bool PageWatch::Attach(sqlite3* connection) {
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      !file || !file->pMethods || file->pMethods->iVersion < 3 || !file->pMethods->xFetch) {
    return false;
  }
  methods_ = std::make_unique<Methods>(file->pMethods, CheckedPageBytes(file));
  file->pMethods = methods_.get();
  return methods_->checked_bytes != 0;
}

}  // namespace recall
