#include "index/write/check/sign_code_slots.h"

#include <algorithm>
#include <utility>

#include "simd/kernels.h"

namespace recall {
namespace {

constexpr uint32_t kNowhere = ~uint32_t{0};

}  // namespace

SignCodePlaces::SignCodePlaces(const SegmentHeader& header, SegmentScan& scan) {
  if (header.Find(SectionKind::kSlots) == nullptr) return;
  ReadIvfLists(header, scan);
  const SegmentSection& section = *header.Find(SectionKind::kSignatures);
  block_bytes_ = section.item_bytes;
  sign_codes_.reserve(size_t{section.items} * section.item_bytes);
  for (uint32_t block = 0; block < section.items; ++block) {
    const uint8_t* const bytes = scan.Item(SectionKind::kSignatures, block);
    if (bytes == nullptr) {  // a finding already
      sign_codes_.clear();
      return;
    }
    sign_codes_.insert(sign_codes_.end(), bytes, bytes + section.item_bytes);
  }
}

void SignCodePlaces::ReadIvfLists(const SegmentHeader& header, SegmentScan& scan) {
  slots_.assign(header.vectors, kNowhere);
  lists_.assign(header.vectors, kNoList);
  const uint32_t lists = std::min<uint32_t>(header.Find(SectionKind::kCellEnds)->items, kNoList);
  uint32_t slot = 0;
  for (uint32_t list = 0; list < lists; ++list) {
    const uint8_t* const bytes = scan.Item(SectionKind::kCellEnds, list);
    if (bytes == nullptr) return;  // a finding already
    const auto end = LoadLittle<uint32_t>(bytes);
    if (end < slot || end > header.vectors) {
      fault_ = "IVF list " + std::to_string(list) + " ends before its start or after the segment";
      return;
    }
    for (; slot < end; ++slot) {
      const uint8_t* const at = scan.Item(SectionKind::kSlots, slot);
      if (at == nullptr) return;
      const auto ordinal = LoadLittle<uint16_t>(at);
      if (ordinal >= header.vectors || slots_[ordinal] != kNowhere) {
        fault_ = "slot " + std::to_string(slot) + " has no vector, or its vector has another slot";
        return;
      }
      slots_[ordinal] = slot;
      lists_[ordinal] = static_cast<uint16_t>(list);
    }
  }
  if (slot != header.vectors) fault_ = "its IVF lists do not contain all vectors";
}

std::optional<uint8_t> SignCodePlaces::SignCodeByte(SegmentScan& scan, uint32_t ordinal,
                                                    size_t byte) const {
  const uint32_t slot = slots_.empty() ? ordinal : slots_[ordinal];
  if (slot == kNowhere) return std::nullopt;
  const size_t block = slot / kSignCodeBlock;
  const uint8_t* bytes = nullptr;
  if (slots_.empty()) {
    bytes = scan.Item(SectionKind::kSignatures, static_cast<uint32_t>(block));
  } else if (!sign_codes_.empty()) {
    bytes = sign_codes_.data() + block * block_bytes_;
  }
  if (bytes == nullptr) return std::nullopt;
  return bytes[byte * kSignCodeBlock + slot % kSignCodeBlock];
}

}  // namespace recall
