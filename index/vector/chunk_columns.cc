#include "index/vector/chunk_columns.h"

#include <algorithm>
#include <limits>
#include <string>

#include "index/vector/chunk_columns_internal.h"
#include "index/vector/tail_record.h"
#include "simd/kernels.h"
#include "storage/base/bytes.h"
#include "storage/base/checked_math.h"
#include "storage/tail_scan.h"

namespace recall {
namespace {

constexpr uint32_t kIdBytes = 4;
constexpr uint32_t kScaleBytes = 4;

Status Damaged(std::string message) {
  return Status::Corruption(std::move(message), "run `recall doctor --fix`");
}

}  // namespace

Result<const SectionView*> OpenSection(const SegmentReader& reader, SectionKind kind,
                                       uint32_t item_bytes, uint64_t items) {
  RECALL_ASSIGN(const SectionView* view, reader.Section(kind));
  if (view->item_bytes() != item_bytes || view->items() != items) {
    return Fail(Damaged("Segment " + std::to_string(reader.info().id) + " holds " +
                        std::to_string(view->items()) + " items of " +
                        std::to_string(view->item_bytes()) + " bytes in section " +
                        std::to_string(static_cast<int>(kind)) + ", not " + std::to_string(items) +
                        " of " + std::to_string(item_bytes) + "."));
  }
  return view;
}

Result<ChunkColumns::Segment> ChunkColumns::Segment::Open(const SegmentReader& reader) {
  const SegmentInfo& info = reader.info();
  Segment segment;
  segment.reader = &reader;
  segment.vectors = info.vectors;
  segment.min_chunk = info.min_chunk;
  segment.max_chunk = info.max_chunk;
  if (info.vectors == 0 || info.vectors > kMaxSegmentVectors || info.max_chunk < info.min_chunk ||
      info.max_chunk - info.min_chunk < info.vectors - 1) {
    return Fail(Damaged("Segment " + std::to_string(info.id) + " has an impossible chunk range."));
  }
  if (!segment.dense()) {
    RECALL_ASSIGN(segment.ids, OpenSection(reader, SectionKind::kChunkIds, kIdBytes, info.vectors));
  }
  RECALL_ASSIGN(segment.counts, OpenSection(reader, SectionKind::kTokenCounts,
                                            ChunkColumns::kCountBytes, info.vectors));
  return segment;
}

uint32_t ChunkColumns::Segment::LowerBound(uint32_t from, uint32_t chunk) const {
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

std::optional<uint32_t> ChunkColumns::Segment::Find(uint32_t chunk, uint32_t from) const {
  if (chunk < min_chunk || chunk > max_chunk) return std::nullopt;
  const uint32_t ordinal = LowerBound(from, chunk);
  if (ordinal >= vectors || ChunkAt(ordinal) != chunk) return std::nullopt;
  return ordinal;
}

uint32_t SignatureBlockBytes(const VectorSpace& space) {
  return static_cast<uint32_t>(kSignatureBlock) * space.padded_dim() / 8;
}

Result<VectorSections> OpenVectors(const ChunkColumns::Segment& segment, const VectorSpace& space,
                                   bool with_signatures) {
  const SegmentReader& reader = *segment.reader;
  const uint32_t n = segment.vectors;
  VectorSections sections;
  if (space.dim() == 0) return sections;
  RECALL_ASSIGN(sections.vectors,
                OpenSection(reader, SectionKind::kVectors, space.padded_dim(), n));
  RECALL_ASSIGN(sections.scales, OpenSection(reader, SectionKind::kScales, kScaleBytes, n));
  if (with_signatures) {
    RECALL_ASSIGN(sections.signatures,
                  OpenSection(reader, SectionKind::kSignatures, SignatureBlockBytes(space),
                              DivideRoundUp(n, kSignatureBlock)));
  }
  return sections;
}

Result<std::vector<ChunkVector>> ReadTail(const ReadTransaction& transaction,
                                          const VectorSpace& space) {
  std::vector<ChunkVector> tail;
  RECALL_TRY(ScanTail(transaction, [&](uint32_t chunk, ByteSpan record) -> Status {
    RECALL_ASSIGN(ChunkVector vector, DecodeTailRecord(chunk, record, space));
    tail.push_back(std::move(vector));
    return Status::Ok();
  }));
  return tail;
}

Result<std::unique_ptr<ChunkColumns>> ChunkColumns::Open(const ReadTransaction& transaction,
                                                         const VectorSpace& space) {
  std::unique_ptr<ChunkColumns> columns(new ChunkColumns());
  columns->space_ = &space;
  RECALL_ASSIGN(const auto readers, transaction.Segments());
  uint64_t positions = 0;
  uint64_t next_chunk = 0;  // every chunk below it is already in a segment
  for (const auto& reader : readers) {
    RECALL_ASSIGN(Segment segment, Segment::Open(*reader));
    if (segment.min_chunk < next_chunk) {
      return Fail(
          Damaged("Segment " + std::to_string(reader->info().id) + " overlaps the one before it."));
    }
    segment.first_position = static_cast<uint32_t>(positions);
    positions += segment.vectors;
    next_chunk = uint64_t{segment.max_chunk} + 1;
    columns->segments_.push_back(segment);
  }
  RECALL_ASSIGN(columns->tail_, ReadTail(transaction, space));
  for (const ChunkVector& vector : columns->tail_) {
    if (vector.chunk < next_chunk) return Fail(Damaged("The tail overlaps the segments."));
    next_chunk = uint64_t{vector.chunk} + 1;
  }
  return columns;
}

ChunkColumns::ChunkColumns() = default;
ChunkColumns::~ChunkColumns() = default;

uint32_t ChunkColumns::LengthCursor::Find(uint32_t chunk) {
  page_chunks_ = 0;
  const std::vector<Segment>& segments = columns_->segments_;
  if (segment_ >= segments.size() || chunk < segments[segment_].min_chunk ||
      chunk > segments[segment_].max_chunk) {
    const auto next = std::upper_bound(
        segments.begin(), segments.end(), chunk,
        [](uint32_t value, const Segment& segment) { return value < segment.min_chunk; });
    if (next == segments.begin()) return columns_->TailTokens(chunk);
    segment_ = static_cast<size_t>(next - segments.begin()) - 1;
    ordinal_ = 0;
  }
  const Segment& segment = segments[segment_];
  if (chunk > segment.max_chunk) return columns_->TailTokens(chunk);
  if (ordinal_ >= segment.vectors || segment.ChunkAt(ordinal_) > chunk) ordinal_ = 0;
  ordinal_ = segment.LowerBound(ordinal_, chunk);
  if (ordinal_ >= segment.vectors || segment.ChunkAt(ordinal_) != chunk) return 0;
  const SectionView& counts = *segment.counts;
  if (segment.dense()) {
    const uint32_t page = ordinal_ / counts.items_per_page();
    page_ = counts.page(page);
    page_chunk_ = segment.min_chunk + page * counts.items_per_page();
    page_chunks_ = counts.items_on_page(page);
  }
  return LoadLittle<uint16_t>(counts.item(ordinal_));
}

uint32_t ChunkColumns::TailTokens(uint32_t chunk) const {
  const auto found = std::lower_bound(
      tail_.begin(), tail_.end(), chunk,
      [](const ChunkVector& vector, uint32_t value) { return vector.chunk < value; });
  return found != tail_.end() && found->chunk == chunk ? found->lexical_tokens : 0;
}

}  // namespace recall
