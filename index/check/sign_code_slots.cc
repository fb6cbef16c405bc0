#include "index/check/sign_code_slots.h"

#include <algorithm>
#include <utility>

#include "simd/kernels.h"

namespace recall {
namespace {

constexpr uint32_t kNowhere = ~uint32_t{0};

}  // namespace

SignaturePlaces::SignaturePlaces(const SegmentHeader& header, SegmentScan& scan) {
  if (header.Find(SectionKind::kSlots) == nullptr) return;
  ReadCells(header, scan);
  const SegmentSection& section = *header.Find(SectionKind::kSignatures);
  block_bytes_ = section.item_bytes;
  signatures_.reserve(size_t{section.items} * section.item_bytes);
  for (uint32_t block = 0; block < section.items; ++block) {
    const uint8_t* const bytes = scan.Item(SectionKind::kSignatures, block);
    if (bytes == nullptr) {  // a finding already
      signatures_.clear();
      return;
    }
    signatures_.insert(signatures_.end(), bytes, bytes + section.item_bytes);
  }
}

void SignaturePlaces::ReadCells(const SegmentHeader& header, SegmentScan& scan) {
  slots_.assign(header.vectors, kNowhere);
  cells_.assign(header.vectors, kNoCell);
  const uint32_t cells = std::min<uint32_t>(header.Find(SectionKind::kCellEnds)->items, kNoCell);
  uint32_t slot = 0;
  for (uint32_t cell = 0; cell < cells; ++cell) {
    const uint8_t* const bytes = scan.Item(SectionKind::kCellEnds, cell);
    if (bytes == nullptr) return;  // a finding already
    const auto end = LoadLittle<uint32_t>(bytes);
    if (end < slot || end > header.vectors) {
      fault_ = "cell " + std::to_string(cell) + " ends before it begins, or beyond the segment";
      return;
    }
    for (; slot < end; ++slot) {
      const uint8_t* const at = scan.Item(SectionKind::kSlots, slot);
      if (at == nullptr) return;
      const auto ordinal = LoadLittle<uint16_t>(at);
      if (ordinal >= header.vectors || slots_[ordinal] != kNowhere) {
        fault_ = "slot " + std::to_string(slot) + " is of no vector, or of one that has another";
        return;
      }
      slots_[ordinal] = slot;
      cells_[ordinal] = static_cast<uint16_t>(cell);
    }
  }
  if (slot != header.vectors) fault_ = "its cells end before its vectors";
}

std::optional<uint8_t> SignaturePlaces::SignatureByte(SegmentScan& scan, uint32_t ordinal,
                                                      size_t byte) const {
  const uint32_t slot = slots_.empty() ? ordinal : slots_[ordinal];
  if (slot == kNowhere) return std::nullopt;
  const size_t block = slot / kSignatureBlock;
  const uint8_t* bytes = nullptr;
  if (slots_.empty()) {
    bytes = scan.Item(SectionKind::kSignatures, static_cast<uint32_t>(block));
  } else if (!signatures_.empty()) {
    bytes = signatures_.data() + block * block_bytes_;
  }
  if (bytes == nullptr) return std::nullopt;
  return bytes[byte * kSignatureBlock + slot % kSignatureBlock];
}

}  // namespace recall
