// Random histories of a store against a model of it in memory: whatever was added, edited,
// relabelled, removed, flushed, merged, compacted, carried over or opened again, every answer is
// the model's, at present and at every snapshot.
//
// RECALL_MODEL_SEEDS=N runs N histories, RECALL_TEST_SEED=S begins with that of seed S.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>

#include "tests/fault/child_process.h"
#include "tests/model/model_history.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr size_t kSteps = 10;
constexpr uint64_t kStride = 4;  // of the parts
constexpr uint64_t kHistoriesOfAProcess = 50;

uint64_t Histories() {
  const char* text = std::getenv("RECALL_MODEL_SEEDS");
  return text ? std::strtoull(text, nullptr, 10) : 240;
}

// "" or what went wrong.
std::string RunSeed(uint64_t seed) {
  const std::vector<Step> history = RandomHistory(seed, kSteps + seed % 5);
  const std::string wrong = RunHistory(history);
  if (wrong.empty()) return "";
  const std::vector<Step> shrunk = ShrinkHistory(history);
  return "seed " + std::to_string(seed) + ", " + wrong + "\nshrunk to:\n" + Print(shrunk) +
         RunHistory(shrunk);
}

class ModelTest : public ::testing::TestWithParam<uint64_t> {
 protected:
  // Where a sync costs nothing, when there is such a place.
  static void SetUpTestSuite() {
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  }
};

// In four parts, so that they run side by side.
TEST_P(ModelTest, AnswersAreThoseOfTheModel) {
  const uint64_t first = TestSeed(1);
  const uint64_t end = first + Histories();
  // A program keeps every store that it ever opened mapped, so one does not run them all.
  for (uint64_t seed = first + GetParam(); seed < end; seed += kStride * kHistoriesOfAProcess) {
    const ChildOutcome outcome = RunInChild([&] {
      std::string wrong;
      for (uint64_t i = 0; i < kHistoriesOfAProcess && wrong.empty(); ++i) {
        if (seed + i * kStride < end) wrong = RunSeed(seed + i * kStride);
      }
      return wrong;
    });
    ASSERT_EQ(outcome.exit_code, 0) << "from seed " << seed << ": " << Describe(outcome);
    ASSERT_EQ(outcome.output, "");
  }
}

INSTANTIATE_TEST_SUITE_P(Quarters, ModelTest, ::testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace recall
