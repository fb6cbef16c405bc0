// The data derived from all texts: what is built, in which order, and on which threads.

#include "index/write/derived/derived_data.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "storage/base/thread_start.h"
#include "storage/sqlite/connection.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class DerivedDataTest : public QueryFixture {
 protected:
  // A store with enough chunks for a model and a forward index, and without either.
  void SetUp() override {
    Create({.chunk_tokens = 8, .overlap_tokens = 2});
    std::mt19937_64 random(TestSeed(2));
    for (int i = 0; i < 90; ++i) {
      WriteFile(std::to_string(i) + ".txt", RandomText(random, 10 + random() % 50));
    }
    Add();
    database_.reset();
    ASSERT_GT(Number("SELECT count(*) FROM chunk"), 300);
    const auto connection = Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite});
    ASSERT_TRUE(connection.has_value());
    ASSERT_OK((*connection)
                  ->Execute("DELETE FROM model; DELETE FROM model_part;"
                            "DELETE FROM chunk_words; DELETE FROM word_dictionary;"));
  }

  static Status Update(const std::string& path, const TrainingOptions& options,
                       const std::atomic<bool>& cancelled, const StoreOptions& opening = {}) {
    const auto store = Store::Open(path, opening);
    EXPECT_TRUE(store.has_value());
    return UpdateDerivedData(**store, cancelled, options);
  }

  // What was derived, and by which commits.
  static std::string DerivedOf(const std::string& path) {
    const auto connection = Connection::Open(path, {});
    EXPECT_TRUE(connection.has_value());
    std::string all;
    for (const char* sql :
         {"SELECT group_concat(chunk || hex(data)) FROM chunk_words",
          "SELECT group_concat(chunks || hex(data)) FROM word_dictionary",
          "SELECT group_concat(since || ':' || chunks) FROM model",
          "SELECT group_concat(kind || hex(data)) FROM model_part",
          "SELECT group_concat(embedder || since) FROM space", "SELECT count(*) FROM commit_log",
          "SELECT coalesce(group_concat(chunk || hex(data)), '') FROM vec_tail"}) {
      all += (*connection)->QueryText(sql).value_or(std::string("? ") + sql) + "\n";
    }
    return all;
  }

  std::string Copy(const std::string& name) {
    const std::string path = dir_ / name;
    std::filesystem::copy_file(StorePath(), path);
    return path;
  }

  std::atomic<bool> never_ = false;
};

TEST_F(DerivedDataTest, DoesNotDependOnTheNumberOfThreads) {
  const std::string one = Copy("one.db");
  ASSERT_OK(Update(one, {.threads = 1}, never_));
  const std::string expected = DerivedOf(one);
  EXPECT_EQ(expected.find('?'), std::string::npos) << expected.substr(0, 200);
  for (const uint32_t threads : {2u, 5u}) {
    const std::string more = Copy(std::to_string(threads) + ".db");
    ASSERT_OK(Update(more, {.threads = threads}, never_));
    EXPECT_EQ(DerivedOf(more), expected) << threads;
  }
  const std::string none = Copy("none.db");
  const ThreadShortage shortage(0);
  ASSERT_OK(Update(none, {.threads = 2}, never_));
  EXPECT_EQ(DerivedOf(none), expected);
}

// With a rollback journal nobody can commit while the training reads, and none waits here.
TEST_F(DerivedDataTest, IsTheSameWithARollbackJournal) {
  const std::string wal = Copy("wal.db");
  ASSERT_OK(Update(wal, {.threads = 2}, never_));
  const std::string expected = DerivedOf(wal);
  for (int time = 0; time < 5; ++time) {
    const std::string rollback = Copy("rollback" + std::to_string(time) + ".db");
    {
      const auto connection = Connection::Open(rollback, {.mode = ConnectionMode::kReadWrite});
      ASSERT_OK((*connection)->Execute("PRAGMA journal_mode=DELETE"));
    }
    ASSERT_OK(Update(rollback, {.threads = 2}, never_, {.busy_timeout_ms = 0}));
    EXPECT_EQ(DerivedOf(rollback), expected);
  }
}

TEST_F(DerivedDataTest, TellsTheProgressOfBothToTheCaller) {
  const auto caller = std::this_thread::get_id();
  std::vector<DerivedDataProgress> told;
  const auto tell = [&](const DerivedDataProgress& progress) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    told.push_back(progress);
  };
  ASSERT_OK(Update(StorePath(), {.threads = 2, .progress = tell}, never_));
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.front().stage, DerivedDataStage::kTraining);
  for (const DerivedDataProgress& step : told) EXPECT_LE(step.done, step.total);
}

TEST_F(DerivedDataTest, AnInterruptedUpdateIsContinued) {
  const std::string whole = Copy("whole.db");
  ASSERT_OK(Update(whole, {.threads = 2}, never_));
  for (const uint32_t threads : {1u, 2u}) {
    const std::string path = Copy("interrupted" + std::to_string(threads) + ".db");
    std::atomic<bool> cancelled = false;
    const auto interrupt = [&](const DerivedDataProgress&) { cancelled = true; };
    EXPECT_EQ(Update(path, {.threads = threads, .progress = interrupt}, cancelled).code(),
              StatusCode::kCancelled);
    ASSERT_OK(Update(path, {.threads = threads}, never_));
    const auto connection = Connection::Open(path, {});
    EXPECT_EQ((*connection)->QueryInt("SELECT count(*) FROM chunk_words").value_or(-1),
              Number("SELECT count(*) FROM chunk"));
    EXPECT_EQ((*connection)->QueryInt("SELECT count(*) FROM model").value_or(-1), 1);
  }
}

}  // namespace
}  // namespace recall
