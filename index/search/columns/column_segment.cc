#include "index/search/columns/column_segment.h"

#include <algorithm>
#include <string>
#include <utility>

#include "storage/segment/segment_content.h"

namespace recall {
namespace {

constexpr uint32_t kIdBytes = 4;

Status DamagedSegment(std::string message) {
  return Status::Corruption(std::move(message), "run `recall doctor --fix`");
}

}  // namespace

Result<const SectionView*> OpenSection(const SegmentReader& reader, SectionKind kind,
                                       uint32_t item_bytes, uint64_t items) {
  RECALL_ASSIGN(const SectionView* view, reader.Section(kind));
  if (view->item_bytes() != item_bytes || view->items() != items) {
    return Fail(DamagedSegment("segment " + std::to_string(reader.info().id) + " has " +
                               std::to_string(view->items()) + " items of " +
                               std::to_string(view->item_bytes()) + " bytes in section " +
                               std::to_string(static_cast<int>(kind)) + ", expected " +
                               std::to_string(items) + " of " + std::to_string(item_bytes)));
  }
  return view;
}

Result<ColumnSegment> ColumnSegment::Open(const SegmentReader& reader) {
  const SegmentInfo& info = reader.info();
  ColumnSegment segment;
  segment.reader = &reader;
  segment.vectors = info.vectors;
  segment.min_chunk = info.min_chunk;
  segment.max_chunk = info.max_chunk;
  if (info.vectors == 0 || info.vectors > kMaxSegmentVectors || info.max_chunk < info.min_chunk ||
      info.max_chunk - info.min_chunk < info.vectors - 1) {
    return Fail(DamagedSegment("segment " + std::to_string(info.id) +
                               " has an invalid range of chunk rowids"));
  }
  if (!segment.dense()) {
    RECALL_ASSIGN(segment.ids, OpenSection(reader, SectionKind::kChunkIds, kIdBytes, info.vectors));
  }
  return segment;
}

Result<const SectionView*> OpenTokenCounts(const ColumnSegment& segment) {
  return OpenSection(*segment.reader, SectionKind::kTokenCounts, kTokenCountBytes, segment.vectors);
}

uint32_t ColumnSegment::LowerBound(uint32_t from, uint32_t chunk) const {
  if (chunk <= min_chunk || from >= vectors) return from;
  if (dense()) return std::clamp(chunk - min_chunk, from, vectors);
  const uint32_t target = chunk - min_chunk;
  const auto below = [&](uint32_t ordinal) {
    return LoadLittle<uint32_t>(ids->item(ordinal)) < target;
  };
  if (!below(from)) return from;
  uint32_t low = from;  // below(low) holds
  uint32_t step = 1;
  while (step < vectors - low && below(low + step)) {
    low += step;
    step *= 2;
  }
  uint32_t high = std::min(vectors, low + step);  // not below, or the end
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    (below(middle) ? low : high) = middle;
  }
  return high;
}

std::optional<uint32_t> ColumnSegment::Find(uint32_t chunk, uint32_t from) const {
  if (chunk < min_chunk || chunk > max_chunk) return std::nullopt;
  const uint32_t ordinal = LowerBound(from, chunk);
  if (ordinal >= vectors || ChunkAt(ordinal) != chunk) return std::nullopt;
  return ordinal;
}

}  // namespace recall
