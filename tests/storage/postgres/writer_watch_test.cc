// The right to write on a server: who has it, who has stopped, and who ends it.

#include "storage/postgres/writer_watch.h"

#include <memory>

#include "storage/postgres/page_server_group.h"
#include "tests/storage/postgres/postgres_test_server.h"

namespace recall {
namespace {

constexpr int64_t kSecond = 1'000'000;

PageServer::Writer SilentWriter(const std::string& progress) {
  return {.pid = 7, .began = "then", .name = "recall a:1", .progress = progress, .is_silent = true};
}

TEST(WriterWatch, AWriterWithoutProgressHasStopped) {
  WriterWatch watch;
  EXPECT_TRUE(watch.IsDue(100 * kSecond));
  EXPECT_FALSE(watch.HasStopped(SilentWriter("1"), 100 * kSecond));
  EXPECT_FALSE(watch.IsDue(100 * kSecond + 1));
  EXPECT_FALSE(watch.HasStopped(SilentWriter("1"), 107 * kSecond));
  EXPECT_TRUE(watch.HasStopped(SilentWriter("1"), 108 * kSecond));
  EXPECT_EQ(watch.name(), "recall a:1");
}

TEST(WriterWatch, ProgressOrWorkOfTheServerOrAnotherWriterBeginAnew) {
  WriterWatch watch;
  EXPECT_FALSE(watch.HasStopped(SilentWriter("1"), 100 * kSecond));
  EXPECT_FALSE(watch.HasStopped(SilentWriter("2"), 109 * kSecond));
  auto working = SilentWriter("2");
  working.is_silent = false;
  EXPECT_FALSE(watch.HasStopped(working, 118 * kSecond));
  EXPECT_FALSE(watch.HasStopped(SilentWriter("2"), 119 * kSecond));
  auto another = SilentWriter("2");
  another.began = "later";
  EXPECT_FALSE(watch.HasStopped(another, 127 * kSecond));
  EXPECT_FALSE(watch.HasStopped(std::nullopt, 136 * kSecond));
}

class WriterRightTest : public ::testing::Test {
 protected:
  static PostgresAddress AddressOf(const std::string& text) {
    return Must(ParsePostgresAddress(text));
  }
  void MakeStore(PageServer& server) {
    ASSERT_OK(server.Begin());
    ASSERT_OK(server.End(server.CreateTables({"an_id", 1, 1})));
  }
  PostgresTestServer server_;
};

TEST_F(WriterRightTest, AWaiterSeesAndEndsAWriterThatStopped) {
  const auto writer = Must(PageServer::Connect(AddressOf(server_.Address("s"))));
  const auto waiter = Must(PageServer::Connect(AddressOf(server_.Address("s"))));
  MakeStore(*writer);
  EXPECT_FALSE(Must(waiter->FindWriter()).has_value());
  ASSERT_TRUE(Must(writer->TryLock()));
  ASSERT_FALSE(Must(waiter->TryLock()));
  const auto seen = Must(waiter->FindWriter());
  ASSERT_TRUE(seen.has_value());
  EXPECT_TRUE(seen->name.starts_with("recall ")) << seen->name;
  EXPECT_TRUE(seen->is_silent);
  EXPECT_EQ(Must(waiter->FindWriter())->progress, seen->progress);
  ASSERT_OK(writer->ShowProgress());
  EXPECT_NE(Must(waiter->FindWriter())->progress, seen->progress);
  // The session of another writer that has the same number is not ended.
  auto earlier = *seen;
  earlier.began = "2020-01-01";
  ASSERT_OK(waiter->EndWriter(earlier));
  ASSERT_OK(writer->ShowProgress());
  ASSERT_OK(waiter->EndWriter(*seen));
  while (!Must(waiter->TryLock())) {
  }
  EXPECT_FALSE(writer->ShowProgress().ok());
  EXPECT_FALSE(writer->has_right());
}

TEST_F(WriterRightTest, TheRightEndsWithACommit) {
  const auto writer = Must(PageServer::Connect(AddressOf(server_.Address("s"))));
  const auto other = Must(PageServer::Connect(AddressOf(server_.Address("s"))));
  MakeStore(*writer);
  ASSERT_TRUE(Must(writer->TryLock()));
  ASSERT_OK(writer->Begin());
  ASSERT_OK(writer->End(Status::Ok()));
  EXPECT_FALSE(writer->has_right());
  EXPECT_TRUE(Must(other->TryLock()));
  ASSERT_OK(other->Unlock());
  EXPECT_TRUE(Must(writer->TryLock()));
}

TEST_F(WriterRightTest, APoolerIsNoticed) {
  server_.StartPooler(4);
  const auto direct = Must(PageServer::Connect(AddressOf(server_.Address("s"))));
  const auto pooled = Must(PageServer::Connect(AddressOf(server_.PooledAddress("s"))));
  EXPECT_FALSE(Must(direct->IsPooled()));
  EXPECT_TRUE(Must(pooled->IsPooled()));
}

}  // namespace
}  // namespace recall
