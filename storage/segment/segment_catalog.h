#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "storage/base/page_verification.h"
#include "storage/base/result.h"
#include "storage/overflow/checkpointed_snapshot.h"
#include "storage/segment/access_counters.h"
#include "storage/segment/segment_maps.h"
#include "storage/segment/segment_reader.h"
#include "storage/sqlite/verified_pages.h"

namespace recall {

class Connection;
class FileMapping;

// The segments of one Store: lists, opens, inserts and deletes them, and knows where their pages
// are in the file mapping. Works on two tables (docs/format/segment.md, "Tables"):
//
//   CREATE TABLE vec_segment(
//     id         INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused, so page maps stay right
//     vectors    INTEGER NOT NULL,
//     min_chunk  INTEGER NOT NULL,
//     max_chunk  INTEGER NOT NULL,
//     pages      INTEGER NOT NULL,
//     header_crc INTEGER NOT NULL,
//     space      INTEGER NOT NULL)   -- missing in stores of formats before 5
//   CREATE TABLE vec_data(id INTEGER PRIMARY KEY, data BLOB)   -- exactly these two columns
//
// Belongs to one connection, thus to one thread at a time.
class SegmentCatalog final {
 public:
  // Maps the file at `path` for the lifetime of the process. Must be called before SQLite opens the
  // file, because closing a descriptor would drop SQLite's locks. The file must exist and may be
  // empty. A file that cannot be mapped is not an error: segments are then copied. `shared`: a
  // directory of the user, in which processes that only read tell each other what they have
  // verified; "": none.
  static Result<std::unique_ptr<SegmentCatalog>> Open(
      const std::string& path, bool enable_mapping,
      PageVerification verify = PageVerification::kFirstUse, std::string shared = "");
  SegmentCatalog(const SegmentCatalog&) = delete;
  SegmentCatalog& operator=(const SegmentCatalog&) = delete;

  // Begins a read transaction and leaves it open. If it is the first one or a segment has no page
  // map yet, and the journal is a WAL, first tries to get a snapshot that is wholly in the main
  // file. On error no transaction is open.
  Status BeginRead(Connection& connection);

  // The segments of one vector space, by its row in table space (0: of all spaces), in the open
  // transaction, by ascending smallest chunk rowid. They are mapped if that is sound, otherwise
  // (and always in a write transaction) read by copy. The readers refer to this catalog and to
  // `connection` and must be destroyed before either, and before COMMIT. Requires: the transaction
  // of the last BeginRead, or a write transaction. Errors: Corruption if a segment's header is
  // damaged; Internal outside a transaction.
  Result<std::vector<std::unique_ptr<SegmentReader>>> OpenSegments(Connection& connection,
                                                                   int64_t space = 0);

  // Writes a segment. Requires: a write transaction. Returns: its id. Errors: InvalidArgument if
  // the content contradicts itself; LimitExceeded above 1e9 bytes.
  Result<int64_t> Insert(Connection& connection, const SegmentContent& content, int64_t space = 0);
  // Requires: a write transaction. Errors: Corruption if one of the tables does not have the id.
  Status Delete(Connection& connection, int64_t id);

  // Verifies every byte of every segment of the open transaction, by copy and, if a segment is
  // mapped, in place. Requires: as OpenSegments. Errors: Corruption, naming the first damaged
  // place.
  Status Check(Connection& connection);

  const SegmentAccessCounters& counters() const { return maps_.counters(); }

 private:
  struct Row {  // of vec_segment
    int64_t id;
    int64_t vectors;
    int64_t min_chunk;
    int64_t max_chunk;
    int64_t pages;
    int64_t header_crc;
  };

  SegmentCatalog(std::string path, FileMapping* mapping, PageVerification verify,
                 std::string shared);
  Status TakeSnapshot(Connection& connection);
  void ShareVerification(Connection& connection);
  Result<std::vector<Row>> ListRows(Connection& connection, int64_t space) const;
  Status NoticeSchemaChange(Connection& connection);
  Result<bool> LacksMaps(Connection& connection) const;
  std::optional<FilePages> MappedFile() const;
  Result<KnownSegment> ReadHeader(Connection& connection, const Row& row) const;
  void MapAll(const FilePages& file, std::span<KnownSegment> segments);
  void Map(const FilePages& file, KnownSegment* segment);
  bool MayBuildMap(const SegmentHeader& header) const;

  std::string path_;
  FileMapping* mapping_;  // null: never map
  PageVerification verify_;
  VerifiedPagesOfFile shared_;
  const VerifiedPages* verified_ = nullptr;  // of the open transaction
  SnapshotHome home_ = SnapshotHome::kPerhapsInWal;
  // As of schema version `schema_version_`:
  int64_t schema_version_ = -1;
  std::optional<PageLayout> layout_;
  uint32_t root_ = 0;       // of vec_data
  bool pages_move_ = true;  // auto-vacuum moves pages without a schema change
  SegmentMaps maps_;
};

}  // namespace recall
