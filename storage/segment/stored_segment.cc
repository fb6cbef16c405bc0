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
#include "storage/sqlite/verified_pages.h"

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
      const uint8_t* const known = file.Load(number);
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

// Verifies the checksum of a page of a section, whose items begin at `items`.
Status CheckItems(const SegmentHeader& header, const SegmentSection& section, uint32_t page,
                  const uint8_t* items) {
  return CheckPage(header, section.first_page + page, items - segment_format::kPageHeaderBytes);
}

}  // namespace

StoredSegment::StoredSegment(KnownSegment segment, const FilePages& file,
                             const PageLayout& file_layout, PageVerification verify,
                             SegmentMaps* maps, Connection* connection)
    : segment_(std::move(segment)),
      file_(file),
      verify_(verify),
      maps_(maps),
      connection_(connection) {
  const SegmentHeader& header = *segment_.header;
  info_ = {.id = header.id,
           .vectors = header.vectors,
           .dim = header.dim,
           .min_chunk = header.min_chunk,
           .max_chunk = header.max_chunk,
           .lists = 0,
           .has_other_layout = header.layout != file_layout,
           .verifies_vectors = verify != PageVerification::kNever &&
                               header.Find(SectionKind::kVectorChecksums) != nullptr};
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
  if (segment_.is_new) AskForSection(items);
  if (IsVerifiedWhole(section) && !PayloadsMatch(section, items)) return std::nullopt;
  if (segment_.is_new) {
    if (file_.descriptor >= 0) view.SetUnseen(file_);
  }
  return view;
}

// Sections in which one wrong bit assigns a vector, or all after it, to another chunk or list. Sign
// codes only propose vectors, and each vector has a checksum of its own, which covers its scale.
bool StoredSegment::IsVerifiedWhole(const SegmentSection& section) const {
  switch (verify_) {
    case PageVerification::kNever:
      return false;
    case PageVerification::kAlways:
      return true;
    case PageVerification::kFirstUse:
      break;
  }
  return section.kind == SectionKind::kChunkIds || section.kind == SectionKind::kTokenCounts ||
         section.kind == SectionKind::kCellEnds || section.kind == SectionKind::kSlots;
}

// Compares a page with its checksum, unless another process has.
bool StoredSegment::PayloadMatches(const SegmentSection& section, uint32_t page,
                                   const uint8_t* items) const {
  const VerifiedPages* const shared =
      verify_ == PageVerification::kFirstUse ? file_.verified : nullptr;
  const uint32_t number = segment_.pages->number(section.first_page + page);
  if (shared != nullptr && (shared->Find(number) & VerifiedPages::kPayload) != 0) return true;
  if (!CheckItems(*segment_.header, section, page, items).ok()) return false;
  if (shared != nullptr) shared->Add(number, VerifiedPages::kPayload);
  return true;
}

// Compares the pages of a section with their checksums: once for each process, unless always.
bool StoredSegment::PayloadsMatch(const SegmentSection& section,
                                  const std::vector<const uint8_t*>& items) const {
  const uint32_t bit = uint32_t{1} << (static_cast<uint32_t>(section.kind) - 1);
  if (verify_ == PageVerification::kFirstUse && (segment_.verified->load() & bit) != 0) return true;
  for (uint32_t page = 0; page < section.pages; ++page) {
    if (!PayloadMatches(section, page, items[page])) return false;
  }
  segment_.verified->fetch_or(bit);
  return true;
}

// For sections of which a search reads little: the vectors, which are most of a segment, and the
// sign codes of a few lists.
SectionView StoredSegment::ViewInPart(const SegmentSection& section) const {
  SectionView view(section.pages, section.item_bytes, section.items_per_page, section.items,
                   [segment = segment_, file = file_, section, verify = verify_](
                       std::span<const uint32_t> pages, const uint8_t** items) -> Status {
                     if (!FindPages(segment, file, section, pages, items)) {
                       return Misplaced(*segment.header);
                     }
                     if (verify != PageVerification::kAlways) return Status::Ok();
                     for (size_t i = 0; i < pages.size(); ++i) {
                       RECALL_TRY(CheckItems(*segment.header, section, pages[i], items[i]));
                     }
                     return Status::Ok();
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
    return Fail(Status::NotEnoughMemory("segment " + std::to_string(info_.id) + ": "));
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
