// Random histories of a store against a model of it in memory: whatever was added, edited,
// relabelled, removed, flushed, merged, compacted, carried over or opened again, every answer is
// the model's, at present and at every snapshot.
//
// RECALL_MODEL_SEEDS=N runs N histories, RECALL_TEST_SEED=S begins with that of seed S.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>

#include "tests/query/model/model_history.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr size_t kSteps = 10;

uint64_t Histories() {
  const char* text = std::getenv("RECALL_MODEL_SEEDS");
  return text ? std::strtoull(text, nullptr, 10) : 240;
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
  for (uint64_t seed = first + GetParam(); seed < first + Histories(); seed += 4) {
    const std::vector<Step> history = RandomHistory(seed, kSteps + seed % 5);
    const std::string wrong = RunHistory(history);
    if (wrong.empty()) continue;
    const std::vector<Step> shrunk = ShrinkHistory(history);
    FAIL() << "seed " << seed << ", " << wrong << "\nshrunk to:\n"
           << Print(shrunk) << RunHistory(shrunk);
  }
}

INSTANTIATE_TEST_SUITE_P(Quarters, ModelTest, ::testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace recall
