#include "storage/segment/segment_writer.h"

#include <algorithm>
#include <cstring>

#include "storage/overflow/incremental_blob.h"
#include "storage/segment/segment_format.h"
#include "storage/segment/segment_header.h"
#include "storage/segment/segment_page.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

// A segment is one row of vec_segment and one BLOB in vec_data. The BLOB is laid out so that every
// page of it is a whole page of the database file, which a reader can use in place:
//
//   leaf cell of the b-tree      overflow page 0            overflow page 1
//   | ... | header, zeros  | -> | next | header | items | -> | next | header | items | -> ...
//          prefix_bytes           4      60       U - 64
//
// PlanSegment chooses a length that fills exactly a whole number of overflow pages
// (PageLayout::BlobLength), so byte DataOffset(i) of the BLOB is byte 4 of page i of the chain. The
// first 4 bytes belong to SQLite.
//
// Steps: insert the row of vec_segment, which assigns the id; insert a zeroblob of the final
// length, which makes SQLite allocate the chain, mostly as adjacent pages; overwrite it page by
// page with incremental BLOB I/O.
//
// Invariants: the id is in every page header, so it must be known before the first page is written.
// It is never reused (AUTOINCREMENT). Everything happens in one write transaction.
//
// Cost: memory for one page; two writes of each page into SQLite's cache. Format:
// docs/format/segment.md.

// Inserts the row of vec_segment, which assigns the id for the header, then the header's checksum.
Status InsertRow(Connection& connection, int64_t space, SegmentHeader* header,
                 std::vector<uint8_t>* encoded_header) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached(
                    space == 0 ? "INSERT INTO vec_segment(vectors, min_chunk, max_chunk, pages, "
                                 "header_crc) VALUES(?1, ?2, ?3, ?4, 0)"
                               : "INSERT INTO vec_segment(vectors, min_chunk, max_chunk, pages, "
                                 "header_crc, space) VALUES(?1, ?2, ?3, ?4, 0, ?5)"));
  insert->BindInt(1, header->vectors);
  insert->BindInt(2, header->min_chunk);
  insert->BindInt(3, header->max_chunk);
  insert->BindInt(4, header->pages);
  if (space != 0) insert->BindInt(5, space);
  RECALL_TRY(insert->Run());
  header->id = connection.LastInsertRowId();
  *encoded_header = EncodeSegmentHeader(*header);

  RECALL_ASSIGN(Statement * update,
                connection.Cached("UPDATE vec_segment SET header_crc = ? WHERE id = ?"));
  update->BindInt(1, SegmentHeaderCrc(*encoded_header));
  update->BindInt(2, header->id);
  return update->Run();
}

// Allocates the data, to be written in place: the segment is not copied in memory.
Status InsertRoom(Connection& connection, const SegmentHeader& header) {
  RECALL_ASSIGN(Statement * insert,
                connection.Cached("INSERT INTO vec_data(id, data) VALUES(?, zeroblob(?))"));
  insert->BindInt(1, header.id);
  insert->BindInt(2, static_cast<int64_t>(header.blob_length));
  return insert->Run();
}

Status WriteSection(const SegmentHeader& header, const SegmentSection& section,
                    const std::vector<uint8_t>& bytes, std::vector<uint8_t>* page,
                    IncrementalBlob* blob) {
  for (uint32_t i = 0; i < section.pages; ++i) {
    const uint32_t ordinal = section.first_page + i;
    const uint8_t* items = bytes.data() + size_t{section.FirstItemOn(i)} * section.item_bytes;
    std::fill(page->begin(), page->end(), uint8_t{0});
    std::memcpy(page->data() + segment_format::kPageHeaderBytes, items,
                size_t{section.ItemsOn(i)} * section.item_bytes);
    SealPage(header, ordinal, *page);
    RECALL_TRY(blob->Write(header.DataOffset(ordinal),
                           ByteSpan(*page).subspan(PageLayout::kPointerBytes)));
  }
  return Status::Ok();
}

}  // namespace

Result<int64_t> WriteSegment(Connection& connection, const SegmentContent& content, int64_t space) {
  RECALL_ASSIGN(const PageLayout layout, ReadPageLayout(connection));
  RECALL_ASSIGN(SegmentHeader header, PlanSegment(layout, content));
  std::vector<uint8_t> encoded_header;
  RECALL_TRY(InsertRow(connection, space, &header, &encoded_header));
  RECALL_TRY(InsertRoom(connection, header));

  RECALL_ASSIGN(IncrementalBlob blob,
                IncrementalBlob::Open(connection, header.id, IncrementalBlob::Access::kWrite));
  RECALL_TRY(blob.Write(0, encoded_header));
  std::vector<uint8_t> page(layout.usable());
  for (size_t i = 0; i < header.sections.size(); ++i) {
    RECALL_TRY(WriteSection(header, header.sections[i], content.sections[i].bytes, &page, &blob));
  }
  return header.id;
}

}  // namespace recall
