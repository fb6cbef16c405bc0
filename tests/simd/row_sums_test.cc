#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

using RowSumsTest = EveryTarget;
RECALL_ON_EVERY_TARGET(RowSumsTest);

TEST_P(RowSumsTest, ComparesEachSum) {
  for (const size_t count : {0, 1, 2, 7, 31, 100}) {
    std::vector<uint64_t> rows(count);
    for (uint64_t& bits : rows) bits = random_() & random_();
    const std::vector<float> values = RandomFloats(random_, count);
    for (const float least : {-1.0F, 0.0F, 0.25F, 100.0F}) {
      uint64_t expected = 0;
      for (size_t row = 0; row < 64; ++row) {
        float sum = 0;
        for (size_t k = 0; k < count; ++k) {
          if ((rows[k] >> row & 1) != 0) sum += values[k];
        }
        expected |= uint64_t{sum >= least} << row;
      }
      ASSERT_EQ(SumsAtLeast(rows.data(), values.data(), count, least), expected) << count;
    }
  }
}

}  // namespace
}  // namespace recall
