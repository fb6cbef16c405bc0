// Writers and readers of one store in threads of one process, each with a Database of its own.
// Under the thread sanitizer this tests the shared file mapping, embedder tables and SQLite.

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/stress/segment_watch.h"
#include "tests/stress/stress_history.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class StressThreadsTest : public ::testing::Test {
 protected:
  std::string StorePath() const { return dir_ / "recall.db"; }

  void Note(const Status& status) {
    if (status.ok()) return;
    const std::lock_guard lock(mutex_);
    faults_.push_back(status.ToString());
  }

  Status Write(StressHistory& history, int64_t steps) {
    RECALL_ASSIGN(const auto database, Database::Open(StorePath(), StressOptions()));
    while (history.position() < steps) {
      RECALL_TRY(TakeStep(*database, history, history.Next(), dir_.path()));
      history.Advance();
    }
    return Status::Ok();
  }

  Status Ask(Database& database) {
    SearchRequest search;
    search.text = "alpha memory";
    search.threads = 2;
    search.scope.filter = "doc.meta.author != 'a1'";
    RECALL_TRY(internal::ToStatus(database.Search(search)));
    ContextRequest context;
    context.search.text = "vector index";
    context.budget_tokens = 200;
    return internal::ToStatus(database.Context(context));
  }

  Status ReadUntil(const std::atomic<bool>& stop, std::vector<StressHistory> histories) {
    RECALL_ASSIGN(const auto database, Database::Open(StorePath(), {.read_only = true}));
    RECALL_ASSIGN(const auto store, Store::Open(StorePath(), {.read_only = true}));
    RECALL_ASSIGN(const auto watch, SegmentWatch::Open(StorePath(), BrokenRule::kNone));
    StressBoard::Facts facts;
    do {
      RECALL_TRY(Ask(*database));
      RECALL_TRY(watch->Look(facts));
      RECALL_ASSIGN(const auto transaction, store->BeginRead());
      for (StressHistory& history : histories) RECALL_TRY(FollowStore(*transaction, history));
    } while (!stop);
    return Status::Ok();
  }

  TempDir dir_;
  std::mutex mutex_;
  std::vector<std::string> faults_;
};

TEST_F(StressThreadsTest, WritersAndReadersInOneProcess) {
  ASSERT_OK(CreateStressStore(StorePath(), "WAL"));
  std::vector<StressHistory> histories;
  for (const char* folder : {"w0", "w1"}) histories.emplace_back(TestSeed(1), folder);
  std::atomic<bool> stop = false;
  std::vector<std::thread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&, histories] { Note(ReadUntil(stop, histories)); });
  }
  std::vector<std::thread> writers;
  for (StressHistory& history : histories) {
    writers.emplace_back([&] { Note(Write(history, 40)); });
  }
  for (std::thread& writer : writers) writer.join();
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_EQ(faults_, std::vector<std::string>());

  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(StorePath(), {.read_only = true}));
  ASSERT_OK_AND_ASSIGN(const auto transaction, store->BeginRead());
  for (const StressHistory& history : histories) {
    ASSERT_OK_AND_ASSIGN(const StressDocuments found, ReadDocuments(*transaction, history));
    EXPECT_EQ(found, history.documents());
  }
}

}  // namespace
}  // namespace recall
