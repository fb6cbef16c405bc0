#include "storage/segment/stored_segment.h"

#include <numeric>
#include <string>
#include <utility>

#include "storage/base/checked_math.h"
#include "storage/overflow/checkpointed_snapshot.h"
#include "storage/overflow/incremental_blob.h"
#include "storage/segment/segment_check.h"
#include "storage/segment/segment_format.h"
#include "storage/segment/segment_page.h"
#include "storage/sqlite/connection.h"

namespace recall {
namespace {

constexpr size_t kCacheLine = 64;

Status Misplaced(const SegmentHeader& header) {
  return Status::Corruption(
      "segment " + std::to_string(header.id) + ": its overflow chain points to a wrong page",
      "run `recall doctor --fix`");
}

// Finds pages of a section and verifies the header of each, even of those that were found in
// another transaction. False if one is wrong.
bool FindPages(const KnownSegment& segment, const FilePages& file, const SegmentSection& section,
               std::span<const uint32_t> pages, const uint8_t** items) {
  std::vector<uint32_t> missing;
  for (const uint32_t page : pages) {
    const uint32_t ordinal = section.first_page + page;
    const uint32_t number = segment.pages->number(ordinal);
    if (number == 0) {
      missing.push_back(ordinal);
    } else if (!segment.is_new) {
      const uint8_t* const known = file.page(number);
      if (!known || !CheckPageHeader(*segment.header, ordinal, known).ok()) return false;
    }
  }
  if (!segment.pages->Locate(file, missing)) return false;
  for (const uint32_t page : pages) {
    const uint8_t* const found = file.page(segment.pages->number(section.first_page + page));
    if (found == nullptr) return false;
    *items++ = found + segment_format::kPageHeaderBytes;
  }
  return true;
}

}  // namespace

StoredSegment::StoredSegment(KnownSegment segment, const FilePages& file, SegmentMaps* maps,
                             Connection* connection, bool has_other_layout)
    : segment_(std::move(segment)), file_(file), maps_(maps), connection_(connection) {
  const SegmentHeader& header = *segment_.header;
  info_ = {.id = header.id,
           .vectors = header.vectors,
           .dim = header.dim,
           .min_chunk = header.min_chunk,
           .max_chunk = header.max_chunk,
           .lists = 0,
           .has_other_layout = has_other_layout};
  if (const SegmentSection* ends = header.Find(SectionKind::kCellEnds)) info_.lists = ends->items;
}

Result<const SectionView*> StoredSegment::Section(SectionKind kind) const {
  if (!connection_->InTransaction()) {
    return Fail(Status::Internal("segment " + std::to_string(info_.id) +
                                 " was read outside its transaction"));
  }
  const SegmentSection* section = segment_.header->Find(kind);
  if (section == nullptr) {
    return Fail(Status::Corruption("segment " + std::to_string(info_.id) + " has no section " +
                                   std::to_string(static_cast<int>(kind))));
  }
  std::optional<SectionView>& view = views_[static_cast<size_t>(kind) - 1];
  if (!view && MayReadInPlace()) {
    view = ViewInPlace(*section);
    if (!view) {
      maps_->DropMismatched(info_.id);
      segment_.pages = nullptr;
    }
  }
  if (!view) {
    RECALL_ASSIGN(view, Copy(*section));
  }
  return &*view;
}

// A write transaction may have freed pages of this snapshot and reused them.
bool StoredSegment::MayReadInPlace() const {
  return segment_.pages != nullptr && !InWriteTransaction(*connection_);
}

std::optional<SectionView> StoredSegment::ViewInPlace(const SegmentSection& section) const {
  const bool in_part = section.kind == SectionKind::kVectors ||
                       (section.kind == SectionKind::kSignatures && info_.lists > 0);
  if (in_part) return ViewInPart(section);
  std::vector<uint32_t> pages(section.pages);
  std::iota(pages.begin(), pages.end(), 0);
  std::vector<const uint8_t*> items(section.pages);
  if (!FindPages(segment_, file_, section, pages, items.data())) return std::nullopt;
  SectionView view(items, section.item_bytes, section.items_per_page, section.items);
  if (segment_.is_new) {
    AskForSection(items);
    if (file_.descriptor >= 0) view.SetUnseen(file_);
  }
  return view;
}

// For sections of which a search reads little: the vectors, which are most of a segment, and the
// sign codes of a few lists.
SectionView StoredSegment::ViewInPart(const SegmentSection& section) const {
  SectionView view(section.pages, section.item_bytes, section.items_per_page, section.items,
                   [segment = segment_, file = file_, section](std::span<const uint32_t> pages,
                                                               const uint8_t** items) {
                     return FindPages(segment, file, section, pages, items)
                                ? Status::Ok()
                                : Misplaced(*segment.header);
                   });
  if (segment_.is_new && file_.descriptor >= 0) view.SetUnseen(file_);
  return view;
}

// Starts reading a section that is scanned from end to end, if it is not in memory. That is tested
// at the ends of some pages: their starts have just been read with the page headers.
void StoredSegment::AskForSection(const std::vector<const uint8_t*>& items) const {
  constexpr size_t kProbes = 4;
  const size_t on_page = file_.layout.usable() - segment_format::kPageHeaderBytes;
  const size_t step = items.size() / kProbes + 1;
  bool in_memory = true;
  for (size_t i = 0; in_memory && i < items.size(); i += step) {
    uint8_t probe[8];
    in_memory = file_.ReadIfCached(items[i] + on_page - sizeof(probe), probe);
  }
  if (in_memory) return;
  for (const uint8_t* page : items) file_.WillNeed(page, on_page);
}

Result<SectionView> StoredSegment::Copy(const SegmentSection& section) const {
  const SegmentHeader& header = *segment_.header;
  const size_t stride = RoundUp(header.layout.usable(), kCacheLine);
  Buffer buffer(
      static_cast<uint8_t*>(std::aligned_alloc(kCacheLine, stride * size_t{section.pages})));
  if (buffer == nullptr) {
    return Fail(Status::LimitExceeded("no memory to copy segment " + std::to_string(info_.id)));
  }
  RECALL_ASSIGN(IncrementalBlob blob,
                IncrementalBlob::Open(*connection_, info_.id, IncrementalBlob::Access::kRead));
  std::vector<const uint8_t*> items(section.pages);
  for (uint32_t i = 0; i < section.pages; ++i) {
    uint8_t* page = buffer.get() + i * stride;
    RECALL_TRY(ReadPage(&blob, header, section.first_page + i, page));
    RECALL_TRY(CheckPage(header, section.first_page + i, page));
    items[i] = page + segment_format::kPageHeaderBytes;
  }
  copies_.push_back(std::move(buffer));
  return SectionView(std::move(items), section.item_bytes, section.items_per_page, section.items);
}

}  // namespace recall
