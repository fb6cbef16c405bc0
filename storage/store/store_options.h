#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "storage/base/page_verification.h"
#include "storage/base/status.h"
#include "storage/sqlite/sqlite_features.h"

namespace recall {

class LentConnection;

// New vectors stay in the delta until there are this many records; then they become a segment.
inline constexpr uint32_t kDeltaFlushVectors = 4096;

struct StoreOptions {
  bool read_only = false;
  int busy_timeout_ms = 10'000;
  // Called once, when a wait for another process has lasted one second.
  std::function<void()> on_long_wait = {};
  // Called before the format of an older store is changed, within the queue of writers. After an
  // error the store is not changed.
  std::function<Status()> before_migration = {};
  // False: never map the file, read segments with sqlite3_blob_read. Same bytes, slower.
  bool enable_mapping = true;
  // When pages are compared with their checksums.
  PageVerification verify_pages = PageVerification::kFirstUse;
  // A directory of the user, in which processes that only read this store tell each other which of
  // its pages they have compared with their checksums (verified_pages.h). Empty: they do not.
  std::string verified_directory = {};
  // The number of vectors that this writer makes a segment of; at least 1. Answers do not depend on
  // it: tests use it to make segments, and merges, of a few vectors.
  uint32_t flush_vectors = kDeltaFlushVectors;
  // Which of SQLite's formats are used; by default ProcessFeatures(). Without `file_format`
  // segments are read as without enable_mapping.
  std::optional<SqliteFeatures> features = {};
  // If set, the store is the database "main" of this connection, and is read through it, in the
  // transaction that it is in. Only older commits are read through another one. Requires:
  // read_only; CanBorrow at each BeginRead.
  std::shared_ptr<LentConnection> lender = {};
};

}  // namespace recall
