#include "index/search/vector/stored_vectors.h"

#include <algorithm>
#include <string>

#include "index/embed/vector_space/delta_record.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/columns/column_segment.h"
#include "index/search/vector/vector_checksum.h"
#include "index/search/vector/vector_sections.h"

namespace recall {
namespace {

// Random access to single quantised vectors, for reranking, for export and for copying vectors from
// one space to another.
//
//   chunk rowid --binary search--> segment --gallop or subtract--> ordinal --> page + offset
//               \-- above the last segment --binary search--> delta record
//
// Invariant: segments ascend by chunk rowid and do not overlap, and the delta is above all of them
// (checked by ChunkColumns::Open). A rowid within the range of a segment is therefore never in the
// delta.
//
// Copies: the first access to a page of a memory mapping costs a page fault, which takes longer
// than a read of one row from the page cache. Therefore the first kMostCopies rows are copied by a
// read if the section allows it (SectionView::reads_faster); later ones are used in place.
//
// Cost: O(log segments + log vectors) and one row for each look-up; sections are opened once.
// Corruption is returned for a chunk without a vector, and for a vector that does not match its
// checksum or has a scale that no vector can have.

Status NoVector(uint32_t chunk) {
  return Status::Corruption("chunk rowid " + std::to_string(chunk) + " has no vector",
                            "run `recall doctor --fix`");
}

}  // namespace

struct StoredVectors::OpenSegment {
  std::optional<VectorSections> sections;
};

StoredVectors::StoredVectors(const ChunkColumns& columns)
    : columns_(columns), segments_(columns.segments().size()) {}

StoredVectors::~StoredVectors() = default;

const int8_t* StoredVectors::ValuesOf(const SectionView& vectors, uint32_t ordinal) {
  if (vectors.reads_faster() && copies_.size() < kMostCopies) {
    auto copy = std::make_unique<uint8_t[]>(vectors.item_bytes());
    if (vectors.Read(ordinal, copy.get())) {
      copies_.push_back(std::move(copy));
      return reinterpret_cast<const int8_t*>(copies_.back().get());
    }
  }
  return reinterpret_cast<const int8_t*>(vectors.item(ordinal));
}

std::vector<ColumnSegment>::const_iterator StoredVectors::SegmentOf(uint32_t chunk) const {
  return std::ranges::lower_bound(columns_.segments(), chunk, {}, &ColumnSegment::max_chunk);
}

const ChunkVector* StoredVectors::FindInDelta(uint32_t chunk) const {
  const auto found = std::ranges::lower_bound(columns_.delta(), chunk, {}, &ChunkVector::chunk);
  return found == columns_.delta().end() || found->chunk != chunk ? nullptr : &*found;
}

bool StoredVectors::Contains(uint32_t chunk) const {
  const auto segment = SegmentOf(chunk);
  if (segment != columns_.segments().end()) return segment->Find(chunk).has_value();
  return FindInDelta(chunk) != nullptr;
}

Result<StoredVectors::View> StoredVectors::Find(uint32_t chunk) {
  const auto found = SegmentOf(chunk);
  if (found != columns_.segments().end()) {
    const std::optional<uint32_t> ordinal = found->Find(chunk);
    if (!ordinal) return Fail(NoVector(chunk));
    if (columns_.space().dim() == 0) return View{};
    auto& sections = segments_[static_cast<size_t>(found - columns_.segments().begin())].sections;
    if (!sections) {
      RECALL_ASSIGN(sections, OpenVectors(*found, columns_.space(), false));
    }
    RECALL_TRY(sections->vectors->Need({&*ordinal, 1}));
    const auto scale = LoadLittle<float>(sections->scales->item(*ordinal));
    if (!IsPlausibleScale(scale)) return Fail(NoVector(chunk));
    const int8_t* const values = ValuesOf(*sections->vectors, *ordinal);
    RECALL_TRY(VerifyVectors(*sections, {&*ordinal, 1}, {&values, 1}, {&scale, 1}));
    return View{scale, {values, columns_.space().padded_dim()}};
  }
  const ChunkVector* const vector = FindInDelta(chunk);
  if (vector == nullptr) return Fail(NoVector(chunk));
  return View{vector->vector.scale, vector->vector.values};
}

}  // namespace recall
