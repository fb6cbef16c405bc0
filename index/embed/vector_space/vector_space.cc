#include "index/embed/vector_space/vector_space.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <utility>

#include "simd/kernels.h"
#include "storage/base/check.h"
#include "storage/base/checked_math.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

// The vector space: rotation, quantisation, and the prepared query.
//
//   float x dim --pad--> x 64 n --3 rounds of flips + Hadamard--> rotated
//      rotated --largest component = 127--> int8 + scale               stored vector
//      rotated --as many bits as fit----> int16 + scale + look-up      query
//
// Problem: components of embeddings differ in variance, and sparse vectors have few non-zero ones,
// so one step size for all components (int8) or one bit for each (sign codes) would lose much.
//
// Idea: a random rotation makes every component of every vector nearly Gaussian with the same
// variance. H D with a Hadamard matrix H and random signs D costs O(dim log dim) and needs only dim
// random bits. If padded_dim is not a power of two, each round transforms the first and then the
// last power of two, which overlap.
//
// Look-up tables: for each 4 dimensions, the 16 possible sums of +-query, shifted to begin at 0 and
// scaled by one common factor to at most 31, so that sums of bytes stay exact in the kernels.
//
// Invariants: the rotation is orthogonal, so cosines are unchanged. Flips come from the store's
// seed by SplitMix64. Additions, products and square roots are done in a fixed order, so all CPUs
// give the same bytes; from the int16 query on all arithmetic is with integers. Fingerprint()
// changes with any of this.
//
// The length of a vector must not matter, but products and sums of very large or small components
// leave the range of a float. Such a vector is first multiplied by a power of two, which is exact
// and therefore changes no result of other vectors.
//
// Cost: O(dim log dim) for each vector. Sources: FALCONN (Andoni et al., 2015), RaBitQ (Gao and
// Long, 2024).

// After one round, sparse vectors have only a few distinct components, and after two they rarely
// do. The third round is a margin.
constexpr int kRotationRounds = 3;
constexpr int kDimsPerTable = 4;
constexpr int kTableEntries = 16;
constexpr int64_t kLargestEntry = 31;  // see ScoreSignCodeBlocks

// Steele, Lea and Flood 2014.
uint64_t SplitMix64(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

// The largest magnitude, or 0 if a component is not finite.
float FiniteMaximum(std::span<const float> values) {
  float largest = 0;
  for (const float value : values) {
    if (!std::isfinite(value)) return 0;
    largest = std::max(largest, std::fabs(value));
  }
  return largest;
}

// If the largest component is near the ends of the range of a float, moves all of them by a power
// of two, so that it becomes at least 1 and less than 2. Vectors with a component that is not
// finite stay as they are.
void MoveIntoRange(std::span<float> values) {
  constexpr int kSafeExponent = 64;  // far above the sums of one rotation, and their products
  const float largest = FiniteMaximum(values);
  if (largest == 0) return;
  const int exponent = std::ilogb(largest);
  if (std::abs(exponent) <= kSafeExponent) return;
  for (float& value : values) value = std::ldexp(value, -exponent);
}

// Returns 1 / length, 0 if all are zero.
template <typename Int>
float InverseLength(std::span<const Int> values) {
  int64_t squares = 0;
  for (const Int value : values) squares += int64_t{value} * value;
  return squares == 0 ? 0 : 1.0f / std::sqrt(static_cast<float>(squares));
}

// Scales so that the largest component becomes +-limit and rounds half away from zero, by an
// addition and a truncation rather than by the rounding mode of the process. Returns 1 / length of
// `out`, 0 if all are zero.
template <typename Int>
float RoundToIntegers(std::span<const float> values, float limit, std::vector<Int>* out) {
  out->assign(values.size(), 0);
  const float largest = FiniteMaximum(values);
  const float factor = limit / largest;
  if (largest == 0 || !std::isfinite(factor)) return 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const float scaled = std::clamp(values[i] * factor, -limit, limit);
    (*out)[i] = static_cast<Int>(scaled + (scaled < 0 ? -0.5f : 0.5f));
  }
  return InverseLength<Int>(*out);
}

// For each 4 dimensions, the sum of +-query for every pattern of their sign bits, shifted to begin
// at 0 and scaled by one factor for all tables to at most 31 (integers only).
void MakeLookup(VectorQuery* prepared) {
  const std::span<const int16_t> query = prepared->values;
  const size_t tables = query.size() / kDimsPerTable;
  std::vector<int64_t> sums(tables * kTableEntries);
  int64_t largest = 1;
  for (size_t table = 0; table < tables; ++table) {
    for (int pattern = 0; pattern < kTableEntries; ++pattern) {
      int64_t sum = 0;
      for (int bit = 0; bit < kDimsPerTable; ++bit) {
        const int64_t value = query[table * kDimsPerTable + static_cast<size_t>(bit)];
        sum += (pattern >> bit & 1 ? value : -value) + std::abs(value);
      }
      sums[table * kTableEntries + static_cast<size_t>(pattern)] = sum;
      largest = std::max(largest, sum);
    }
  }
  prepared->lookup.resize(sums.size());
  for (size_t i = 0; i < sums.size(); ++i) {
    prepared->lookup[i] =
        static_cast<uint8_t>((2 * sums[i] * kLargestEntry + largest) / (2 * largest));
  }
  int64_t magnitudes = 0;
  for (const int16_t value : query) magnitudes += std::abs(int64_t{value});
  const double unit = static_cast<double>(kLargestEntry) / static_cast<double>(largest);
  const double dim = static_cast<double>(query.size());
  prepared->sign_code_at_zero = static_cast<float>(unit * static_cast<double>(magnitudes));
  // The expected sum of the magnitudes of the components of a random unit vector.
  const double mean_magnitudes = std::sqrt(2 * dim / std::numbers::pi);
  prepared->sign_code_per_cosine = static_cast<float>(unit * mean_magnitudes / prepared->scale);
}

}  // namespace

float UnitScale(std::span<const int8_t> values) { return InverseLength(values); }

VectorGeometry::VectorGeometry(uint32_t dim, uint64_t seed)
    : dim_(dim),
      padded_dim_(static_cast<uint32_t>(RoundUp(dim, 64))),
      seed_(seed),
      block_(std::bit_floor(padded_dim_)) {
  RECALL_CHECK(Supports(dim) || dim == 0);
  if (dim == 0) return;
  uint64_t state = seed;
  const auto add_pass = [&](uint32_t offset) {
    Pass& pass = passes_.emplace_back(Pass{offset, std::vector<uint64_t>(padded_dim_ / 64)});
    for (uint64_t& word : pass.flips) word = SplitMix64(&state);
  };
  for (int round = 0; round < kRotationRounds; ++round) {
    add_pass(0);
    if (block_ != padded_dim_) add_pass(padded_dim_ - block_);
  }
}

uint64_t VectorGeometry::Fingerprint() const {
  const std::string text = "recall vector space 1: hadamard, int8, dim " + std::to_string(dim_) +
                           ", seed " + std::to_string(seed_);
  return LoadLittle<uint64_t>(Sha256(text).data());
}

std::vector<float> VectorGeometry::Rotate(std::span<const float> vector) const {
  RECALL_CHECK(vector.size() == dim_);
  std::vector<float> values(vector.begin(), vector.end());
  MoveIntoRange(values);
  values.resize(padded_dim_, 0.0f);
  const float norm = 1.0f / std::sqrt(static_cast<float>(block_));
  for (const Pass& pass : passes_) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (pass.flips[i / 64] >> (i % 64) & 1) values[i] = -values[i];
    }
    const std::span<float> block = std::span(values).subspan(pass.offset, block_);
    HadamardTransform(block.data(), block.size());
    for (float& value : block) value *= norm;
  }
  return values;
}

VectorSpace::VectorSpace(VectorGeometry geometry, std::shared_ptr<const CoarseQuantizer> lists)
    : VectorGeometry(std::move(geometry)), coarse_quantizer_(std::move(lists)) {
  RECALL_CHECK(!coarse_quantizer_ || coarse_quantizer_->dim() == padded_dim());
}

QuantizedVector VectorSpace::Quantize(std::span<const float> vector) const {
  QuantizedVector result;
  if (dim() == 0) return result;
  result.scale = RoundToIntegers<int8_t>(Rotate(vector), 127, &result.values);
  return AssignList(std::move(result));
}

QuantizedVector VectorSpace::AssignList(QuantizedVector vector) const {
  vector.list = coarse_quantizer_ ? coarse_quantizer_->ListOf(vector.values) : kNoList;
  return vector;
}

VectorQuery VectorSpace::PrepareQuery(std::span<const float> vector) const {
  if (dim() == 0) return {};
  // A sum of padded_dim products with int8 values must fit into an int32.
  const uint32_t limit = std::min<uint32_t>(
      std::numeric_limits<int16_t>::max(),
      static_cast<uint32_t>(std::numeric_limits<int32_t>::max()) / (127 * padded_dim()));
  VectorQuery query;
  query.scale = RoundToIntegers<int16_t>(Rotate(vector), static_cast<float>(limit), &query.values);
  query.zero = query.scale == 0;
  if (query.zero) return query;
  MakeLookup(&query);
  if (coarse_quantizer_) {
    CoarseQuantizer::Ranking ranking = coarse_quantizer_->Rank(query.values, query.scale);
    query.lists = std::move(ranking.lists);
    query.list_reaches = std::move(ranking.reaches);
    query.coarse_quantizer = coarse_quantizer_;
  }
  return query;
}

}  // namespace recall
