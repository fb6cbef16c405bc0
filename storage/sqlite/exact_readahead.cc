#include "storage/sqlite/exact_readahead.h"

#include <sqlite3.h>
#include <sys/mman.h>

#include <algorithm>
#include <vector>

namespace recall {

// What SQLite finds behind the file: the file's own methods but for xFetch.
struct ExactReadahead::Methods : sqlite3_io_methods {
  explicit Methods(const sqlite3_io_methods* own) : sqlite3_io_methods(*own), original(own) {
    xFetch = &Fetch;
  }

  static int Fetch(sqlite3_file* file, sqlite3_int64 offset, int size, void** page);
  bool IsFirstLook(size_t page_index);

  const sqlite3_io_methods* original;
  std::vector<bool> looked_at;  // by page
};

int ExactReadahead::Methods::Fetch(sqlite3_file* file, sqlite3_int64 offset, int size,
                                   void** page) {
  // SQLite keeps them const; they are ours.
  auto& self = *const_cast<Methods*>(static_cast<const Methods*>(file->pMethods));
  const int code = self.original->xFetch(file, offset, size, page);
  if (code == SQLITE_OK && *page && self.IsFirstLook(static_cast<size_t>(offset / size))) {
    // Where the system does not want to be told, the page fault does it all.
    static_cast<void>(::madvise(*page, static_cast<size_t>(size), MADV_WILLNEED));
  }
  return code;
}

bool ExactReadahead::Methods::IsFirstLook(size_t page_index) {
  if (page_index >= looked_at.size()) {
    looked_at.resize(std::max(page_index + 1, 2 * looked_at.size()));
  }
  const bool first = !looked_at[page_index];
  looked_at[page_index] = true;
  return first;
}

ExactReadahead::ExactReadahead() = default;
ExactReadahead::~ExactReadahead() = default;

void ExactReadahead::Attach(sqlite3* connection) {
  sqlite3_file* file = nullptr;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK ||
      !file || !file->pMethods || file->pMethods->iVersion < 3 || !file->pMethods->xFetch) {
    return;
  }
  methods_ = std::make_unique<Methods>(file->pMethods);
  file->pMethods = methods_.get();
}

}  // namespace recall
