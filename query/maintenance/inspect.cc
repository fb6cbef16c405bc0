// Describes the structure of a store file: SQLite tables, the full-text index, vector spaces,
// segments.
//
// The report is read in one transaction, without memory mapping. A damaged full-text index, space
// table or segment leaves a message in the report (lexicon_fault, spaces_fault, Segment::fault),
// and the rest is read.
//
// Cost: reads all pages, because pages of trees are counted and checksums of segments are computed.

#include "query/maintenance/inspect.h"

#include <sys/stat.h>

#include <limits>

#include "index/search/bitmap/bitmap.h"
#include "index/search/vector/vector_writer.h"
#include "query/maintenance/store_parts.h"
#include "storage/base/bytes.h"
#include "storage/check/check_run.h"
#include "storage/check/file_layout.h"
#include "storage/fts5/fts_structure.h"
#include "storage/history/commit_log.h"
#include "storage/history/snapshot_token.h"
#include "storage/schema/schema.h"
#include "storage/tables/space_table.h"

namespace recall {
namespace {

const char* NameOf(SectionKind kind) {
  switch (kind) {
    case SectionKind::kSignatures:
      return "signatures";
    case SectionKind::kChunkIds:
      return "chunk_ids";
    case SectionKind::kVectors:
      return "vectors";
    case SectionKind::kScales:
      return "scales";
    case SectionKind::kTokenCounts:
      return "token_counts";
    case SectionKind::kCellEnds:
      return "cell_ends";
    case SectionKind::kSlots:
      return "slots";
    case SectionKind::kVectorChecksums:
      return "vector_checksums";
  }
  return "unknown";
}

int64_t FileSize(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_size : 0;
}

std::vector<InspectReport::PageRun> ReadMap(Connection& connection) {
  std::vector<InspectReport::PageRun> map;
  for (const PageRun& run : ReadPageRuns(connection)) {
    const auto owner = static_cast<size_t>(OwnerOf(run.tree));
    if (map.empty() || map.back().owner != owner) map.push_back({run.first, 0, owner});
    map.back().pages += run.pages;
  }
  return map;
}

Status ReadFile(Connection& connection, InspectReport* report) {
  RECALL_TRY(CheckSchema(connection));
  RECALL_ASSIGN(report->format_version, connection.QueryInt("PRAGMA user_version"));
  RECALL_ASSIGN(report->page_size, connection.QueryInt("PRAGMA page_size"));
  RECALL_ASSIGN(report->pages, connection.QueryInt("PRAGMA page_count"));
  RECALL_ASSIGN(report->free_pages, connection.QueryInt("PRAGMA freelist_count"));
  RECALL_ASSIGN(report->journal, connection.QueryText("PRAGMA journal_mode"));
  report->bytes = FileSize(connection.path());
  report->wal_bytes = FileSize(connection.path() + "-wal");
  RECALL_ASSIGN(report->snapshot, PresentToken(connection));
  report->oldest_snapshot = report->snapshot;
  const auto horizon = ReadHorizon(connection);
  if (!report->snapshot.empty() && horizon && *horizon) {
    report->oldest_snapshot = MakeSnapshotToken(report->snapshot, CommitName{**horizon});
  }
  return Status::Ok();
}

// Returns: the removed chunks; empty if the bitmap cannot be read.
Bitmap ReadRemoved(Connection& connection) {
  auto select = connection.Prepare("SELECT bitmap FROM tombstone WHERE id = 1");
  if (!select) return {};
  const auto row = select->Step();
  if (!row || !*row) return {};
  auto removed = Bitmap::Parse(select->ColumnBlob(0));
  return removed ? *std::move(removed) : Bitmap();
}

// Counts the vectors of a space in the tables of segments and of the delta.
Status CountVectors(Connection& connection, InspectReport::Space* space) {
  RECALL_ASSIGN(Statement * segments,
                connection.Cached("SELECT count(*), total(s.vectors), total(length(d.data)) "
                                  "FROM vec_segment AS s LEFT JOIN vec_data AS d ON d.id = s.id "
                                  "WHERE s.space = ?1"));
  RECALL_ASSIGN(Statement * delta,
                connection.Cached("SELECT count(*), total(length(data)) FROM vec_tail "
                                  "WHERE space = ?1"));
  const StatementScope in_segments(segments);
  const StatementScope in_delta(delta);
  segments->BindInt(1, space->id);
  delta->BindInt(1, space->id);
  RECALL_TRY(internal::ToStatus(segments->Step()));
  RECALL_TRY(internal::ToStatus(delta->Step()));
  space->segments = segments->ColumnInt(0);
  space->delta_vectors = delta->ColumnInt(0);
  space->vectors = segments->ColumnInt(1) + space->delta_vectors;
  space->bytes = segments->ColumnInt(2) + delta->ColumnInt(1);
  return Status::Ok();
}

Status ReadSpaces(Connection& connection, InspectReport* report) {
  RECALL_ASSIGN(const std::vector<SpaceRow> rows, ListSpaces(connection));
  // The largest number is later than every commit, so this finds the active space.
  RECALL_ASSIGN(const auto present, FindSpaceAt(connection, std::numeric_limits<int64_t>::max()));
  std::vector<InspectReport::Space> spaces;
  for (const SpaceRow& row : rows) {
    InspectReport::Space& space = spaces.emplace_back();
    space.id = row.id;
    space.embedder = row.embedder;
    space.version = row.version;
    space.dim = row.dim;
    space.model = row.model;
    space.since = row.since;
    space.in_force = present && present->id == row.id;
    RECALL_TRY(CountVectors(connection, &space));
  }
  report->spaces = std::move(spaces);
  return Status::Ok();
}

InspectReport::Segment Describe(const SegmentLayout& layout, const Bitmap& removed) {
  InspectReport::Segment segment;
  segment.id = layout.id;
  segment.fault = layout.fault;
  if (!layout.header) return segment;
  const SegmentHeader& header = *layout.header;
  segment.level = SegmentLevel(header.vectors);
  segment.vectors = header.vectors;
  segment.removed = static_cast<int64_t>(removed.CountRange(header.min_chunk, header.max_chunk));
  segment.min_chunk = header.min_chunk;
  segment.max_chunk = header.max_chunk;
  segment.dim = header.dim;
  segment.pages = header.pages;
  segment.bytes = static_cast<int64_t>(header.blob_length);
  segment.header_checksum = layout.header_checksum;
  for (const SectionLayout& section : layout.sections) {
    segment.sections.push_back({.name = NameOf(section.section.kind),
                                .items = section.section.items,
                                .item_bytes = section.section.item_bytes,
                                .first_page = section.section.first_page,
                                .pages = section.section.pages,
                                .offset = static_cast<int64_t>(section.offset),
                                .bytes = static_cast<int64_t>(section.bytes),
                                .checksum = section.checksum});
  }
  return segment;
}

Status ReadSegments(Connection& connection, InspectReport* report) {
  RECALL_ASSIGN(const auto layouts, ReadSegmentLayouts(connection));
  const Bitmap removed = ReadRemoved(connection);
  RECALL_ASSIGN(const bool has_spaces, HasSpaces(connection));
  RECALL_ASSIGN(Statement space,
                connection.Prepare(has_spaces ? "SELECT space FROM vec_segment WHERE id = ?1"
                                              : "SELECT 0 WHERE ?1"));
  for (const SegmentLayout& layout : layouts) {
    InspectReport::Segment& segment = report->segments.emplace_back(Describe(layout, removed));
    space.Reset();
    space.BindInt(1, segment.id);
    RECALL_ASSIGN(const bool found, space.Step());
    if (found) segment.space = space.ColumnInt(0);
  }
  RECALL_ASSIGN(report->delta_vectors, connection.QueryInt("SELECT count(*) FROM vec_tail"));
  return Status::Ok();
}

}  // namespace

Result<InspectReport> RunInspect(const InspectRequest& request, const std::atomic<bool>* cancel) {
  ConnectionOptions options;
  options.busy_timeout_ms = request.busy_timeout_ms;
  options.enable_mapping = false;
  RECALL_ASSIGN(const auto connection, OpenStoreConnection(request.path, options));
  const CheckRun run(connection.get(), cancel);  // makes the statements interruptible
  RECALL_TRY(connection->Execute("BEGIN"));
  InspectReport report;
  RECALL_TRY(ReadFile(*connection, &report));
  RECALL_ASSIGN(const auto trees, ReadTreeLayouts(*connection));
  for (const TreeLayout& tree : trees) {
    report.trees.push_back({tree.name, tree.kind, tree.rows, tree.pages});
  }
  report.map = ReadMap(*connection);
  if (!connection->features().fts_format) {
    report.lexicon_fault =
        "its runs are not shown, because only FTS5 reads it (RECALL_FTS=sqlite, "
        "or a version of SQLite that was not tested)";
  } else if (const auto levels = ReadFtsLevels(*connection); !levels) {
    report.lexicon_fault = std::string(levels.error().message());
  } else {
    for (const FtsLevel& level : *levels) {
      report.lexicon.push_back({static_cast<int64_t>(level.runs.size()), level.leaves()});
    }
  }
  const Status spaces = ReadSpaces(*connection, &report);
  if (!spaces.ok()) report.spaces_fault = spaces.message();
  RECALL_TRY(ReadSegments(*connection, &report));
  RECALL_TRY(run.CheckCancelled());
  return report;
}

}  // namespace recall
