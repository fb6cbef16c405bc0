// ParseSegmentHeader and CheckPage: headers of untrusted segments and of their pages.
// Input: u8, where 0 means that the bytes are not modified, else the checksum is repaired first, so
// that the fields are reached; i64 id, u64 length of the BLOB, then the bytes.

#include <algorithm>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "storage/base/checksum.h"
#include "storage/segment/segment_format.h"
#include "storage/segment/segment_header.h"
#include "storage/segment/segment_page.h"

namespace recall {
namespace {

using segment_format::kChecksumBytes;

// Writes the correct checksum at the place that the size in the header gives.
void RepairChecksum(std::vector<uint8_t>* bytes) {
  if (bytes->size() < sizeof(segment_format::Header)) return;
  const size_t size = LoadLittle<uint16_t>(bytes->data() + 10);
  if (size < kChecksumBytes || size > bytes->size()) return;
  const size_t covered = size - kChecksumBytes;
  StoreLittle(bytes->data() + covered, Crc32c(ByteSpan(*bytes).first(covered)));
}

void CheckHeader(const SegmentHeader& header, uint64_t blob_length) {
  RECALL_CHECK(header.pages > 0 && header.blob_length == blob_length);
  RECALL_CHECK(header.DataOffset(header.pages) <= blob_length);
  uint32_t next_page = 0;
  for (const SegmentSection& section : header.sections) {
    RECALL_CHECK(section.first_page == next_page && section.pages > 0);
    next_page += section.pages;
    RECALL_CHECK(header.Find(section.kind) == &section);
    uint64_t items = 0;
    for (uint32_t page = 0; page < section.pages; ++page) items += section.ItemsOn(page);
    RECALL_CHECK(items == section.items);
    const uint64_t used = uint64_t{section.items_per_page} * section.item_bytes;
    RECALL_CHECK(segment_format::kPageHeaderBytes + used <= header.layout.usable());
  }
  RECALL_CHECK(next_page == header.pages);
  RECALL_CHECK(&header.SectionOf(header.pages - 1) == &header.sections.back());
}

// Checks a page with the bytes of the input, before and after SealPage.
void CheckPages(const SegmentHeader& header, ByteSpan bytes) {
  std::vector<uint8_t> page(header.layout.usable());
  std::copy_n(bytes.begin(), std::min(bytes.size(), page.size()), page.begin());
  const uint32_t ordinal = header.pages / 2;
  CheckPage(header, ordinal, page.data()).IgnoreError();
  SealPage(header, ordinal, page);
  RECALL_CHECK(CheckPage(header, ordinal, page.data()).ok());
  page[page.size() / 2] ^= 1;
  RECALL_CHECK(!CheckPage(header, ordinal, page.data()).ok());
}

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const bool repair = reader.Read<uint8_t>() != 0;
  const auto id = reader.Read<int64_t>();
  const auto blob_length = reader.Read<uint64_t>();
  const ByteSpan rest = TakeRest(reader);
  std::vector<uint8_t> bytes(rest.begin(), rest.end());
  if (repair) RepairChecksum(&bytes);
  const Result<SegmentHeader> header = ParseSegmentHeader(bytes, id, blob_length);
  if (!header) {
    RECALL_CHECK(header.error().code() == StatusCode::kCorruption ||
                 header.error().code() == StatusCode::kUnsupported);
    return;
  }
  CheckHeader(*header, blob_length);
  const std::vector<uint8_t> encoded = EncodeSegmentHeader(*header);
  RECALL_CHECK(encoded.size() <= bytes.size());
  RECALL_CHECK(std::equal(encoded.begin(), encoded.end(), bytes.begin()));
  CheckPages(*header, bytes);
}

}  // namespace recall
