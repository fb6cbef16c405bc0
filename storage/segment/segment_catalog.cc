#include "storage/segment/segment_catalog.h"

#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "storage/base/check.h"
#include "storage/base/fixed_tasks.h"
#include "storage/overflow/file_mapping.h"
#include "storage/overflow/page_map.h"
#include "storage/replica/page_source.h"
#include "storage/segment/segment_check.h"
#include "storage/segment/segment_format.h"
#include "storage/segment/segment_page.h"
#include "storage/segment/segment_writer.h"
#include "storage/segment/stored_segment.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/page_vfs.h"
#include "storage/tables/space_table.h"

namespace recall {
namespace {

// The problem: a search reads scattered vectors of segments that are BLOBs of many megabytes.
// Copying them through SQLite costs more than the search. Reading them in a mapping of the file,
// past SQLite, is right only if the bytes there are those of the open transaction.
//
// The idea: a segment is immutable and its id is never reused, so its pages need to be found only
// once, and each of them says which page of which segment it is.
//
//   OpenSegments
//     write transaction?  --yes-->  copy (freed pages may already be overwritten)
//     schema_version changed?  -->  forget all maps (VACUUM moves pages)
//     auto_vacuum, or file replaced at the path?  --> copy
//     known map?  --yes-->  in place, whatever the snapshot
//     snapshot wholly in the main file, and layout as in the segment's header?
//        --yes-->  new map: b-tree descent now, the chain on demand (PageLocator)
//        --no--->  copy in this transaction
//
// Invariants:
// - A map is created only in a snapshot that is wholly in the main file (checkpointed_snapshot.h).
// - A map is kept only while the segment is listed and schema_version is unchanged. While a
//   transaction sees the segment, SQLite neither frees nor overwrites its pages in the file.
// - Nothing that was seen in a write transaction is remembered: its ids may be rolled back and
//   given again.
// - A page is used only if its header has passed the check in this transaction. If one does not,
//   the map is dropped and the section copied, or an error is returned if that is too late.
//
// Cost: per transaction one query of vec_segment; per new segment one header, one b-tree descent.
// The rules in full: docs/format/segment.md, section 9.

// The number of threads that wait for the disk at the same time.
constexpr uint32_t kWaiting = 16;

Status OutsideTransaction() {
  return Status::Internal("segments were opened outside a transaction");
}

// The segment's chain in the file; the header of each page is verified.
Result<PageMap> WholeChain(const FilePages& file, uint32_t root, const SegmentHeader& header) {
  static_assert(kChainPageStart == segment_format::kPageHeaderBytes);
  RECALL_ASSIGN(PageMap pages, FindChain(file, root, header.id, header.blob_length,
                                         [&header](uint32_t ordinal, const uint8_t* start) {
                                           return CheckPageHeader(header, ordinal, start);
                                         }));
  RECALL_CHECK(pages.size() == header.pages);
  return pages;
}

// Byte 18 of a database is the write version: 2 for a WAL (https://sqlite.org/fileformat.html).
bool HasWal(const FilePages& file) {
  constexpr size_t kWriteVersion = 18;
  uint8_t version = 0;
  return file.Read(file.bytes.data() + kWriteVersion, {&version, 1}) && version == 2;
}

// The space that searches of the newest commit use: only its segments are worth a page map.
Result<int64_t> PresentSpace(Connection& connection) {
  RECALL_ASSIGN(const bool known, HasSpaces(connection));
  if (!known) return 0;
  RECALL_ASSIGN(const auto row, FindSpaceAt(connection, std::numeric_limits<int64_t>::max()));
  return row ? row->id : 0;
}

}  // namespace

Result<std::unique_ptr<SegmentCatalog>> SegmentCatalog::Open(const std::string& path,
                                                             bool enable_mapping,
                                                             PageVerification verify,
                                                             std::string shared) {
  FileMapping* mapping = nullptr;
  if (enable_mapping) mapping = FileMapping::ForFile(path).value_or(nullptr);
  return std::unique_ptr<SegmentCatalog>(
      new SegmentCatalog(path, mapping, verify, std::move(shared)));
}

SegmentCatalog::SegmentCatalog(std::string path, FileMapping* mapping, PageVerification verify,
                               std::string shared)
    : path_(std::move(path)), mapping_(mapping), verify_(verify), shared_(std::move(shared)) {}

Status SegmentCatalog::BeginRead(Connection& connection) {
  RECALL_TRY(TakeSnapshot(connection));
  ShareVerification(connection);
  return Status::Ok();
}

// After the snapshot was taken, so that a write to the file before it is noticed.
void SegmentCatalog::ShareVerification(Connection& connection) {
  PageFile* const pages = connection.page_file();
  if (mapping_ == nullptr || pages == nullptr || connection.borrowed() ||
      verify_ != PageVerification::kFirstUse || FindPageSource(path_) != nullptr) {
    return;
  }
  const bool is_same_file = mapping_->IsAt(path_) && !connection.HasMoved();
  verified_ = is_same_file ? shared_.Follow(mapping_->descriptor(), pages->page_bytes()) : nullptr;
  pages->ShareVerification(verified_);
}

Status SegmentCatalog::TakeSnapshot(Connection& connection) {
  const bool is_first = schema_version_ < 0;
  if (mapping_ != nullptr && (is_first || connection.borrowed())) {
    // The first transaction: no segment can have a map. Looking for segments first, in another
    // transaction, would take a thirtieth of the time of a short process.
    RECALL_ASSIGN(home_, BeginCheckpointedSnapshot(connection, mapping_->descriptor()));
    return Status::Ok();
  }
  RECALL_ASSIGN(home_, BeginSnapshot(connection));
  if (mapping_ == nullptr || home_ == SnapshotHome::kMainFile) return Status::Ok();
  const Result<bool> lacks_maps = LacksMaps(connection);
  if (lacks_maps && !*lacks_maps) return Status::Ok();
  // The error that made a statement fail may have ended the transaction, too.
  const Status ended = connection.InTransaction() ? connection.Rollback() : Status::Ok();
  if (!lacks_maps) return lacks_maps.error();
  RECALL_TRY(ended);
  RECALL_ASSIGN(home_, BeginCheckpointedSnapshot(connection, mapping_->descriptor()));
  return Status::Ok();
}

Result<std::vector<std::unique_ptr<SegmentReader>>> SegmentCatalog::OpenSegments(
    Connection& connection, int64_t space) {
  if (!connection.InTransaction()) return Fail(OutsideTransaction());
  const bool writing = InWriteTransaction(connection);
  RECALL_ASSIGN(const std::vector<Row> rows, ListRows(connection, space));
  std::optional<FilePages> file;
  if (!writing) {
    RECALL_TRY(NoticeSchemaChange(connection));
    std::set<int64_t> listed;
    for (const Row& row : rows) listed.insert(row.id);
    maps_.KeepOnly(listed);
    file = MappedFile();
  }
  std::vector<KnownSegment> segments;
  for (const Row& row : rows) {
    const KnownSegment* const known = writing ? nullptr : maps_.Find(row.id);
    RECALL_ASSIGN(segments.emplace_back(),
                  known ? Result<KnownSegment>(*known) : ReadHeader(connection, row));
  }
  if (file) MapAll(*file, segments);
  RECALL_ASSIGN(const PageLayout layout,
                writing ? ReadPageLayout(connection) : Result<PageLayout>(*layout_));
  std::vector<std::unique_ptr<SegmentReader>> readers;
  for (KnownSegment& segment : segments) {
    if (!writing) maps_.Remember(segment.header->id, segment);
    if (!file) segment.pages = nullptr;
    ++(segment.pages ? maps_.counters().mapped : maps_.counters().copied);
    const FilePages pages = file.value_or(FilePages{{}, segment.header->layout});
    readers.push_back(std::make_unique<StoredSegment>(std::move(segment), pages, layout, verify_,
                                                      &maps_, &connection));
  }
  return readers;
}

Result<int64_t> SegmentCatalog::Insert(Connection& connection, const SegmentContent& content,
                                       int64_t space) {
  if (!InWriteTransaction(connection)) return Fail(OutsideTransaction());
  return WriteSegment(connection, content, space);
}

Status SegmentCatalog::Delete(Connection& connection, int64_t id) {
  if (!InWriteTransaction(connection)) return OutsideTransaction();
  for (const char* sql : {"DELETE FROM vec_segment WHERE id = ? RETURNING id",
                          "DELETE FROM vec_data WHERE id = ? RETURNING id"}) {
    RECALL_ASSIGN(Statement * statement, connection.Cached(sql));
    const StatementScope scope(statement);
    statement->BindInt(1, id);
    RECALL_ASSIGN(const bool deleted, statement->Step());
    if (!deleted) {
      return Status::Corruption(connection.path() + ": there is no segment " + std::to_string(id),
                                "run `recall doctor`");
    }
    RECALL_TRY(statement->Step());  // completes the statement
  }
  return Status::Ok();
}

Status SegmentCatalog::Check(Connection& connection) {
  if (!connection.InTransaction()) return OutsideTransaction();
  RECALL_TRY(CheckSegmentTables(connection));
  RECALL_ASSIGN(const auto readers, OpenSegments(connection));
  const bool writing = InWriteTransaction(connection);
  const std::optional<FilePages> file = writing ? std::nullopt : MappedFile();
  for (const std::unique_ptr<SegmentReader>& reader : readers) {
    const KnownSegment& segment = static_cast<const StoredSegment&>(*reader).known();
    RECALL_TRY(CheckSegmentByCopy(connection, *segment.header));
    if (!file) continue;
    if (segment.pages == nullptr && !MayBuildMap(*segment.header)) continue;
    RECALL_ASSIGN(const PageMap pages, WholeChain(*file, root_, *segment.header));
    RECALL_TRY(CheckSegmentInPlace(*file, pages, *segment.header));
  }
  return Status::Ok();
}

Result<std::vector<SegmentCatalog::Row>> SegmentCatalog::ListRows(Connection& connection,
                                                                  int64_t space) const {
  RECALL_ASSIGN(
      Statement * statement,
      connection.Cached(space == 0 ? "SELECT id, vectors, min_chunk, max_chunk, pages, header_crc "
                                     "FROM vec_segment ORDER BY min_chunk, id"
                                   : "SELECT id, vectors, min_chunk, max_chunk, pages, header_crc "
                                     "FROM vec_segment WHERE space = ?1 ORDER BY min_chunk, id"));
  const StatementScope scope(statement);
  if (space != 0) statement->BindInt(1, space);
  std::vector<Row> rows;
  while (true) {
    RECALL_ASSIGN(const bool row, statement->Step());
    if (!row) return rows;
    rows.push_back({.id = statement->ColumnInt(0),
                    .vectors = statement->ColumnInt(1),
                    .min_chunk = statement->ColumnInt(2),
                    .max_chunk = statement->ColumnInt(3),
                    .pages = statement->ColumnInt(4),
                    .header_crc = statement->ColumnInt(5)});
  }
}

// VACUUM moves every page and changes schema_version; so do a restored backup and a new page size.
Status SegmentCatalog::NoticeSchemaChange(Connection& connection) {
  RECALL_ASSIGN(const int64_t version, connection.QueryInt("PRAGMA schema_version"));
  if (version == schema_version_) return Status::Ok();
  maps_.Clear();
  RECALL_ASSIGN(const int64_t auto_vacuum, connection.QueryInt("PRAGMA auto_vacuum"));
  RECALL_ASSIGN(layout_, ReadPageLayout(connection));
  RECALL_ASSIGN(const int64_t root,
                connection.QueryInt("SELECT rootpage FROM sqlite_schema WHERE name = 'vec_data'"));
  pages_move_ = auto_vacuum != 0;
  root_ = static_cast<uint32_t>(root);
  schema_version_ = version;
  return Status::Ok();
}

// True if a snapshot that is wholly in the main file would allow another segment to be mapped.
Result<bool> SegmentCatalog::LacksMaps(Connection& connection) const {
  RECALL_ASSIGN(const int64_t version, connection.QueryInt("PRAGMA schema_version"));
  const bool schema_changed = version != schema_version_;
  if (!schema_changed && pages_move_) return false;
  RECALL_ASSIGN(const int64_t space, PresentSpace(connection));
  RECALL_ASSIGN(const std::vector<Row> rows, ListRows(connection, space));
  for (const Row& row : rows) {
    if (schema_changed || !maps_.IsMapped(row.id)) return true;
  }
  return false;
}

std::optional<FilePages> SegmentCatalog::MappedFile() const {
  if (mapping_ == nullptr || pages_move_ || !mapping_->IsAt(path_)) return std::nullopt;
  const Result<ByteSpan> bytes = mapping_->Bytes();
  if (!bytes) return std::nullopt;
  return FilePages{*bytes, *layout_, mapping_->descriptor(), FindPageSource(path_), verified_};
}

Result<KnownSegment> SegmentCatalog::ReadHeader(Connection& connection, const Row& row) const {
  RECALL_ASSIGN(SegmentHeader header, ReadSegmentHeader(connection, row.id));
  if (header.vectors != row.vectors || header.min_chunk != row.min_chunk ||
      header.max_chunk != row.max_chunk || header.pages != row.pages ||
      SegmentHeaderCrc(EncodeSegmentHeader(header)) != row.header_crc) {
    return Fail(Status::Corruption("segment " + std::to_string(row.id) +
                                   ": the header does not match its row in vec_segment"));
  }
  return KnownSegment{std::make_shared<const SegmentHeader>(std::move(header)), nullptr};
}

// True if the segment must be in the file where its b-tree says.
bool SegmentCatalog::MayBuildMap(const SegmentHeader& header) const {
  return home_ == SnapshotHome::kMainFile && header.layout == *layout_;
}

// Pages are found when they are read. If a segment is not in memory, the pages of the sections that
// are read whole are found now: within a segment each read depends on the one before, so the
// segments wait for the disk in parallel.
void SegmentCatalog::MapAll(const FilePages& file, std::span<KnownSegment> segments) {
  std::vector<const KnownSegment*> on_disk;
  for (KnownSegment& segment : segments) {
    if (segment.pages != nullptr || !MayBuildMap(*segment.header)) continue;
    Map(file, &segment);
    if (segment.pages && !segment.pages->AskForFirst(file)) on_disk.push_back(&segment);
  }
  RunFixedTasks(kWaiting, on_disk.size(), nullptr, [&](size_t i) {
    for (const SegmentSection& section : on_disk[i]->header->sections) {
      if (section.kind == SectionKind::kVectors) continue;
      std::vector<uint32_t> ordinals(section.pages);
      std::iota(ordinals.begin(), ordinals.end(), section.first_page);
      if (!on_disk[i]->pages->Locate(file, ordinals)) return;  // reading the section reports it
    }
  });
}

void SegmentCatalog::Map(const FilePages& file, KnownSegment* segment) {
  const SegmentHeader& header = *segment->header;
  const Result<uint32_t> first = FindFirstPage(file, root_, header.id, header.blob_length);
  if (!first) return maps_.DropMismatched(header.id);
  const auto is_page = [known = segment->header](uint32_t ordinal, const uint8_t* start) {
    return CheckPageHeader(*known, ordinal, start).ok();
  };
  // A replica has no pages of transactions that were rolled back either.
  const bool has_no_stale_pages = HasWal(file) || file.source != nullptr;
  segment->pages =
      std::make_shared<PageLocator>(*first, header.pages, has_no_stale_pages, header.id, is_page);
  segment->is_new = true;
}

}  // namespace recall
