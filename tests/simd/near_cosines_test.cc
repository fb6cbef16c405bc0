#include <algorithm>
#include <functional>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

struct Selection {
  std::vector<uint32_t> places;
  std::vector<float> cosines;
  bool operator==(const Selection&) const = default;
};

Selection Select(const std::vector<int32_t>& products, const std::vector<float>& scales,
                 float scale, size_t k) {
  Selection selection{std::vector<uint32_t>(products.size()), std::vector<float>(products.size())};
  const size_t count = SelectNearCosines(products.data(), scales.data(), scale, products.size(), k,
                                         selection.places.data(), selection.cosines.data());
  selection.places.resize(count);
  selection.cosines.resize(count);
  return selection;
}

// By sorting all.
Selection Expected(const std::vector<int32_t>& products, const std::vector<float>& scales,
                   float scale, size_t k) {
  std::vector<float> cosines;
  for (size_t i = 0; i < products.size(); ++i) {
    cosines.push_back(static_cast<float>(products[i]) * (scale * scales[i]));
  }
  std::vector<float> sorted = cosines;
  std::ranges::sort(sorted, std::greater());
  const float least = k <= sorted.size() ? sorted[k - 1] : 0;
  Selection selection;
  for (size_t i = 0; i < cosines.size(); ++i) {
    if (cosines[i] <= 0 || cosines[i] < least) continue;
    selection.places.push_back(static_cast<uint32_t>(i));
    selection.cosines.push_back(cosines[i]);
  }
  return selection;
}

using NearCosinesTest = EveryTarget;
RECALL_ON_EVERY_TARGET(NearCosinesTest);

TEST_P(NearCosinesTest, AreThoseOfAFullSort) {
  for (const size_t n : {0, 1, 5, 15, 16, 17, 33, 100, 300}) {
    for (const size_t k : {1, 5, 16}) {
      for (const int32_t most : {2, 1000, 4'000'000}) {  // with many ties, and with few
        const auto products = RandomIntegers<int32_t>(random_, n, -most, most);
        std::vector<float> scales(n);
        for (float& scale : scales) scale = static_cast<float>(1 + random_() % 3) / 1024;
        ASSERT_EQ(Select(products, scales, 0.01f, k), Expected(products, scales, 0.01f, k))
            << "n " << n << ", k " << k << ", products up to " << most;
      }
    }
  }
}

TEST_P(NearCosinesTest, AreNoneIfNoneIsAbove0) {
  EXPECT_EQ(Select({0, -1, 0, -7}, {1, 1, 1, 1}, 1, 2), Selection());
}

}  // namespace
}  // namespace recall
