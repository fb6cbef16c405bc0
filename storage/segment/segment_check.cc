#include "storage/segment/segment_check.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "storage/base/bytes.h"
#include "storage/overflow/incremental_blob.h"
#include "storage/segment/segment_format.h"
#include "storage/segment/segment_page.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

Status DamagedSegment(const SegmentHeader& header, const std::string& what) {
  return Status::Corruption("segment " + std::to_string(header.id) + ": " + what);
}

// The part of the data in the leaf must be the header, followed by zeros.
Status CheckPrefix(const SegmentHeader& header, IncrementalBlob* blob) {
  std::vector<uint8_t> prefix(header.prefix_bytes);
  RECALL_TRY(blob->Read(0, prefix));
  std::vector<uint8_t> expected = EncodeSegmentHeader(header);
  expected.resize(prefix.size());
  const auto [bad, ignored] = std::mismatch(prefix.begin(), prefix.end(), expected.begin());
  if (bad == prefix.end()) return Status::Ok();
  return DamagedSegment(header,
                        "byte " + std::to_string(bad - prefix.begin()) + " of the header is wrong");
}

}  // namespace

Result<SegmentHeader> ReadSegmentHeader(Connection& connection, int64_t id) {
  RECALL_ASSIGN(IncrementalBlob blob,
                IncrementalBlob::Open(connection, id, IncrementalBlob::Access::kRead));
  std::array<uint8_t, segment_format::kMaxHeaderBytes> start;
  const std::span<uint8_t> readable(start.data(), std::min<uint64_t>(start.size(), blob.size()));
  RECALL_TRY(blob.Read(0, readable));
  return ParseSegmentHeader(readable, id, blob.size());
}

Status ReadPage(IncrementalBlob* blob, const SegmentHeader& header, uint32_t ordinal, uint8_t* to) {
  std::memset(to, 0, PageLayout::kPointerBytes);
  return blob->Read(header.DataOffset(ordinal),
                    std::span(to + PageLayout::kPointerBytes, header.layout.chain_bytes()));
}

Status CheckSegmentByCopy(Connection& connection, const SegmentHeader& header) {
  RECALL_ASSIGN(IncrementalBlob blob,
                IncrementalBlob::Open(connection, header.id, IncrementalBlob::Access::kRead));
  RECALL_TRY(CheckPrefix(header, &blob));
  std::vector<uint8_t> page(header.layout.usable());
  for (uint32_t ordinal = 0; ordinal < header.pages; ++ordinal) {
    RECALL_TRY(ReadPage(&blob, header, ordinal, page.data()));
    RECALL_TRY(CheckPage(header, ordinal, page.data()));
  }
  return Status::Ok();
}

Status CheckSegmentInPlace(const FilePages& file, const PageMap& pages,
                           const SegmentHeader& header) {
  if (pages.size() != header.pages)
    return DamagedSegment(header, "the page map has a wrong length");
  for (uint32_t ordinal = 0; ordinal < header.pages; ++ordinal) {
    const uint8_t* page = file.Load(pages[ordinal]);
    if (page == nullptr) {
      return DamagedSegment(header, "page " + std::to_string(ordinal) + " is outside the file");
    }
    RECALL_TRY(CheckPage(header, ordinal, page));
    const uint32_t next = ordinal + 1 < header.pages ? pages[ordinal + 1] : 0;
    if (LoadBig32(page) != next) {
      return DamagedSegment(header, "page " + std::to_string(ordinal) + " points to a wrong page");
    }
  }
  return Status::Ok();
}

Status CheckSegmentTables(Connection& connection) {
  RECALL_ASSIGN(Statement select,
                connection.Prepare(
                    "SELECT id FROM (SELECT id FROM vec_segment UNION ALL SELECT id FROM vec_data) "
                    "GROUP BY id HAVING count(*) <> 2 ORDER BY id LIMIT 1"));
  RECALL_ASSIGN(const bool odd, select.Step());
  if (!odd) return Status::Ok();
  return Status::Corruption("segment " + std::to_string(select.ColumnInt(0)) +
                            " is in only one of the tables vec_segment and vec_data");
}

}  // namespace recall
