#include "index/write/ingest/memory_plan.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

// What docs/cli/add.md says of --memory-limit.
TEST(MemoryPlanTest, ExtractionHasAsMuchAgainAndNoLessThanItNeeds) {
  constexpr uint64_t kMib = uint64_t{1} << 20;
  for (uint64_t bytes = kLeastMemory; bytes <= (uint64_t{64} << 30); bytes += 37 * kMib) {
    const ExtractionMemory memory = PlanExtraction(bytes);
    ASSERT_GE(memory.process_bytes, 256 * kMib) << bytes;
    ASSERT_LE(memory.process_bytes, 1024 * kMib) << bytes;
    ASSERT_GE(memory.workers, 1U) << bytes;
    // A worker may have a pdftotext beside it.
    ASSERT_LE(2 * memory.workers * memory.process_bytes, std::max(bytes, 512 * kMib)) << bytes;
    // What is left is not enough for another one.
    ASSERT_GT(2 * (memory.workers + 1) * memory.process_bytes, bytes) << bytes;
  }
}

}  // namespace
}  // namespace recall
