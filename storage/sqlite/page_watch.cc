#include "storage/sqlite/page_watch.h"

#include <sqlite3.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <vector>

#include "storage/sqlite/cell_check.h"

namespace recall {
namespace {

// Of the file's header.
constexpr size_t kPageSizeAt = 16;  // 2 bytes, big-endian; 1 is 65536
constexpr size_t kReservedAt = 20;  // bytes at the end of each page that SQLite leaves alone
constexpr size_t kVersionHeaderBytes = 24;

// A page that is no b-tree's begins with the number of another page, of which the first byte is 0
// up to here; the page is not taken for a b-tree's.
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

// What SQLite finds behind the file: the file's own methods but for xFetch and xRead.
struct PageWatch::Methods : sqlite3_io_methods {
  Methods(const sqlite3_io_methods* own, size_t checked)
      : sqlite3_io_methods(*own), original(own), checked_bytes(checked) {
    xFetch = &Fetch;
    xRead = &Read;
  }

  // SQLite keeps them const; they are ours.
  static Methods& Of(sqlite3_file* file) {
    return *const_cast<Methods*>(static_cast<const Methods*>(file->pMethods));
  }
  static int Fetch(sqlite3_file* file, sqlite3_int64 offset, int size, void** page);
  static int Read(sqlite3_file* file, void* to, int size, sqlite3_int64 offset);
  bool IsFirstLook(size_t page_index);
  bool IsSound(const void* page, size_t size) const {
    return size != checked_bytes || CellsLieOnPage({static_cast<const uint8_t*>(page), size});
  }

  const sqlite3_io_methods* original;
  size_t checked_bytes;         // of each page; 0: none is checked
  std::vector<bool> looked_at;  // by page
};

int PageWatch::Methods::Fetch(sqlite3_file* file, sqlite3_int64 offset, int size, void** page) {
  Methods& self = Of(file);
  const int code = self.original->xFetch(file, offset, size, page);
  if (code != SQLITE_OK || !*page || !self.IsFirstLook(static_cast<size_t>(offset / size))) {
    return code;
  }
  // Where the system does not want to be told, the page fault does it all.
  static_cast<void>(::madvise(*page, static_cast<size_t>(size), MADV_WILLNEED));
  if (self.IsSound(*page, static_cast<size_t>(size))) return SQLITE_OK;
  self.looked_at[static_cast<size_t>(offset / size)] = false;  // damaged the next time, too
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

bool PageWatch::Methods::IsFirstLook(size_t page_index) {
  if (page_index >= looked_at.size()) {
    looked_at.resize(std::max(page_index + 1, 2 * looked_at.size()));
  }
  const bool first = !looked_at[page_index];
  looked_at[page_index] = true;
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
