#include "index/search/columns/chunk_columns.h"

#include <algorithm>
#include <limits>
#include <string>

#include "index/embed/vector_space/delta_record.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/store/delta_scan.h"

namespace recall {
namespace {

Status DamagedColumns(std::string message) {
  return Status::Corruption(std::move(message), "run `recall doctor --fix`");
}

}  // namespace

Result<std::vector<ChunkVector>> ReadDelta(const ReadTransaction& transaction,
                                           const VectorGeometry& space) {
  std::vector<ChunkVector> delta;
  RECALL_TRY(ScanDelta(transaction, [&](uint32_t chunk, ByteSpan record) -> Status {
    RECALL_ASSIGN(ChunkVector vector, DecodeDeltaRecord(chunk, record, space));
    delta.push_back(std::move(vector));
    return Status::Ok();
  }));
  return delta;
}

Result<std::unique_ptr<ChunkColumns>> ChunkColumns::Open(const ReadTransaction& transaction,
                                                         const VectorGeometry& space) {
  std::unique_ptr<ChunkColumns> columns(new ChunkColumns());
  columns->space_ = &space;
  RECALL_ASSIGN(const auto readers, transaction.Segments());
  uint64_t positions = 0;
  uint64_t next_chunk = 0;  // the next segment or delta record must not begin before this chunk
  for (const auto& reader : readers) {
    RECALL_ASSIGN(ColumnSegment segment, ColumnSegment::Open(*reader));
    if (segment.min_chunk < next_chunk) {
      return Fail(DamagedColumns("segment " + std::to_string(reader->info().id) +
                                 " overlaps the previous one"));
    }
    segment.first_position = static_cast<uint32_t>(positions);
    positions += segment.vectors;
    next_chunk = uint64_t{segment.max_chunk} + 1;
    columns->segments_.push_back(segment);
  }
  RECALL_ASSIGN(columns->delta_, ReadDelta(transaction, space));
  for (const ChunkVector& vector : columns->delta_) {
    if (vector.chunk < next_chunk) return Fail(DamagedColumns("the delta overlaps the segments"));
    next_chunk = uint64_t{vector.chunk} + 1;
  }
  return columns;
}

ChunkColumns::ChunkColumns() = default;
ChunkColumns::~ChunkColumns() = default;

Status ChunkColumns::OpenLengths() const {
  if (token_counts_.size() == segments_.size()) return Status::Ok();
  std::vector<const SectionView*> opened;
  for (const ColumnSegment& segment : segments_) {
    RECALL_ASSIGN(opened.emplace_back(), OpenTokenCounts(segment));
  }
  token_counts_ = std::move(opened);
  return Status::Ok();
}

ChunkColumns::LengthCursor::LengthCursor(const ChunkColumns& columns) : columns_(&columns) {
  RECALL_CHECK(columns.token_counts_.size() == columns.segments_.size());
}

uint32_t ChunkColumns::LengthCursor::Find(uint32_t chunk) {
  page_chunks_ = 0;
  const std::vector<ColumnSegment>& segments = columns_->segments_;
  if (segment_ >= segments.size() || chunk < segments[segment_].min_chunk ||
      chunk > segments[segment_].max_chunk) {
    const auto next = std::upper_bound(
        segments.begin(), segments.end(), chunk,
        [](uint32_t value, const ColumnSegment& segment) { return value < segment.min_chunk; });
    if (next == segments.begin()) return columns_->DeltaTokens(chunk);
    segment_ = static_cast<size_t>(next - segments.begin()) - 1;
    ordinal_ = 0;
  }
  const ColumnSegment& segment = segments[segment_];
  if (chunk > segment.max_chunk) return columns_->DeltaTokens(chunk);
  if (ordinal_ >= segment.vectors || segment.ChunkAt(ordinal_) > chunk) ordinal_ = 0;
  ordinal_ = segment.LowerBound(ordinal_, chunk);
  if (ordinal_ >= segment.vectors || segment.ChunkAt(ordinal_) != chunk) return 0;
  const SectionView& counts = *columns_->token_counts_[segment_];
  if (segment.dense()) {
    const uint32_t page = ordinal_ / counts.items_per_page();
    page_ = counts.page(page);
    page_chunk_ = segment.min_chunk + page * counts.items_per_page();
    page_chunks_ = counts.items_on_page(page);
  }
  return LoadLittle<uint16_t>(counts.item(ordinal_));
}

uint32_t ChunkColumns::DeltaTokens(uint32_t chunk) const {
  const auto found = std::lower_bound(
      delta_.begin(), delta_.end(), chunk,
      [](const ChunkVector& vector, uint32_t value) { return vector.chunk < value; });
  return found != delta_.end() && found->chunk == chunk ? found->lexical_tokens : 0;
}

}  // namespace recall
