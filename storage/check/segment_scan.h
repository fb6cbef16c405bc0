#pragma once

// Reads segments page by page, by copy, as far as they are readable.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "storage/check/check_run.h"
#include "storage/overflow/incremental_blob.h"
#include "storage/segment/segment_header.h"

namespace recall {

class Connection;

// A segment that vec_segment lists and whose header is valid.
struct CheckedSegment {
  SegmentHeader header;
  bool whole = false;  // every page has the right checksums
  int64_t space = 1;   // its row in table space
};

// Compares vec_segment with vec_data and reads every byte of every segment. Returns the segments
// whose header is valid, by smallest chunk rowid. If `read_pages` is false, no pages are read.
Result<std::vector<CheckedSegment>> CheckSegments(CheckRun& run, bool read_pages = true);

// The items of one segment. Keeps one page of each section in memory.
class SegmentScan final {
 public:
  static Result<SegmentScan> Open(Connection& connection, const SegmentHeader& header);

  // The bytes of an item, valid until the next call for the same section. Null if the section does
  // not exist, the page is damaged, or `index` is out of range. Cheapest for ascending items.
  const uint8_t* Item(SectionKind kind, uint32_t index);

 private:
  struct Page {
    std::vector<uint8_t> bytes;
    std::optional<uint32_t> ordinal;
    bool sound = false;
  };

  SegmentScan(IncrementalBlob blob, const SegmentHeader* header)
      : blob_(std::move(blob)), header_(header) {}

  IncrementalBlob blob_;
  const SegmentHeader* header_;
  std::array<Page, kSectionKinds> pages_;  // by SectionKind - 1
};

}  // namespace recall
