#pragma once

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <vector>

#include "storage/base/page_verification.h"
#include "storage/segment/segment_maps.h"
#include "storage/segment/segment_reader.h"

namespace recall {

class Connection;

// A segment of the open transaction, in the file mapping or copied section by section.
class StoredSegment final : public SegmentReader {
 public:
  // If `segment.pages` is set, `file` is the mapped file of this transaction. `maps` and
  // `connection` must outlive the reader. `file_layout` is that of the pages of the file now.
  StoredSegment(KnownSegment segment, const FilePages& file, const PageLayout& file_layout,
                PageVerification verify, SegmentMaps* maps, Connection* connection);

  const SegmentInfo& info() const override { return info_; }
  bool mapped() const override { return segment_.pages != nullptr; }
  Result<const SectionView*> Section(SectionKind kind) const override;

  const KnownSegment& known() const { return segment_; }

 private:
  struct Free {
    void operator()(uint8_t* memory) const { std::free(memory); }
  };
  using Buffer = std::unique_ptr<uint8_t[], Free>;

  bool MayReadInPlace() const;
  bool IsVerifiedWhole(const SegmentSection& section) const;
  bool PayloadMatches(const SegmentSection& section, uint32_t page, const uint8_t* items) const;
  bool PayloadsMatch(const SegmentSection& section, const std::vector<const uint8_t*>& items) const;
  // Nothing if a page is not where the chain leads.
  std::optional<SectionView> ViewInPlace(const SegmentSection& section) const;
  SectionView ViewInPart(const SegmentSection& section) const;
  void AskForSection(const std::vector<const uint8_t*>& items) const;
  Result<SectionView> Copy(const SegmentSection& section) const;

  mutable KnownSegment segment_;
  FilePages file_;
  PageVerification verify_;
  SegmentMaps* maps_;
  Connection* connection_;
  SegmentInfo info_;
  mutable std::array<std::optional<SectionView>, kSectionKinds> views_;  // by SectionKind - 1
  mutable std::vector<Buffer> copies_;
};

}  // namespace recall
