#include "query/inspect.h"

#include <sys/stat.h>

#include "index/filter/bitmap.h"
#include "index/vector/vector_writer.h"
#include "storage/base/bytes.h"
#include "storage/check/check_run.h"
#include "storage/check/file_layout.h"
#include "storage/history/commit_log.h"
#include "storage/history/snapshot_token.h"
#include "storage/sqlite/fts_structure.h"
#include "storage/sqlite/schema.h"

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
  }
  return "unknown";
}

int64_t FileSize(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_size : 0;
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
  report->snapshot = PresentToken(connection);
  report->oldest_snapshot = report->snapshot;
  const auto horizon = ReadHorizon(connection);
  if (!report->snapshot.empty() && horizon && *horizon) {
    report->oldest_snapshot = MakeSnapshotToken(report->snapshot, **horizon);
  }
  return Status::Ok();
}

// What is removed, as far as it can be read.
Bitmap ReadRemoved(Connection& connection) {
  auto select = connection.Prepare("SELECT bitmap FROM tombstone WHERE id = 1");
  if (!select) return {};
  const auto row = select->Step();
  if (!row || !*row) return {};
  auto removed = Bitmap::Parse(select->ColumnBlob(0));
  return removed ? *std::move(removed) : Bitmap();
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
  for (const SegmentLayout& layout : layouts) {
    report->segments.push_back(Describe(layout, removed));
  }
  RECALL_ASSIGN(report->tail_vectors, connection.QueryInt("SELECT count(*) FROM vec_tail"));
  return Status::Ok();
}

}  // namespace

Result<InspectReport> RunInspect(const InspectRequest& request, const std::atomic<bool>* cancel) {
  ConnectionOptions options;
  options.busy_timeout_ms = request.busy_timeout_ms;
  options.enable_mapping = false;
  RECALL_ASSIGN(const auto connection, Connection::Open(request.path, options));
  const CheckRun run(connection.get(), cancel);  // so that it can be interrupted
  RECALL_TRY(connection->Execute("BEGIN"));
  InspectReport report;
  RECALL_TRY(ReadFile(*connection, &report));
  RECALL_ASSIGN(const auto trees, ReadTreeLayouts(*connection));
  for (const TreeLayout& tree : trees) {
    report.trees.push_back({tree.name, tree.kind, tree.rows, tree.pages});
  }
  const auto levels = ReadFtsLevels(*connection);
  if (!levels) {
    report.lexicon_fault = std::string(levels.error().message());
  } else {
    for (const FtsLevel& level : *levels) report.lexicon.push_back({level.runs, level.pages});
  }
  RECALL_TRY(ReadSegments(*connection, &report));
  RECALL_TRY(run.CheckCancelled());
  return report;
}

}  // namespace recall
