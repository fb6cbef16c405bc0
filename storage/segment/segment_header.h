#pragma once

#include <cstdint>
#include <vector>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/overflow/page_layout.h"
#include "storage/segment/segment_content.h"
#include "storage/segment/segment_reader.h"

namespace recall {

// A section: `items` items of `item_bytes` each, `items_per_page` to a page.
struct SegmentSection {
  SectionKind kind;
  uint32_t item_bytes;
  uint32_t first_page;  // ordinal in the segment's chain
  uint32_t pages;
  uint32_t items_per_page;
  uint32_t items;

  uint32_t FirstItemOn(uint32_t page) const { return page * items_per_page; }
  uint32_t ItemsOn(uint32_t page) const {
    const uint32_t left = items - FirstItemOn(page);
    return left < items_per_page ? left : items_per_page;
  }
  friend bool operator==(const SegmentSection&, const SegmentSection&) = default;
};

// A checked header of a segment: its fields fit each other, the data's length and SectionKind.
struct SegmentHeader {
  PageLayout layout;
  int64_t id = 0;
  uint32_t pages = 0;
  uint64_t blob_length = 0;
  uint32_t prefix_bytes = 0;
  uint32_t vectors = 0;
  uint32_t dim = 0;
  uint32_t min_chunk = 0;
  uint32_t max_chunk = 0;
  uint64_t space_hash = 0;
  uint32_t signature_bits = 0;
  uint64_t signature_seed = 0;
  std::vector<SegmentSection> sections;

  // Null if the segment has no such section.
  const SegmentSection* Find(SectionKind kind) const;
  // The section that page `ordinal` belongs to. Requires: ordinal < pages.
  const SegmentSection& SectionOf(uint32_t ordinal) const;
  // The offset of page `ordinal` in the data. The first 4 bytes of a file page are SQLite's.
  uint64_t DataOffset(uint32_t ordinal) const {
    return prefix_bytes + uint64_t{ordinal} * layout.chain_bytes();
  }
};

// Lays content on pages. Errors: InvalidArgument if the content contradicts itself or SectionKind;
// LimitExceeded if it is too large for one BLOB.
Result<SegmentHeader> PlanSegment(const PageLayout& layout, const SegmentContent& content);

// The header's bytes, checksum included. Requires: a header from PlanSegment, with its id set.
std::vector<uint8_t> EncodeSegmentHeader(const SegmentHeader& header);

// Reads the header from the first bytes of the data of row `id`.
// Errors: Corruption; Unsupported for a newer version.
Result<SegmentHeader> ParseSegmentHeader(ByteSpan start, int64_t id, uint64_t blob_length);

// The checksum that vec_segment.header_crc repeats. Requires: bytes of EncodeSegmentHeader.
uint32_t SegmentHeaderCrc(ByteSpan encoded);

}  // namespace recall
