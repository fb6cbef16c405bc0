// Random histories of a store, compared with a model in memory. After any sequence of adding,
// editing, relabelling, removing, flushing, merging, compacting, transferring and reopening, every
// answer equals that of the model, now and at every snapshot.
//
// RECALL_MODEL_SEEDS=N runs N histories; RECALL_TEST_SEED=S is the first seed.

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>

#include "storage/sqlite/sqlite_features.h"
#include "tests/fault/child_process.h"
#include "tests/model/model_history.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr size_t kSteps = 10;
constexpr uint64_t kStride = 4;  // number of parts
constexpr uint64_t kHistoriesOfAProcess = 50;

uint64_t Histories() {
  const char* text = std::getenv("RECALL_MODEL_SEEDS");
  return text ? std::strtoull(text, nullptr, 10) : 240;
}

// Runs a history. Returns: "" or what is wrong, with the shrunk history.
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
  // Uses a file system in memory if there is one, where a sync costs nothing.
  static void SetUpTestSuite() {
    if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", 0);
  }
};

// Four parts, which ctest can run in parallel.
TEST_P(ModelTest, AnswersAreThoseOfTheModel) {
  const uint64_t first = TestSeed(1);
  const uint64_t end = first + Histories();
  // A process keeps mappings of all stores that it opened, so each process runs only some.
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

// FTS5 itself reads and writes the full-text index, as it does if the version of SQLite is
// untested.
TEST_P(ModelTest, AnswersAreThoseOfTheModelIfFts5KeepsTheIndex) {
  constexpr uint64_t kHistories = 8;
  const uint64_t first = TestSeed(1) + GetParam() * kHistories;
  const ChildOutcome outcome = RunInChild([&] {
    ::setenv("RECALL_FTS", "sqlite", 1);
    const auto features = ProcessFeatures();
    if (!features || features->fts_format) return std::string("RECALL_FTS has no effect");
    std::string wrong;
    for (uint64_t i = 0; i < kHistories && wrong.empty(); ++i) wrong = RunSeed(first + i);
    return wrong;
  });
  ASSERT_EQ(outcome.exit_code, 0) << Describe(outcome);
  ASSERT_EQ(outcome.output, "");
}

INSTANTIATE_TEST_SUITE_P(Quarters, ModelTest, ::testing::Values(0, 1, 2, 3));

}  // namespace
}  // namespace recall
