#include "index/search/vector/segment_builder.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "index/embed/vector_space/sign_codes.h"
#include "index/search/vector/vector_checksum.h"
#include "simd/kernels.h"
#include "storage/base/check.h"
#include "storage/base/checked_math.h"

namespace recall {
namespace {

// Lays out the sections of an immutable segment from rows in the order of chunk rowids.
//
//   section       items            order
//   signatures    blocks of 32     by IVF list, then by ordinal (by ordinal without lists)
//   chunk ids     u32              by ordinal, less the first chunk rowid
//   vectors       int8 x dim       by ordinal
//   scales        f32              by ordinal
//   token counts  u16, u16         by ordinal
//   cell ends     u32              by list: the slot after its last vector
//   slots         u16              by slot: the ordinal of the vector
//   checksums     u32              by ordinal: of chunk rowid, scale and components
//
// Only sign codes are in the order of lists, because only a sign-code scan reads long ranges of
// them. Full vectors are read at random, or by ranges of chunk rowids, so they stay in chunk order;
// slots map the one order to the other.
//
// Invariants: ordinals ascend with chunk rowids; slots are a permutation of ordinals; the lists are
// written only if all vectors have one. Lists after the last non-empty one are omitted. The same
// rows always give the same bytes.
//
// Cost: memory of one segment (17 MB for 65,536 vectors of 256 dimensions), one stable sort by
// list, one pass over the components for the sign codes. Format: docs/format/segment.md.

template <typename T>
void Append(std::vector<uint8_t>* bytes, T value) {
  bytes->resize(bytes->size() + sizeof(T));
  StoreLittle<T>(bytes->data() + bytes->size() - sizeof(T), value);
}

}  // namespace

void SegmentBuilder::Add(const Row& row) {
  RECALL_CHECK(size() < kMaxSegmentVectors);
  RECALL_CHECK(chunks_.empty() || row.chunk > chunks_.back());
  chunks_.push_back(row.chunk);
  const auto* values = reinterpret_cast<const uint8_t*>(row.values);
  vectors_.insert(vectors_.end(), values, values + space_->padded_dim());
  Append<float>(&scales_, row.scale);
  Append<uint32_t>(&checksums_,
                   VectorChecksum(row.chunk, row.scale, row.values, space_->padded_dim()));
  Append<uint16_t>(&counts_, row.lexical_tokens);
  Append<uint16_t>(&counts_, row.tokens);
  lists_.push_back(row.list);
}

std::vector<uint16_t> SegmentBuilder::MakeSlots() const {
  std::vector<uint16_t> slots(size());
  std::iota(slots.begin(), slots.end(), uint16_t{0});
  if (std::ranges::find(lists_, kNoList) == lists_.end()) {
    std::ranges::stable_sort(slots, {}, [this](uint16_t vector) { return lists_[vector]; });
  }
  return slots;
}

// If one vector has no list, the segment has no lists, and every search scans all of it. kNoList is
// the greatest value, so it suffices to look at the maximum.
void SegmentBuilder::AddIvfLists(std::span<const uint16_t> slots, SegmentContent* content) const {
  const uint16_t last = std::ranges::max(lists_);
  if (last == kNoList) return;
  std::vector<uint32_t> ends(size_t{last} + 1);
  for (const uint16_t list : lists_) ++ends[list];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<uint8_t> end_bytes;
  for (const uint32_t end : ends) Append<uint32_t>(&end_bytes, end);
  std::vector<uint8_t> slot_bytes;
  for (const uint16_t vector : slots) Append<uint16_t>(&slot_bytes, vector);
  content->sections.push_back({SectionKind::kCellEnds, sizeof(uint32_t), std::move(end_bytes)});
  content->sections.push_back({SectionKind::kSlots, sizeof(uint16_t), std::move(slot_bytes)});
}

std::vector<uint8_t> SegmentBuilder::MakeSignCodes(std::span<const uint16_t> slots) const {
  const size_t dim = space_->padded_dim();
  const size_t block_bytes = kSignCodeBlock * dim / 8;
  std::vector<uint8_t> sign_codes(DivideRoundUp(size(), kSignCodeBlock) * block_bytes);
  const auto* values = reinterpret_cast<const int8_t*>(vectors_.data());
  for (size_t slot = 0; slot < size(); ++slot) {
    PutSignCode({values + slots[slot] * dim, dim}, slot % kSignCodeBlock,
                sign_codes.data() + slot / kSignCodeBlock * block_bytes);
  }
  return sign_codes;
}

SegmentContent SegmentBuilder::Finish() {
  RECALL_CHECK(size() > 0);
  SegmentContent content;
  content.vectors = size();
  content.dim = space_->dim();
  content.min_chunk = chunks_.front();
  content.max_chunk = chunks_.back();
  content.space_hash = space_->Fingerprint();
  content.signature_bits = space_->padded_dim();
  content.signature_seed = space_->seed();
  std::vector<uint8_t> ids;
  ids.reserve(chunks_.size() * sizeof(uint32_t));
  for (const uint32_t chunk : chunks_) Append<uint32_t>(&ids, chunk - content.min_chunk);
  const uint32_t dim = space_->padded_dim();
  const auto add = [&](SectionKind kind, uint32_t item_bytes, std::vector<uint8_t> bytes) {
    content.sections.push_back({kind, item_bytes, std::move(bytes)});
  };
  const std::vector<uint16_t> slots = MakeSlots();
  if (dim > 0) {
    add(SectionKind::kSignatures, static_cast<uint32_t>(kSignCodeBlock) * dim / 8,
        MakeSignCodes(slots));
  }
  add(SectionKind::kChunkIds, sizeof(uint32_t), std::move(ids));
  if (dim > 0) {
    add(SectionKind::kVectors, dim, std::move(vectors_));
    add(SectionKind::kScales, sizeof(float), std::move(scales_));
  }
  add(SectionKind::kTokenCounts, 2 * sizeof(uint16_t), std::move(counts_));
  if (dim > 0) {
    AddIvfLists(slots, &content);
    add(SectionKind::kVectorChecksums, sizeof(uint32_t), std::move(checksums_));
  }
  chunks_.clear();
  vectors_.clear();
  scales_.clear();
  checksums_.clear();
  counts_.clear();
  lists_.clear();
  return content;
}

}  // namespace recall
