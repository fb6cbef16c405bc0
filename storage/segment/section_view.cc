#include "storage/segment/section_view.h"

#include <algorithm>

namespace recall {

SectionView::SectionView(const std::vector<const uint8_t*>& pages, uint32_t item_bytes,
                         uint32_t items_per_page, uint32_t items)
    : SectionView(static_cast<uint32_t>(pages.size()), item_bytes, items_per_page, items, {}) {
  for (uint32_t i = 0; i < page_count_; ++i) pages_[i] = pages[i];
}

SectionView::SectionView(uint32_t pages, uint32_t item_bytes, uint32_t items_per_page,
                         uint32_t items, PageFinder find)
    : pages_(std::make_unique<std::atomic<const uint8_t*>[]>(pages)),
      find_(std::move(find)),
      page_count_(pages),
      item_bytes_(item_bytes),
      items_per_page_(items_per_page),
      items_(items),
      reciprocal_((uint64_t{1} << 32) / items_per_page + 1) {}

Status SectionView::Need(std::span<const uint32_t> items) const {
  if (!find_) return Status::Ok();
  std::vector<uint32_t> missing;
  for (const uint32_t item : items) {
    const uint32_t number = page_of(item);
    if (page(number) == nullptr && (missing.empty() || missing.back() != number)) {
      missing.push_back(number);
    }
  }
  std::ranges::sort(missing);
  missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
  return Find(missing);
}

Status SectionView::NeedRange(uint32_t first, uint32_t last) const {
  if (!find_ || first >= last) return Status::Ok();
  std::vector<uint32_t> missing;
  for (uint32_t i = page_of(first); i <= page_of(last - 1); ++i) {
    if (page(i) == nullptr) missing.push_back(i);
  }
  return Find(missing);
}

Status SectionView::Find(std::span<const uint32_t> missing) const {
  if (missing.empty()) return Status::Ok();
  std::vector<const uint8_t*> found(missing.size());
  RECALL_TRY(find_(missing, found.data()));
  for (size_t i = 0; i < missing.size(); ++i) {
    pages_[missing[i]].store(found[i], std::memory_order_relaxed);
  }
  return Status::Ok();
}

}  // namespace recall
