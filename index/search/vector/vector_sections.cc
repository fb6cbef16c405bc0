#include "index/search/vector/vector_sections.h"

#include "simd/kernels.h"
#include "storage/base/checked_math.h"

namespace recall {
namespace {

constexpr uint32_t kScaleBytes = 4;
constexpr uint32_t kChecksumBytes = 4;

}  // namespace

uint32_t SignCodeBlockBytes(const VectorGeometry& space) {
  return static_cast<uint32_t>(kSignCodeBlock) * space.padded_dim() / 8;
}

Result<VectorSections> OpenVectors(const ColumnSegment& segment, const VectorGeometry& space,
                                   bool with_sign_codes) {
  const SegmentReader& reader = *segment.reader;
  const uint32_t n = segment.vectors;
  VectorSections sections;
  sections.segment = &segment;
  if (space.dim() == 0) return sections;
  RECALL_ASSIGN(sections.vectors,
                OpenSection(reader, SectionKind::kVectors, space.padded_dim(), n));
  RECALL_ASSIGN(sections.scales, OpenSection(reader, SectionKind::kScales, kScaleBytes, n));
  if (reader.info().verifies_vectors) {
    RECALL_ASSIGN(sections.checksums,
                  OpenSection(reader, SectionKind::kVectorChecksums, kChecksumBytes, n));
  }
  if (with_sign_codes) {
    RECALL_ASSIGN(sections.sign_codes,
                  OpenSection(reader, SectionKind::kSignatures, SignCodeBlockBytes(space),
                              DivideRoundUp(n, kSignCodeBlock)));
  }
  return sections;
}

}  // namespace recall
