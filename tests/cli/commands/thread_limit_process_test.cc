// A user, or a container, whose limit of processes is reached: the system starts no further thread,
// and every command works on the one that it has.

#include <sys/stat.h>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class ThreadLimitProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    if (kUnderSanitizer) GTEST_SKIP() << "sanitizers need a thread of their own";
    ASSERT_EQ(::chmod(directory().c_str(), 0777), 0);
  }

  RunResult RunAlone(const std::vector<std::string>& args) {
    RunOptions options;
    options.unprivileged = true;
    options.single_thread = true;
    RunResult result = Run(args, options);
    EXPECT_EQ(result.exit, 0) << result;
    return result;
  }
};

TEST_F(ThreadLimitProcessTest, EveryCommandWorks) {
  for (int i = 0; i < 40; ++i) {
    Write("f" + std::to_string(i) + ".md",
          "# File\n\nsome words about number " + std::to_string(i) + " and a needle\n");
  }
  RunAlone({"init"});
  const RunResult added = RunAlone({"add", "f1.md", "f2.md", "f3.md", "f4.md", "f5.md", "--json"});
  EXPECT_EQ(added.Json()["add"]["added"], 5);
  EXPECT_EQ(RunAlone({"search", "needle", "--threads", "4", "--json"}).Json()["results"].size(),
            5u);
  RunAlone({"context", "needle"});
  RunAlone({"similar", "f1.md"});
  RunAlone({"embed", "--as", "hash"});
  EXPECT_EQ(RunAlone({"doctor", "--json"}).Json()["doctor"]["errors"], 0);
  RunAlone({"doctor", "--fix"});
  RunAlone({"export", "--out", "x.jsonl"});
  RunAlone({"rm", "f1.md"});
  RunAlone({"import", "x.jsonl"});
  RunAlone({"compact"});
  EXPECT_EQ(RunAlone({"doctor", "--json"}).Json()["doctor"]["errors"], 0);
}

}  // namespace
}  // namespace recall
