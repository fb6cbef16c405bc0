// Stores on a server behind a pooler that gives each transaction another session.

#include <thread>
#include <vector>

#include "tests/cli/recall_process.h"
#include "tests/storage/postgres/postgres_test_server.h"

namespace recall {
namespace {

class PooledServerTest : public RecallTest {
 protected:
  PostgresTestServer postgres_;
};

TEST_F(PooledServerTest, SeveralMachinesSaveAtTheSameTime) {
  constexpr int kMachines = 4;
  constexpr int kSaves = 5;
  postgres_.StartPooler(kMachines);
  const std::string address = postgres_.PooledAddress("pooled");
  ASSERT_EQ(Run({"init", "--store", address}).exit, 0);
  std::vector<std::thread> machines;
  for (int machine = 0; machine < kMachines; ++machine) {
    machines.emplace_back([&, machine] {
      const std::string name = std::to_string(machine);
      const RunOptions own{
          .env = {{"XDG_CACHE_HOME", Path("cache" + name)}, {"RECALL_BUSY_TIMEOUT_MS", "600000"}}};
      for (int i = 0; i < kSaves; ++i) {
        const std::string note = name + " " + std::to_string(i);
        const RunResult saved = Run(
            {"save", "lesson", "note " + note, "--text", "words of " + note, "--store", address},
            own);
        EXPECT_EQ(saved.exit, 0) << saved;
      }
    });
  }
  for (std::thread& machine : machines) machine.join();
  const RunResult stats = Run({"stats", "--json", "--store", address});
  EXPECT_EQ(stats.Json()["stats"]["doc_count"], kMachines * kSaves) << stats;
  // No session of the pool has kept the right to write.
  const RunResult direct =
      Run({"save", "lesson", "last", "--text", "direct", "--store", postgres_.Address("pooled")});
  EXPECT_EQ(direct.exit, 0) << direct;
  EXPECT_EQ(Run({"doctor", "--store", address}).exit, 0);
}

}  // namespace
}  // namespace recall
