#pragma once

#include <atomic>
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
  // Sections whose payloads this process has compared with their checksums: bit SectionKind - 1.
  std::shared_ptr<std::atomic<uint32_t>> verified = std::make_shared<std::atomic<uint32_t>>(0);
  // The segment was first opened in the open transaction: all known pages have just passed the
  // check, and few of them are in the page table. Not remembered.
  bool is_new = false;
};

// Remembers headers and page maps between transactions. Segments are immutable and their ids are
// never reused, so an entry stays valid while PRAGMA schema_version is unchanged and the segment is
// listed. (In a write transaction an id may be assigned, rolled back and assigned again: nothing
// that was seen there may be remembered.)
class SegmentMaps final {
 public:
  // Null if nothing is known.
  const KnownSegment* Find(int64_t id) const;
  bool IsMapped(int64_t id) const;
  void Remember(int64_t id, KnownSegment segment);

  // Drops the page map, which did not lead to the segment's pages.
  void DropMismatched(int64_t id);
  // Drops every segment that is not in `listed`.
  void KeepOnly(const std::set<int64_t>& listed);
  void Clear();

  SegmentAccessCounters& counters() { return counters_; }
  const SegmentAccessCounters& counters() const { return counters_; }

 private:
  std::map<int64_t, KnownSegment> known_;
  SegmentAccessCounters counters_;
};

}  // namespace recall
