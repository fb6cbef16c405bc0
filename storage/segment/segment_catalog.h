#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "storage/base/result.h"
#include "storage/segment/access_counters.h"
#include "storage/segment/segment_reader.h"
#include "storage/segment/segment_writer.h"
#include "storage/sqlite/connection.h"

namespace recall {

// The segments of one Store: lists, opens, inserts and deletes them, and knows where each lies in
// the file mapping. Works on these two tables (docs/format/segment.md, "Tables"):
//
//   CREATE TABLE vec_segment(
//     id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused, so a page map cannot lie
//     vectors    INTEGER NOT NULL,
//     min_chunk  INTEGER NOT NULL,
//     max_chunk  INTEGER NOT NULL,
//     pages      INTEGER NOT NULL,
//     header_crc INTEGER NOT NULL)
//   CREATE TABLE vec_data(id INTEGER PRIMARY KEY, data BLOB)   -- exactly these two columns
//
// Belongs to one connection, thus to one thread at a time.
class SegmentCatalog final {
 public:
  // Maps the file at `path` for the life of the process. Must be called before SQLite opens the
  // file, because closing any descriptor of ours would drop SQLite's locks. The file must exist
  // and may be empty. A file that cannot be mapped is not an error: segments are then copied.
  static Result<std::unique_ptr<SegmentCatalog>> Open(const std::string& path, bool enable_mapping);
  ~SegmentCatalog();
  SegmentCatalog(const SegmentCatalog&) = delete;
  SegmentCatalog& operator=(const SegmentCatalog&) = delete;

  // Begins a read transaction and leaves it open (also when a later call here fails). Where a
  // segment has no page map yet and the journal is a WAL, first tries to get a snapshot that lies
  // wholly in the main file.
  Status BeginRead(Connection& connection);

  // The segments of the open transaction by ascending smallest chunk row, mapped where that is
  // sound, otherwise (and always in a write transaction) read by copy. The readers refer to this
  // catalog and to `connection` and must be destroyed before either, and before COMMIT.
  // Errors: Corruption when a segment's header is damaged; Internal outside a transaction.
  Result<std::vector<std::unique_ptr<SegmentReader>>> OpenSegments(Connection& connection);

  // Writes a segment. Requires: a write transaction. Returns: its id.
  // Errors: InvalidArgument when the content contradicts itself; LimitExceeded above 1e9 bytes.
  Result<int64_t> Insert(Connection& connection, const SegmentContent& content);
  // Requires: a write transaction. Errors: NotFound.
  Status Delete(Connection& connection, int64_t id);

  const SegmentAccessCounters& counters() const;

 private:
  SegmentCatalog();
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace recall
