#include "storage/check/file_layout.h"

#include <algorithm>
#include <map>
#include <utility>

#include "storage/base/checksum.h"
#include "storage/overflow/incremental_blob.h"
#include "storage/segment/segment_check.h"
#include "storage/segment/segment_format.h"
#include "storage/segment/segment_page.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// The number of pages of each b-tree, by name; empty if this SQLite has no dbstat table.
std::map<std::string, int64_t> ReadPageCounts(Connection& connection) {
  std::map<std::string, int64_t> pages;
  auto select = connection.Prepare("SELECT name, pageno FROM dbstat WHERE aggregate = 1");
  if (!select) return pages;
  for (;;) {
    const auto row = select->Step();
    if (!row || !*row) return pages;
    pages[std::string(select->ColumnText(0))] = select->ColumnInt(1);
  }
}

std::string Quote(const std::string& name) {
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

Status ReadSection(IncrementalBlob& blob, const SegmentHeader& header, SectionLayout* layout) {
  const SegmentSection& section = layout->section;
  std::vector<uint8_t> page(header.layout.usable());
  uint32_t checksum = 0;
  for (uint32_t i = 0; i < section.pages; ++i) {
    RECALL_TRY(ReadPage(&blob, header, section.first_page + i, page.data()));
    RECALL_TRY(CheckPage(header, section.first_page + i, page.data()));
    const ByteSpan items = ByteSpan(page).subspan(segment_format::kPageHeaderBytes,
                                                  size_t{section.ItemsOn(i)} * section.item_bytes);
    checksum = Crc32c(items, checksum);
  }
  layout->checksum = checksum;
  return Status::Ok();
}

Result<SegmentLayout> ReadSegment(Connection& connection, int64_t id) {
  SegmentLayout segment;
  segment.id = id;
  RECALL_ASSIGN(const SegmentHeader header, ReadSegmentHeader(connection, id));
  segment.header_checksum = SegmentHeaderCrc(EncodeSegmentHeader(header));
  RECALL_ASSIGN(IncrementalBlob blob,
                IncrementalBlob::Open(connection, id, IncrementalBlob::Access::kRead));
  for (const SegmentSection& section : header.sections) {
    SectionLayout layout;
    layout.section = section;
    layout.offset = header.DataOffset(section.first_page);
    layout.bytes = uint64_t{section.pages} * header.layout.chain_bytes();
    // A damaged section has no checksum; the next one is still read.
    ReadSection(blob, header, &layout).IgnoreError();
    segment.sections.push_back(layout);
  }
  segment.header = header;
  return segment;
}

}  // namespace

Result<std::vector<TreeLayout>> ReadTreeLayouts(Connection& connection) {
  const std::map<std::string, int64_t> pages = ReadPageCounts(connection);
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT name, type FROM sqlite_schema "
                                                     "WHERE rootpage > 0 ORDER BY name"));
  std::vector<TreeLayout> trees;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    TreeLayout tree{.name = std::string(select.ColumnText(0)),
                    .kind = std::string(select.ColumnText(1)),
                    .rows = {},
                    .pages = {}};
    if (const auto found = pages.find(tree.name); found != pages.end()) tree.pages = found->second;
    trees.push_back(std::move(tree));
  }
  for (TreeLayout& tree : trees) {
    if (tree.kind != "table") continue;
    const auto rows = connection.QueryInt("SELECT count(*) FROM " + Quote(tree.name));
    if (rows) tree.rows = *rows;
  }
  return trees;
}

std::vector<PageRun> ReadPageRuns(Connection& connection) {
  std::vector<PageRun> runs;
  int64_t next = 1;  // the page after the last run
  const auto append = [&](int64_t pages, const std::string& tree) {
    if (pages <= 0) return;
    if (runs.empty() || runs.back().tree != tree) runs.push_back({next, 0, tree});
    runs.back().pages += pages;
    next += pages;
  };
  const auto total = connection.QueryInt("PRAGMA page_count");
  auto select = connection.Prepare("SELECT pageno, name FROM dbstat ORDER BY pageno");
  if (!select || !total) return {};
  for (;;) {
    const auto row = select->Step();
    if (!row) return {};
    if (!*row) break;
    // A page that two trees claim is a fault that `recall doctor` reports.
    append(select->ColumnInt(0) - next, "");
    if (select->ColumnInt(0) == next) append(1, std::string(select->ColumnText(1)));
  }
  append(*total - next + 1, "");
  return runs;
}

Result<std::vector<SegmentLayout>> ReadSegmentLayouts(Connection& connection) {
  RECALL_ASSIGN(Statement select, connection.Prepare("SELECT id FROM vec_segment ORDER BY id"));
  std::vector<SegmentLayout> segments;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    const int64_t id = select.ColumnInt(0);
    auto segment = ReadSegment(connection, id);
    if (segment) {
      segments.push_back(*std::move(segment));
    } else if (segment.error().code() == StatusCode::kCancelled) {
      return Fail(segment.error());
    } else {
      SegmentLayout damaged;
      damaged.id = id;
      damaged.fault = segment.error().message();
      segments.push_back(std::move(damaged));
    }
  }
  std::ranges::stable_sort(segments, {}, [](const SegmentLayout& segment) {
    return segment.header ? int64_t{segment.header->min_chunk} : -1;
  });
  return segments;
}

}  // namespace recall
