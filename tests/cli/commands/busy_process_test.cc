// Commands on a store that another process, this test, has locked for writing.

#include "storage/base/file_locks.h"
#include "storage/store/store.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class BusyTest : public RecallTest {
 protected:
  void SetUp() override {
    MakeSmallStore();
    Write("new.txt", "one more document\n");
    ASSERT_OK_AND_ASSIGN(store_, Store::Open(Path("recall.db")));
    ASSERT_OK_AND_ASSIGN(writing_, store_->BeginWrite());
  }

  RunResult RunPatiently(std::vector<std::string> args, const std::string& milliseconds) {
    return Run(args, {.env = {{"RECALL_BUSY_TIMEOUT_MS", milliseconds}}});
  }

  std::unique_ptr<Store> store_;
  std::unique_ptr<WriteTransaction> writing_;
};

TEST_F(BusyTest, WritersSayThatTheyWaitAndEndWithBusy) {
  const RunResult waited = RunPatiently({"add", "new.txt"}, "1200");
  EXPECT_EQ(waited.exit, 5) << waited;
  EXPECT_NE(waited.err.find("waiting for another process that writes to " + Path("recall.db") +
                            " (gives up after 2 s without a commit)"),
            std::string::npos)
      << waited;
  EXPECT_EQ(waited.out, "");
  const RunResult quiet = RunPatiently({"rm", "new.txt", "--quiet"}, "1200");
  EXPECT_EQ(quiet.exit, 5);
  EXPECT_EQ(quiet.err.find("waiting"), std::string::npos) << quiet;
}

TEST_F(BusyTest, ShortWaitsAreNotSaidAndJsonStaysClean) {
  const RunResult busy = RunPatiently({"add", "new.txt", "--json"}, "30");
  EXPECT_EQ(busy.exit, 5) << busy;
  EXPECT_EQ(busy.err, "");
  const nlohmann::ordered_json error = busy.Json()["error"];
  EXPECT_EQ(error["code"], "busy") << busy;
  // This process has the lock of SQLite's writer.
  const pid_t writer = ProcessWithLock((Path("recall.db") + "-shm").c_str(), 120);
  const std::string named =
      "another process is writing to the store: process " + std::to_string(writer);
  EXPECT_EQ(std::string(error["message"]).find(named) != std::string::npos, writer != 0) << busy;
}

TEST_F(BusyTest, ReadersDoNotWait) {
  for (const std::string verb : {"stats", "export"}) {
    EXPECT_EQ(RunPatiently({verb}, "0").exit, 0) << verb;
  }
  const RunResult found = RunPatiently({"search", "document"}, "0");
  EXPECT_EQ(found.exit, 0) << found;
}

// Each doubling of a young store trains its model, which changes the vectors of notes that are
// being saved.
TEST_F(BusyTest, SeveralProcessesSaveIntoAYoungStore) {
  writing_ = nullptr;
  store_ = nullptr;
  std::vector<pid_t> saving;
  for (int i = 0; i < 12; ++i) {
    const std::string name = std::to_string(i);
    saving.push_back(Start({"save", "lesson", "note " + name, "--text", "words of " + name}));
  }
  for (const pid_t process : saving) {
    const RunResult saved = Wait(process);
    EXPECT_EQ(saved.exit, 0) << saved;
  }
}

TEST_F(BusyTest, TheNextGetsItsTurn) {
  const pid_t waiting = Start({"add", "new.txt"});
  writing_ = nullptr;
  EXPECT_EQ(Wait(waiting).exit, 0);
  EXPECT_NE(Run({"search", "more"}).out.find("new.txt"), std::string::npos);
}

}  // namespace
}  // namespace recall
