#include "storage/check/segment_scan.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "storage/segment/segment_check.h"
#include "storage/segment/segment_format.h"
#include "storage/segment/segment_page.h"
#include "storage/sqlite/connection.h"
#include "storage/tables/space_table.h"

namespace recall {
namespace {

std::string SegmentName(int64_t id) { return "segment " + std::to_string(id); }

// A row of vec_segment.
struct Listed {
  int64_t vectors;
  int64_t min_chunk;
  int64_t max_chunk;
  int64_t pages;
  int64_t header_crc;
  int64_t space;
};

Result<std::map<int64_t, Listed>> ReadList(Connection& connection) {
  RECALL_ASSIGN(const bool with_spaces, HasSpaces(connection));
  RECALL_ASSIGN(Statement select,
                connection.Prepare(
                    with_spaces ? "SELECT id, vectors, min_chunk, max_chunk, pages, header_crc, "
                                  "space FROM vec_segment NOT INDEXED ORDER BY id"
                                : "SELECT id, vectors, min_chunk, max_chunk, pages, header_crc, 1 "
                                  "FROM vec_segment NOT INDEXED ORDER BY id"));
  std::map<int64_t, Listed> listed;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) return listed;
    listed[select.ColumnInt(0)] = {select.ColumnInt(1), select.ColumnInt(2), select.ColumnInt(3),
                                   select.ColumnInt(4), select.ColumnInt(5), select.ColumnInt(6)};
  }
}

// Compares the ids of vec_segment and vec_data, without reading data.
Status CompareIds(CheckRun& run, const std::map<int64_t, Listed>& listed) {
  RECALL_ASSIGN(Statement select,
                run.connection().Prepare("SELECT id, typeof(data) FROM vec_data ORDER BY id"));
  std::map<int64_t, bool> data;
  for (;;) {
    RECALL_ASSIGN(const bool row, select.Step());
    if (!row) break;
    data[select.ColumnInt(0)] = select.ColumnText(1) == "blob";
  }
  for (const auto& [id, row] : listed) {
    const auto own = data.find(id);
    if (own != data.end() && own->second) continue;
    run.findings().Add(FindingCode::kSegmentList, SegmentName(id), "vec_data has no data for it");
  }
  for (const auto& [id, is_blob] : data) {
    if (listed.contains(id)) continue;
    run.findings().Add(FindingCode::kSegmentList, SegmentName(id), "vec_segment does not list it");
  }
  return Status::Ok();
}

bool IsListedHeader(const SegmentHeader& header, const Listed& listed) {
  return header.vectors == listed.vectors && header.min_chunk == listed.min_chunk &&
         header.max_chunk == listed.max_chunk && header.pages == listed.pages &&
         SegmentHeaderCrc(EncodeSegmentHeader(header)) == listed.header_crc;
}

// Checks the header and the zeros after it in the leaf.
Status CheckPrefix(CheckRun& run, const SegmentHeader& header) {
  RECALL_ASSIGN(IncrementalBlob blob,
                IncrementalBlob::Open(run.connection(), header.id, IncrementalBlob::Access::kRead));
  std::vector<uint8_t> prefix(header.prefix_bytes);
  RECALL_TRY(blob.Read(0, prefix));
  std::vector<uint8_t> expected = EncodeSegmentHeader(header);
  expected.resize(prefix.size());
  if (prefix == expected) return Status::Ok();
  return Status::Corruption("the bytes after the header are not zero");
}

Status CheckPages(CheckRun& run, CheckedSegment* segment) {
  const SegmentHeader& header = segment->header;
  RECALL_ASSIGN(IncrementalBlob blob,
                IncrementalBlob::Open(run.connection(), header.id, IncrementalBlob::Access::kRead));
  std::vector<uint8_t> page(header.layout.usable());
  segment->whole = true;
  for (uint32_t ordinal = 0; ordinal < header.pages; ++ordinal) {
    RECALL_TRY(run.CheckCancelled());
    Status status = ReadPage(&blob, header, ordinal, page.data());
    if (status.ok()) status = CheckPage(header, ordinal, page.data());
    if (status.ok()) continue;
    segment->whole = false;
    const std::string where = SegmentName(header.id) + ", page " + std::to_string(ordinal);
    RECALL_TRY(run.Absorb(std::move(status), FindingCode::kSegmentPage, where));
  }
  return Status::Ok();
}

}  // namespace

Result<std::vector<CheckedSegment>> CheckSegments(CheckRun& run, bool read_pages) {
  std::vector<CheckedSegment> segments;
  if (!run.HasTable("vec_segment") || !run.HasTable("vec_data")) return segments;
  const auto listed = ReadList(run.connection());
  if (!listed) {
    RECALL_TRY(run.Absorb(listed.error(), FindingCode::kSegmentList, "vec_segment"));
    return segments;
  }
  RECALL_TRY(run.Absorb(CompareIds(run, *listed), FindingCode::kSegmentList, "vec_data"));
  for (const auto& [id, row] : *listed) {
    RECALL_TRY(run.CheckCancelled());
    Result<SegmentHeader> header = ReadSegmentHeader(run.connection(), id);
    if (!header) {
      RECALL_TRY(run.Absorb(header.error(), FindingCode::kSegmentHeader, SegmentName(id)));
      continue;
    }
    if (!IsListedHeader(*header, row)) {
      run.findings().Add(FindingCode::kSegmentList, SegmentName(id),
                         "its header does not match its row in vec_segment");
    }
    const Status prefix = CheckPrefix(run, *header);
    RECALL_TRY(run.Absorb(prefix, FindingCode::kSegmentHeader, SegmentName(id)));
    CheckedSegment segment{*std::move(header), false, row.space};
    if (read_pages) RECALL_TRY(CheckPages(run, &segment));
    segments.push_back(std::move(segment));
  }
  std::ranges::stable_sort(segments, {},
                           [](const CheckedSegment& s) { return s.header.min_chunk; });
  return segments;
}

Result<SegmentScan> SegmentScan::Open(Connection& connection, const SegmentHeader& header) {
  RECALL_ASSIGN(IncrementalBlob blob,
                IncrementalBlob::Open(connection, header.id, IncrementalBlob::Access::kRead));
  return SegmentScan(std::move(blob), &header);
}

const uint8_t* SegmentScan::Item(SectionKind kind, uint32_t index) {
  const SegmentSection* section = header_->Find(kind);
  if (section == nullptr || index >= section->items) return nullptr;
  const uint32_t ordinal = section->first_page + index / section->items_per_page;
  Page& page = pages_[static_cast<size_t>(kind) - 1];
  if (page.ordinal != ordinal) {
    page.bytes.resize(header_->layout.usable());
    page.ordinal = ordinal;
    page.sound = ReadPage(&blob_, *header_, ordinal, page.bytes.data()).ok() &&
                 CheckPage(*header_, ordinal, page.bytes.data()).ok();
  }
  if (!page.sound) return nullptr;
  return page.bytes.data() + segment_format::kPageHeaderBytes +
         size_t{index % section->items_per_page} * section->item_bytes;
}

}  // namespace recall
