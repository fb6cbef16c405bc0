#include "index/write/check/vector_check.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "index/embed/vector_space/delta_record.h"
#include "index/search/vector/vector_checksum.h"
#include "index/write/check/sign_code_slots.h"
#include "simd/kernels.h"
#include "storage/base/bytes.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/statement.h"

namespace recall {
namespace {

// Compares stored vectors with computed ones by a k-way merge in the order of chunk rowids.
//
//   segment 1 ---.
//   segment 2 ----> priority queue by rowid --> Expect(row): equal rows are compared
//   delta ------/                                 smaller rows: vectors without a chunk
//                                                 no such row: a vector is missing
//
// In a sound store the sources do not overlap, and the merge reads one after the other. In a
// damaged store they may overlap or contain a rowid twice; the merge reports this and does not rely
// on any order.
//
// Invariants: a source whose rowids do not ascend is reported and that rowid skipped, so the merge
// always makes progress. A segment is opened at its first row and closed after its last one.
//
// Cost: one pass over all vectors, O(log sources) for each; the pages of the open segments.

// One stored vector; null where it cannot be read.
struct StoredVector {
  const uint8_t* values = nullptr;  // padded_dim bytes
  const uint8_t* scale = nullptr;   // f32
  const uint8_t* counts = nullptr;  // u16 lexical tokens, u16 tokens
  uint16_t list = kNoList;
};

void Compare(CheckRun& run, const VectorSpace& space, const std::string& where,
             const StoredVector& stored, const ChunkFacts& facts) {
  const std::vector<int8_t>& values = facts.vector.values;
  if (stored.values != nullptr && stored.scale != nullptr && !values.empty()) {
    const bool same = std::memcmp(stored.values, values.data(), values.size()) == 0;
    const bool same_scale = LoadLittle<float>(stored.scale) == facts.vector.scale;
    if (!same || !same_scale) {
      run.findings().Add(FindingCode::kVectorDrift, where,
                         !same ? "its components differ" : "its scale differs");
    } else if (space.coarse_quantizer() != nullptr && stored.list != facts.vector.list) {
      run.findings().Add(FindingCode::kVectorDrift, where, "it is in another IVF list");
    }
  }
  if (stored.counts == nullptr) return;
  const auto lexical = LoadLittle<uint16_t>(stored.counts);
  const auto tokens = LoadLittle<uint16_t>(stored.counts + 2);
  if (lexical == SaturateTokens(facts.stems) && tokens == SaturateTokens(facts.tokens)) {
    return;
  }
  run.findings().Add(FindingCode::kVectorCounts, where,
                     "found " + std::to_string(lexical) + " stems and " + std::to_string(tokens) +
                         " tokens, expected " + std::to_string(facts.stems) + " and " +
                         std::to_string(facts.tokens));
}

}  // namespace

// A source of vectors by ascending chunk rowid.
class VectorCheck::Source {
 public:
  virtual ~Source() = default;
  // The chunk rowid of the current vector; nothing at the end.
  virtual std::optional<int64_t> Row() const = 0;
  virtual Status Advance() = 0;
  // Compares the current vector with `facts`, which may be null.
  virtual Status Check(const ChunkFacts* facts) = 0;
  virtual const std::string& name() const = 0;
};

class VectorCheck::SegmentSource final : public Source {
 public:
  SegmentSource(CheckRun* run, const VectorSpace* space, const SegmentHeader& header)
      : run_(run),
        space_(space),
        header_(header),
        name_("segment " + std::to_string(header.id)),
        row_(header.min_chunk) {
    CheckSpace();
  }

  std::optional<int64_t> Row() const override { return row_; }
  const std::string& name() const override { return name_; }

  // A page of rowids that cannot be read is skipped; it is a finding already.
  Status Advance() override {
    const std::optional<int64_t> before = row_;
    RECALL_TRY(OpenScan());
    row_.reset();
    while (!row_ && ++ordinal_ < header_.vectors) row_ = RowAt(ordinal_);
    if (!row_) {
      scan_.reset();  // its pages are no longer needed
      places_.reset();
      if (before && *before != header_.max_chunk && all_read_) {
        Report("its last chunk rowid is " + std::to_string(*before) + ", expected " +
               std::to_string(header_.max_chunk));
      }
      return Status::Ok();
    }
    if (before && *row_ <= *before) {
      Report("chunk rowid " + std::to_string(*row_) + " follows " + std::to_string(*before));
      row_.reset();
    }
    return Status::Ok();
  }

  Status Check(const ChunkFacts* facts) override {
    RECALL_TRY(OpenScan());
    if (ordinal_ == 0 && RowAt(0) && RowAt(0) != row_) {
      Report("its first chunk rowid is not " + std::to_string(header_.min_chunk));
    }
    if (!in_space_) return Status::Ok();
    const std::string where = name_ + ", " + ChunkRowName(*row_);
    const StoredVector stored{.values = scan_->Item(SectionKind::kVectors, ordinal_),
                              .scale = scan_->Item(SectionKind::kScales, ordinal_),
                              .counts = scan_->Item(SectionKind::kTokenCounts, ordinal_),
                              .list = places_->list(ordinal_)};
    if (facts != nullptr) Compare(*run_, *space_, where, stored, *facts);
    if (stored.values != nullptr) CheckSignCode(where, stored.values);
    if (stored.values != nullptr && stored.scale != nullptr) CheckChecksum(where, stored);
    return Status::Ok();
  }

 private:
  void Report(std::string what) {
    run_->findings().Add(FindingCode::kSegmentRows, name_, std::move(what));
  }

  void CheckSpace() {
    if (space_ == nullptr) return;
    const SegmentSection* values = header_.Find(SectionKind::kVectors);
    const SegmentSection* sign_codes = header_.Find(SectionKind::kSignatures);
    in_space_ = header_.dim == space_->dim() && header_.space_hash == space_->Fingerprint() &&
                header_.signature_seed == space_->seed() &&
                header_.signature_bits == space_->padded_dim() &&
                header_.Find(SectionKind::kChunkIds) != nullptr &&
                header_.Find(SectionKind::kTokenCounts) != nullptr &&
                (space_->dim() == 0 ||
                 (values != nullptr && values->item_bytes == space_->padded_dim() &&
                  sign_codes != nullptr && header_.Find(SectionKind::kScales) != nullptr));
    if (in_space_) return;
    run_->findings().Add(FindingCode::kSegmentSpace, name_,
                         "found " + std::to_string(header_.dim) + " dimensions and seed " +
                             std::to_string(header_.signature_seed) + ", expected " +
                             std::to_string(space_->dim()) + " and " +
                             std::to_string(space_->seed()));
  }

  // Opens the segment at its first row; Advance closes it after the last.
  Status OpenScan() {
    if (scan_) return Status::Ok();
    RECALL_ASSIGN(SegmentScan scan, SegmentScan::Open(run_->connection(), header_));
    scan_.emplace(std::move(scan));
    if (!in_space_) return Status::Ok();
    places_.emplace(header_, *scan_);
    if (!places_->fault().empty()) Report(places_->fault());
    return Status::Ok();
  }

  std::optional<int64_t> RowAt(uint32_t ordinal) {
    const uint8_t* id = scan_->Item(SectionKind::kChunkIds, ordinal);
    all_read_ = all_read_ && id != nullptr;
    if (id == nullptr) return std::nullopt;
    return int64_t{header_.min_chunk} + LoadLittle<uint32_t>(id);
  }

  void CheckSignCode(const std::string& where, const uint8_t* values) {
    for (size_t byte = 0; byte < space_->padded_dim() / 8; ++byte) {
      uint8_t bits = 0;
      for (size_t i = 0; i < 8; ++i) {
        const bool positive = static_cast<int8_t>(values[byte * 8 + i]) > 0;
        bits = static_cast<uint8_t>(bits | positive << i);
      }
      const std::optional<uint8_t> stored = places_->SignCodeByte(*scan_, ordinal_, byte);
      if (!stored) return;
      if (*stored == bits) continue;
      run_->findings().Add(FindingCode::kSignatureDrift, where,
                           "byte " + std::to_string(byte) + " differs");
      return;
    }
  }

  void CheckChecksum(const std::string& where, const StoredVector& stored) {
    const uint8_t* const checksum = scan_->Item(SectionKind::kVectorChecksums, ordinal_);
    if (checksum == nullptr) return;  // an old segment, or a finding already
    const uint32_t computed =
        VectorChecksum(static_cast<uint32_t>(*row_), LoadLittle<float>(stored.scale),
                       reinterpret_cast<const int8_t*>(stored.values), space_->padded_dim());
    if (LoadLittle<uint32_t>(checksum) == computed) return;
    run_->findings().Add(FindingCode::kVectorDrift, where, "its checksum differs");
  }

  CheckRun* run_;
  const VectorSpace* space_;
  const SegmentHeader& header_;
  std::string name_;
  std::optional<int64_t> row_;
  uint32_t ordinal_ = 0;
  bool in_space_ = false;
  bool all_read_ = true;
  std::optional<SegmentScan> scan_;
  std::optional<SignCodePlaces> places_;
};

class VectorCheck::DeltaSource final : public Source {
 public:
  DeltaSource(CheckRun* run, const VectorSpace* space, Statement select)
      : run_(run), space_(space), select_(std::move(select)) {}

  std::optional<int64_t> Row() const override { return row_; }
  const std::string& name() const override { return name_; }

  Status Advance() override {
    RECALL_ASSIGN(const bool row, select_.Step());
    row_ = row ? std::optional(select_.ColumnInt(0)) : std::nullopt;
    return Status::Ok();
  }

  Status Check(const ChunkFacts* facts) override {
    if (space_ == nullptr) return Status::Ok();
    const ByteSpan record = select_.ColumnBlob(1);
    const std::string where = "delta, " + ChunkRowName(*row_);
    const auto decoded = DecodeDeltaRecord(0, record, *space_);
    if (!decoded) {
      run_->findings().Add(
          FindingCode::kTailRecord, where,
          "a record of " + std::to_string(record.size()) + " bytes cannot be decoded");
      return Status::Ok();
    }
    if (facts == nullptr) return Status::Ok();
    Compare(*run_, *space_, where,
            {.values = record.data() + 8,
             .scale = record.data(),
             .counts = record.data() + 4,
             .list = decoded->vector.list},
            *facts);
    return Status::Ok();
  }

 private:
  CheckRun* run_;
  const VectorSpace* space_;
  Statement select_;
  std::string name_ = "delta";
  std::optional<int64_t> row_;
};

VectorCheck::VectorCheck(CheckRun* run, const VectorSpace* space, int64_t space_id,
                         const std::vector<CheckedSegment>& segments)
    : run_(run), space_(space), space_id_(space_id), segments_(segments) {}

VectorCheck::~VectorCheck() = default;

void VectorCheck::Add(std::unique_ptr<Source> source) {
  if (const auto row = source->Row()) next_.push({*row, sources_.size()});
  sources_.push_back(std::move(source));
}

Status VectorCheck::Open() {
  int64_t last = -1;
  for (const CheckedSegment& segment : segments_) {
    const SegmentHeader& header = segment.header;
    if (header.min_chunk <= last) {
      run_->findings().Add(FindingCode::kSegmentRows, "segment " + std::to_string(header.id),
                           "it overlaps the previous segment");
    }
    last = std::max<int64_t>(last, header.max_chunk);
    Add(std::make_unique<SegmentSource>(run_, space_, header));
  }
  if (!run_->HasTable("vec_tail")) return Status::Ok();
  RECALL_ASSIGN(
      Statement select,
      run_->connection().Prepare(
          space_id_ == 0 ? "SELECT chunk, data FROM vec_tail ORDER BY chunk"
                         : "SELECT chunk, data FROM vec_tail WHERE space = ?1 ORDER BY chunk"));
  if (space_id_ != 0) select.BindInt(1, space_id_);
  auto delta = std::make_unique<DeltaSource>(run_, space_, std::move(select));
  RECALL_TRY(delta->Advance());
  if (delta->Row() && *delta->Row() <= last) {
    run_->findings().Add(FindingCode::kSegmentRows, "delta", "it overlaps the segments");
  }
  Add(std::move(delta));
  return Status::Ok();
}

Status VectorCheck::Pass() {
  const Next passed = next_.top();
  next_.pop();
  RECALL_TRY(sources_[passed.source]->Advance());
  if (const auto row = sources_[passed.source]->Row()) next_.push({*row, passed.source});
  return Status::Ok();
}

Status VectorCheck::Expect(uint32_t row, bool needed, const ChunkFacts* facts) {
  int vectors = 0;
  while (!next_.empty() && next_.top().row <= row) {
    const Next found = next_.top();
    if (found.row < row) {
      ++stray_count_;
      if (strays_.size() < Findings::kMaxExamples) strays_.push_back(found);
    } else {
      RECALL_TRY(sources_[found.source]->Check(facts));
      if (++vectors > 1) {
        run_->findings().Add(FindingCode::kVectorExtra, ChunkRowName(row),
                             "it has a second vector: " + sources_[found.source]->name());
      }
    }
    RECALL_TRY(Pass());
  }
  if (vectors == 0 && needed) {
    run_->findings().Add(FindingCode::kVectorMissing, ChunkRowName(row),
                         "neither segments nor delta contain its vector");
  }
  return Status::Ok();
}

Status VectorCheck::Finish(bool report_extra) {
  while (!next_.empty()) {
    ++stray_count_;
    if (strays_.size() < Findings::kMaxExamples) strays_.push_back(next_.top());
    RECALL_TRY(Pass());
  }
  if (!report_extra) return Status::Ok();
  const auto listed = static_cast<int64_t>(strays_.size());
  for (const Next& stray : strays_) {
    run_->findings().Add(
        FindingCode::kVectorExtra, ChunkRowName(stray.row),
        sources_[stray.source]->name() + " has a vector of it, but the chunk does not exist");
  }
  run_->findings().AddMore(FindingCode::kVectorExtra, stray_count_ - listed);
  return Status::Ok();
}

}  // namespace recall
