#include "storage/segment/segment_maps.h"

#include <utility>

namespace recall {

const KnownSegment* SegmentMaps::Find(int64_t id) const {
  const auto found = known_.find(id);
  return found == known_.end() ? nullptr : &found->second;
}

bool SegmentMaps::IsMapped(int64_t id) const {
  const KnownSegment* segment = Find(id);
  return segment != nullptr && segment->pages != nullptr;
}

void SegmentMaps::Remember(int64_t id, KnownSegment segment) {
  if (segment.pages != nullptr && !IsMapped(id)) ++counters_.maps_built;
  segment.is_new = false;
  known_[id] = std::move(segment);
}

void SegmentMaps::DropMismatched(int64_t id) {
  ++counters_.page_mismatches;
  const auto found = known_.find(id);
  if (found == known_.end() || found->second.pages == nullptr) return;
  found->second.pages = nullptr;
  ++counters_.maps_dropped;
}

void SegmentMaps::KeepOnly(const std::set<int64_t>& listed) {
  for (auto it = known_.begin(); it != known_.end();) {
    if (listed.contains(it->first)) {
      ++it;
      continue;
    }
    if (it->second.pages != nullptr) ++counters_.maps_dropped;
    it = known_.erase(it);
  }
}

void SegmentMaps::Clear() { KeepOnly({}); }

}  // namespace recall
