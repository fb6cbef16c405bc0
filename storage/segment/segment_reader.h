#pragma once

#include <cstdint>

#include "storage/base/coding.h"
#include "storage/base/result.h"
#include "storage/segment/section_view.h"

namespace recall {

struct SegmentInfo {
  int64_t id = 0;
  uint32_t vectors = 0;
  uint32_t dim = 0;
  uint32_t min_chunk = 0;  // smallest and largest chunk rowid in the segment
  uint32_t max_chunk = 0;
  uint32_t lists = 0;  // IVF lists; 0: sign codes are in the order of the vectors
  // The segment was written for pages of another size, so it cannot be read in place.
  bool has_other_layout = false;
  // The segment has checksums of its vectors, and readers compare them (PageVerification).
  bool verifies_vectors = false;
};

// One immutable segment seen from one transaction.
class SegmentReader {
 public:
  virtual ~SegmentReader() = default;
  virtual const SegmentInfo& info() const = 0;
  // True if sections are in the file mapping; false if they are copied by sqlite3_blob_read.
  virtual bool mapped() const = 0;
  // The section, or Corruption; Internal after the end of the transaction. Only the transaction's
  // own thread may call this; any thread may then read the view. The first call for an unmapped
  // segment copies the section.
  virtual Result<const SectionView*> Section(SectionKind kind) const = 0;
};

}  // namespace recall
