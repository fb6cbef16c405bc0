#include <algorithm>

#include "tests/simd/simd_test_util.h"

namespace recall {
namespace {

TEST(TargetsTest, ForcedTargetIsTheFirstNamed) {
  const std::vector<std::string> best_first = SupportedSimdTargets();
  ASSERT_FALSE(best_first.empty());
  for (const std::string& name : best_first) {
    ASSERT_TRUE(ForceSimdTarget(name));
    std::vector<std::string> names = SupportedSimdTargets();
    EXPECT_EQ(names.front(), name);
    EXPECT_TRUE(
        std::is_permutation(names.begin(), names.end(), best_first.begin(), best_first.end()));
  }
  ASSERT_TRUE(ForceSimdTarget(""));
  EXPECT_EQ(SupportedSimdTargets(), best_first);
}

TEST(TargetsTest, UnknownTargetChangesNothing) {
  const std::string worst = SupportedSimdTargets().back();
  ASSERT_TRUE(ForceSimdTarget(worst));
  EXPECT_FALSE(ForceSimdTarget("AVX9"));
  EXPECT_FALSE(ForceSimdTarget("avx2"));
  EXPECT_EQ(SupportedSimdTargets().front(), worst);
  EXPECT_TRUE(ForceSimdTarget(""));
}

#if defined(__x86_64__)
// If Highway is compiled for static dispatch, it falls back to 4 lanes unless every flag of AVX2 is
// given. Only dynamic dispatch lets a plain build use the CPU: its best target must be in the list.
TEST(TargetsTest, PlainBuildUsesTheWholeCpu) {
  const std::vector<std::string> names = SupportedSimdTargets();
  const auto has = [&](const char* name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  __builtin_cpu_init();
  EXPECT_EQ(has("SSE4"), __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul"));
  EXPECT_EQ(has("AVX2"), __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                             __builtin_cpu_supports("bmi2"));
  EXPECT_TRUE(has("SCALAR") || has("EMU128"));
}
#endif

}  // namespace
}  // namespace recall
