#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>

#include "storage/overflow/page_locator.h"
#include "storage/segment/access_counters.h"
#include "storage/segment/segment_header.h"

namespace recall {

// What is known of a committed segment. Shared with the readers of the open transaction.
struct KnownSegment {
  std::shared_ptr<const SegmentHeader> header;
  std::shared_ptr<PageLocator> pages;  // null: not mapped
  // The segment was not looked at before the open transaction: every page that is known has shown
  // to be the right one, and is hardly ever in the page table. Not remembered.
  bool is_new = false;
};

// Remembers headers and page maps between transactions. Segments are immutable and their ids are
// never reused, so an entry stays true while PRAGMA schema_version does and the segment is
// listed. (Inside a write transaction an id may be given, rolled back and given again: nothing
// seen there may be remembered.)
class SegmentMaps final {
 public:
  // Null when nothing is known.
  const KnownSegment* Find(int64_t id) const;
  bool IsMapped(int64_t id) const;
  void Remember(int64_t id, KnownSegment segment);

  // Forgets the page map, which did not lead to the segment's pages.
  void DropMismatched(int64_t id);
  // Forgets every segment that is not in `listed`.
  void KeepOnly(const std::set<int64_t>& listed);
  void Clear();

  SegmentAccessCounters& counters() { return counters_; }
  const SegmentAccessCounters& counters() const { return counters_; }

 private:
  std::map<int64_t, KnownSegment> known_;
  SegmentAccessCounters counters_;
};

}  // namespace recall
