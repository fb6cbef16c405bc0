#include "index/embed/vector_space/vector_space.h"

#include <cmath>
#include <limits>
#include <random>

#include "index/embed/vector_space/delta_record.h"
#include "index/search/vector/vector_scan.h"
#include "simd/kernels.h"
#include "storage/base/bytes.h"
#include "storage/base/checksum.h"
#include "tests/index/search/vector/vector_test_util.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr uint32_t kDims[] = {8, 63, 64, 100, 256, 384, 768, 1000, 1024, 4096};

std::vector<float> RandomUnit(std::mt19937_64& random, uint32_t dim) {
  std::normal_distribution<float> normal;
  std::vector<float> vector(dim);
  float sum = 0;
  for (float& x : vector) {
    x = normal(random);
    sum += x * x;
  }
  for (float& x : vector) x /= std::sqrt(sum);
  return vector;
}

double Dot(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

TEST(VectorSpaceTest, QuantisedCosinesAreCloseToTrueOnes) {
  std::mt19937_64 random(TestSeed(1));
  for (const uint32_t dim : kDims) {
    const VectorSpace space(dim, 42);
    EXPECT_EQ(space.padded_dim() % 64, 0u);
    for (int round = 0; round < 20; ++round) {
      const std::vector<float> a = RandomUnit(random, dim);
      std::vector<float> b = RandomUnit(random, dim);
      for (uint32_t i = 0; i < dim; ++i) b[i] = b[i] + static_cast<float>(round) * 0.1f * a[i];
      const double truth = Dot(a, b) / std::sqrt(Dot(b, b));
      const float score = ScoreVector(space.PrepareQuery(a), space.Quantize(b));
      EXPECT_NEAR(score, truth, 0.012) << "dim " << dim;
    }
  }
}

TEST(VectorSpaceTest, AVectorIsMostLikeItself) {
  std::mt19937_64 random(TestSeed(2));
  for (const uint32_t dim : kDims) {
    const VectorSpace space(dim, 7);
    const std::vector<float> vector = RandomUnit(random, dim);
    const float score = ScoreVector(space.PrepareQuery(vector), space.Quantize(vector));
    EXPECT_GT(score, 0.9995f) << "dim " << dim;
    EXPECT_LE(score, 1.0f);
  }
}

TEST(VectorSpaceTest, ScoresStayWithinOne) {
  for (size_t ones = 1; ones <= 64; ++ones) {
    const float scale = 1.0f / std::sqrt(static_cast<float>(ones));
    VectorQuery query{scale, std::vector<int16_t>(64), {}, false};
    QuantizedVector same{scale, std::vector<int8_t>(64)};
    QuantizedVector opposite = same;
    for (size_t i = 0; i < ones; ++i) {
      query.values[i] = 1;
      same.values[i] = 1;
      opposite.values[i] = -1;
    }
    EXPECT_LE(ScoreVector(query, same), 1.0f);
    EXPECT_GE(ScoreVector(query, opposite), -1.0f);
  }
}

TEST(VectorSpaceTest, LengthDoesNotMatter) {
  std::mt19937_64 random(TestSeed(3));
  const VectorSpace space(256, 42);
  std::vector<float> vector = RandomUnit(random, 256);
  const QuantizedVector one = space.Quantize(vector);
  for (float& x : vector) x *= 1024;
  const QuantizedVector long_one = space.Quantize(vector);
  EXPECT_EQ(one.values, long_one.values);
  EXPECT_EQ(one.scale, long_one.scale);
}

TEST(VectorSpaceTest, SaysNothingWithoutFiniteComponents) {
  const VectorSpace space(100, 42);
  const float infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {0.0f, infinity, -infinity, std::nanf("")}) {
    std::vector<float> vector(100, 0.0f);
    vector[5] = bad;
    EXPECT_EQ(space.Quantize(vector).scale, 0) << bad;
    EXPECT_EQ(space.Quantize(vector).values, std::vector<int8_t>(space.padded_dim())) << bad;
    EXPECT_TRUE(space.PrepareQuery(vector).zero) << bad;
  }
}

// From the smallest to the largest number, all components equal or not.
TEST(VectorSpaceTest, NoLengthIsTooSmallOrTooLarge) {
  std::mt19937_64 random(TestSeed(31));
  for (const uint32_t dim : {8u, 100u, 384u}) {
    const VectorSpace space(dim, 42);
    const QuantizedVector ones = space.Quantize(std::vector<float>(dim, 1.0f));
    for (const float length :
         {std::numeric_limits<float>::denorm_min(), 1e-45f, 1e-40f, 1e-38f, 1e-20f, 1e-10f, 1e10f,
          1e20f, 1e36f, 3e38f, std::numeric_limits<float>::max()}) {
      const std::vector<float> same(dim, length);
      const VectorQuery query = space.PrepareQuery(same);
      EXPECT_FALSE(query.zero);
      EXPECT_NEAR(ScoreVector(query, ones), 1, 1e-3) << dim << " " << length;
      EXPECT_NEAR(ScoreVector(query, space.Quantize(same)), 1, 1e-3) << dim << " " << length;
    }
    const std::vector<float> unit = RandomUnit(random, dim);
    const QuantizedVector expected = space.Quantize(unit);
    for (const int exponent : {-110, -70, -63, 63, 65, 100, 127}) {
      std::vector<float> moved = unit;
      for (float& value : moved) value = std::ldexp(value, exponent);
      EXPECT_EQ(space.Quantize(moved).values, expected.values) << dim << " 2^" << exponent;
      EXPECT_EQ(space.PrepareQuery(moved).values, space.PrepareQuery(unit).values);
    }
  }
}

// Without the rotation, most sign-code bits of a vector with one non-zero component would be
// meaningless.
TEST(VectorSpaceTest, RotationSpreadsSparseVectors) {
  for (const uint32_t dim : kDims) {
    if (dim < 63) continue;
    const VectorSpace space(dim, 42);
    std::vector<float> vector(dim, 0.0f);
    vector[3] = 1;
    const QuantizedVector quantized = space.Quantize(vector);
    size_t positive = 0;
    size_t weak = 0;
    for (const int8_t value : quantized.values) {
      positive += value > 0;
      weak += std::abs(value) < 3;
    }
    EXPECT_GT(positive * 4, space.padded_dim()) << dim;
    EXPECT_LT(positive * 4, 3 * space.padded_dim()) << dim;
    EXPECT_LT(weak * 4, space.padded_dim()) << dim;
  }
}

TEST(VectorSpaceTest, QueriesNeverOverflowAnInt32Sum) {
  std::mt19937_64 random(TestSeed(4));
  for (const uint32_t dim : kDims) {
    const VectorSpace space(dim, 42);
    // Components of equal magnitude have the largest possible sum of magnitudes.
    const VectorQuery query = space.PrepareQuery(RandomUnit(random, dim));
    int64_t largest = 0;
    for (const int16_t value : query.values) largest = std::max<int64_t>(largest, std::abs(value));
    EXPECT_LT(largest * 127 * space.padded_dim(), int64_t{1} << 31) << dim;
    EXPECT_GT(largest, 4000) << dim;
  }
}

TEST(VectorSpaceTest, LookupEntriesAreScaledSumsOfSignedComponents) {
  std::mt19937_64 random(TestSeed(5));
  const VectorSpace space(384, 9);
  const VectorQuery query = space.PrepareQuery(RandomUnit(random, 384));
  ASSERT_EQ(query.lookup.size(), space.padded_dim() / 4 * 16);
  double largest = 0;
  const auto sum = [&](size_t table, size_t pattern) {
    double total = 0;
    for (size_t bit = 0; bit < 4; ++bit) {
      const double value = query.values[table * 4 + bit];
      total += std::abs(value) + (pattern >> bit & 1 ? value : -value);
    }
    return total;
  };
  for (size_t i = 0; i < query.lookup.size(); ++i) largest = std::max(largest, sum(i / 16, i % 16));
  for (size_t i = 0; i < query.lookup.size(); ++i) {
    EXPECT_NEAR(query.lookup[i], sum(i / 16, i % 16) * 31 / largest, 0.5 + 1e-9);
  }
}

// Pairs of a given cosine in random directions.
TEST(VectorSpaceTest, SignCodesOfVectorsOfACosineReachTheLeastScoreAllButOneIn160) {
  constexpr size_t kPairs = 2000;
  std::mt19937_64 random(TestSeed(7));
  for (const uint32_t dim : {64u, 256u, 384u, 1000u}) {
    const VectorSpace space(dim, 42);
    for (const float cosine : {-0.3f, 0.0f, 0.4f, 0.8f, 0.95f}) {
      size_t below = 0;
      for (size_t i = 0; i < kPairs; ++i) {
        const std::vector<float> along = RandomUnit(random, dim);
        std::vector<float> across = RandomUnit(random, dim);
        const auto shared = static_cast<float>(Dot(along, across));
        for (uint32_t j = 0; j < dim; ++j) across[j] -= shared * along[j];
        const auto length = static_cast<float>(std::sqrt(Dot(across, across)));
        std::vector<float> vector(dim);
        for (uint32_t j = 0; j < dim; ++j) {
          vector[j] = cosine * along[j] + std::sqrt(1 - cosine * cosine) / length * across[j];
        }
        const VectorQuery query = space.PrepareQuery(along);
        below += SignCodeScore(query, space.Quantize(vector)) < LeastSignCodeScore(query, cosine);
      }
      // 0.62 % are expected; the limits allow for random variation.
      EXPECT_LE(below, kPairs * 13 / 1000) << dim << " " << cosine;
      EXPECT_GE(below, kPairs * 2 / 1000) << dim << " " << cosine;
    }
  }
}

TEST(VectorSpaceTest, SeedAndDimensionTellSpacesApart) {
  EXPECT_EQ(VectorSpace(256, 1).Fingerprint(), VectorSpace(256, 1).Fingerprint());
  EXPECT_NE(VectorSpace(256, 1).Fingerprint(), VectorSpace(256, 2).Fingerprint());
  EXPECT_NE(VectorSpace(256, 1).Fingerprint(), VectorSpace(255, 1).Fingerprint());
}

// The bytes of a store must not depend on the CPU. The checksum is a recorded one.
TEST(VectorSpaceTest, GivesTheSameBytesOnEverySimdTarget) {
  for (const std::string& target : SupportedSimdTargets()) {
    ASSERT_TRUE(ForceSimdTarget(target));
    uint32_t crc = 0;
    for (const uint32_t dim : kDims) {
      const VectorSpace space(dim, 42);
      std::vector<float> vector(dim);
      for (uint32_t i = 0; i < dim; ++i) vector[i] = static_cast<float>(i * 37 % 101) - 50.0f;
      const QuantizedVector quantized = space.Quantize(vector);
      const VectorQuery query = space.PrepareQuery(vector);
      uint8_t scale[8];
      StoreLittle(scale, quantized.scale);
      StoreLittle(scale + 4, query.scale);
      crc = Crc32c(scale, crc);
      crc = Crc32c({reinterpret_cast<const uint8_t*>(quantized.values.data()), space.padded_dim()},
                   crc);
      crc = Crc32c({reinterpret_cast<const uint8_t*>(query.values.data()), space.padded_dim() * 2},
                   crc);
      crc = Crc32c(query.lookup, crc);
    }
    EXPECT_EQ(crc, 0x97d90342u) << target;
  }
  ForceSimdTarget("");
}

TEST(DeltaRecordTest, KeepsAVectorAndItsCounts) {
  const VectorSpace space(100, 42);
  std::mt19937_64 random(TestSeed(6));
  const ChunkVector vector{7, 300, 70'000, space.Quantize(RandomUnit(random, 100))};
  const std::string record = EncodeDeltaRecord(vector);
  ASSERT_OK_AND_ASSIGN(const ChunkVector decoded, DecodeDeltaRecord(7, AsBytes(record), space));
  EXPECT_EQ(decoded.chunk, 7u);
  EXPECT_EQ(decoded.lexical_tokens, 300u);
  EXPECT_EQ(decoded.tokens, 65'535u);
  EXPECT_EQ(decoded.vector.scale, vector.vector.scale);
  EXPECT_EQ(decoded.vector.values, vector.vector.values);
}

TEST(DeltaRecordTest, RefusesRecordsOfAnotherShape) {
  const VectorSpace space(100, 42);
  const ChunkVector vector{7, 1, 1, space.Quantize(std::vector<float>(100, 0.1f))};
  const std::string record = EncodeDeltaRecord(vector);
  for (size_t size = 0; size < record.size(); ++size) {
    const auto decoded = DecodeDeltaRecord(7, AsBytes(record).first(size), space);
    ASSERT_FALSE(decoded.has_value());
    EXPECT_EQ(decoded.error().code(), StatusCode::kCorruption);
  }
  EXPECT_FALSE(DecodeDeltaRecord(7, AsBytes(record + "x"), space).has_value());
  std::string not_a_number = record;
  not_a_number.replace(0, 4, "\xff\xff\xff\xff");
  EXPECT_FALSE(DecodeDeltaRecord(7, AsBytes(not_a_number), space).has_value());
}

}  // namespace
}  // namespace recall
