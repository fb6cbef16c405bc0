#include "storage/sqlite/common_snapshot.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

class CommonSnapshotTest : public ::testing::Test {
 protected:
  CommonSnapshotTest()
      : writer_(Must(Connection::Open(Path(), {.mode = ConnectionMode::kCreate}))) {
    EXPECT_OK(
        writer_->Execute("PRAGMA synchronous=OFF; CREATE TABLE t(n); INSERT INTO t VALUES(0)"));
  }

  std::string Path() const { return dir_ / "recall.db"; }
  Status Commit() { return writer_->Execute("UPDATE t SET n = n + 1"); }

  static int64_t Number(Connection& connection) {
    const auto number = connection.QueryInt("SELECT n FROM t");
    EXPECT_TRUE(number) << number.error().ToString();
    return number.value_or(-1);
  }

  void Open(size_t count, std::vector<std::unique_ptr<Connection>>* others) const {
    while (others->size() < count) others->push_back(Must(Connection::Open(Path(), {})));
  }

  const TempDir dir_;
  const std::unique_ptr<Connection> writer_;
};

TEST_F(CommonSnapshotTest, WithoutAWriterAllReadTheLastCommit) {
  const auto first = Must(Connection::Open(Path(), {}));
  std::vector<std::unique_ptr<Connection>> others;
  Open(3, &others);
  ASSERT_OK(Commit());
  ASSERT_OK(BeginTogether(*first, &others));
  ASSERT_EQ(others.size(), 3u);
  ASSERT_OK(Commit());
  EXPECT_EQ(Number(*first), 1);
  for (const auto& other : others) EXPECT_EQ(Number(*other), 1);
}

// Another connection commits while the transactions begin. All that stay open read the same commit.
TEST_F(CommonSnapshotTest, BesideAWriterAllReadTheSameCommit) {
  constexpr int kBeginnings = 3000;
  const auto first = Must(Connection::Open(Path(), {}));
  std::vector<std::unique_ptr<Connection>> others;
  std::atomic<bool> done = false;
  std::thread commits([&] {
    while (!done) EXPECT_OK(Commit());
  });
  for (int i = 0; i < kBeginnings; ++i) {
    Open(3, &others);
    EXPECT_OK(BeginTogether(*first, &others));
    EXPECT_TRUE(others.empty() || others.size() == 3);
    const int64_t number = Number(*first);
    for (const auto& other : others) {
      EXPECT_TRUE(other->InTransaction());
      EXPECT_EQ(Number(*other), number);
    }
    for (const auto& other : others) EXPECT_OK(other->Execute("ROLLBACK"));
    EXPECT_OK(first->Execute("ROLLBACK"));
  }
  done = true;
  commits.join();
}

}  // namespace
}  // namespace recall
