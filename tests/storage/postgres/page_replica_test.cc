#include "storage/postgres/page_replica.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "storage/base/split_mix.h"
#include "storage/postgres/page_server.h"
#include "storage/sqlite/connection.h"
#include "tests/storage/postgres/postgres_test_server.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr const char* kTables =
    "CREATE TABLE small(id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX small_a ON small(a);"
    "CREATE TABLE large(id INTEGER PRIMARY KEY, a BLOB);";

// One server for all tests, each of which has stores and caches of its own. A cache directory
// stands for a machine.
class PageReplicaTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<PostgresTestServer>(); }
  static void TearDownTestSuite() { server_ = nullptr; }

  static PostgresAddress AddressOf(const std::string& store) {
    return Must(ParsePostgresAddress(server_->Address(store)));
  }

  // A store on the server with the empty tables.
  void MakeStore(const std::string& store) {
    const std::string local = directory_ / store;
    {
      ASSERT_OK_AND_ASSIGN(const auto made,
                           Connection::Open(local, {.mode = ConnectionMode::kCreate}));
      ASSERT_OK(made->Execute(kTables));
      ASSERT_OK(made->Execute("PRAGMA journal_mode=DELETE"));
    }
    ASSERT_OK(CreatePostgresStore(AddressOf(store), local, store + "-uuid"));
  }

  std::string PathOn(const std::string& machine, const std::string& store) {
    return Must(OpenPostgresReplica(AddressOf(store), directory_ / machine));
  }
  std::unique_ptr<Connection> Open(const std::string& path, ConnectionMode mode,
                                   int busy_timeout_ms = 10'000) {
    return Must(Connection::Open(path, {.mode = mode, .busy_timeout_ms = busy_timeout_ms}));
  }
  static int64_t Epochs(const std::string& store) {
    return Must(Must(PageServer::Connect(AddressOf(store)))->Newest()).number;
  }

  static std::unique_ptr<PostgresTestServer> server_;
  TempDir directory_;
};

std::unique_ptr<PostgresTestServer> PageReplicaTest::server_;

// Everything that is in the tables, read in two ways.
std::string Contents(Connection& connection) {
  return Must(connection.QueryText(
             "SELECT group_concat(id || a) FROM (SELECT * FROM small ORDER BY id)")) +
         "|" +
         Must(connection.QueryText(
             "SELECT group_concat(id) FROM (SELECT id FROM small INDEXED BY small_a ORDER BY a, "
             "id)")) +
         "|" +
         Must(connection.QueryText("SELECT group_concat(id || ':' || length(a) || hex(substr(a, "
                                   "-8))) FROM (SELECT * FROM large ORDER BY id)")) +
         Must(connection.QueryText("PRAGMA integrity_check"));
}

// A statement that changes a few or many rows, and sometimes pages of overflow or of free space.
std::string RandomChange(SplitMix64& random) {
  const std::string id = std::to_string(random.Next() % 500);
  switch (random.Next() % 6) {
    case 0:
      return "WITH RECURSIVE n(i) AS (VALUES(" + id + ") UNION ALL SELECT i + 7 FROM n WHERE i < " +
             id + " + 2000) INSERT OR REPLACE INTO small SELECT i, hex(i * " +
             std::to_string(random.Next() % 9999) + ") FROM n";
    case 1:
      return "INSERT OR REPLACE INTO large VALUES(" + std::to_string(random.Next() % 8) +
             ", CAST(printf('%.*c" + id + "', " + std::to_string(random.Next() % 400000) +
             ", 'x') AS BLOB))";
    case 2:
      return "DELETE FROM large WHERE id = " + std::to_string(random.Next() % 8);
    case 3:
      return "DELETE FROM small WHERE id % 3 = " + std::to_string(random.Next() % 3);
    case 4:
      return "UPDATE small SET a = a || 'y' WHERE id < " + id;
    default:
      return "INSERT OR REPLACE INTO small VALUES(" + id + ", 'one')";
  }
}

// The oracle is an ordinary file with the same changes.
TEST_F(PageReplicaTest, WritersOnTwoMachinesMakeWhatOneFileHolds) {
  MakeStore("twins");
  const std::string machines[] = {PathOn("a", "twins"), PathOn("b", "twins")};
  ASSERT_NE(machines[0], machines[1]);
  ASSERT_OK_AND_ASSIGN(const auto file,
                       Connection::Open(directory_ / "file", {.mode = ConnectionMode::kCreate}));
  ASSERT_OK(file->Execute(kTables));
  std::unique_ptr<Connection> writers[] = {Open(machines[0], ConnectionMode::kReadWrite),
                                           Open(machines[1], ConnectionMode::kReadWrite)};
  SplitMix64 random(TestSeed(35));
  for (int round = 0; round < 60; ++round) {
    Connection& writer = *writers[random.Next() % 2];
    ASSERT_OK(writer.BeginImmediate());
    ASSERT_OK(file->BeginImmediate());
    for (uint64_t i = random.Next() % 3 + 1; i > 0; --i) {
      const std::string change = RandomChange(random);
      ASSERT_OK(writer.Execute(change));
      ASSERT_OK(file->Execute(change));
    }
    const char* const end = random.Next() % 4 == 0 ? "ROLLBACK" : "COMMIT";
    ASSERT_OK(writer.Execute(end));
    ASSERT_OK(file->Execute(end));
    if (round % 10 == 9) {
      if (round == 39) {
        ASSERT_OK(writer.Execute("VACUUM"));
      }
      for (const std::string& path : machines) {
        const auto reader = Open(path, ConnectionMode::kReadOnly);
        ASSERT_EQ(Contents(*reader), Contents(*file)) << "round " << round;
      }
    }
  }
  // A machine that has never read the store.
  const auto stranger = Open(PathOn("c", "twins"), ConnectionMode::kReadOnly);
  EXPECT_EQ(Contents(*stranger), Contents(*file));
}

TEST_F(PageReplicaTest, WhatIsRolledBackIsNotPublished) {
  MakeStore("rolled_back");
  const auto writer = Open(PathOn("a", "rolled_back"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'kept')"));
  const int64_t before = Epochs("rolled_back");
  ASSERT_OK(writer->Execute("PRAGMA cache_size=2"));  // pages go to the file before the commit
  ASSERT_OK(writer->BeginImmediate());
  ASSERT_OK(writer->Execute(
      "WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < 30000)"
      " INSERT INTO small SELECT i, hex(i) FROM n"));
  ASSERT_OK(writer->Execute("ROLLBACK"));
  EXPECT_EQ(Epochs("rolled_back"), before);
  EXPECT_EQ(Must(writer->QueryInt("SELECT count(*) FROM small")), 1);
  EXPECT_EQ(Must(writer->QueryText("PRAGMA integrity_check")), "ok");
  const auto other = Open(PathOn("b", "rolled_back"), ConnectionMode::kReadOnly);
  EXPECT_EQ(Must(other->QueryInt("SELECT count(*) FROM small")), 1);
}

TEST_F(PageReplicaTest, AStoreIsMadeOnceAndAsAWhole) {
  MakeStore("once");
  const std::string local = directory_ / "once";
  const Status again = CreatePostgresStore(AddressOf("once"), local, "other");
  EXPECT_EQ(again.code(), StatusCode::kAlreadyExists) << again.ToString();
  EXPECT_EQ(CreatePostgresStore(AddressOf("twice"), local + "-missing", "other").code(),
            StatusCode::kIoError);
  const auto missing = OpenPostgresReplica(AddressOf("twice"), directory_ / "a");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), StatusCode::kStoreNotFound);
}

TEST_F(PageReplicaTest, OneWriterAtATime) {
  MakeStore("queue");
  const auto first = Open(PathOn("a", "queue"), ConnectionMode::kReadWrite);
  const auto second = Open(PathOn("b", "queue"), ConnectionMode::kReadWrite, 0);
  ASSERT_OK(first->BeginImmediate());
  EXPECT_EQ(second->BeginImmediate().code(), StatusCode::kBusy);
  ASSERT_OK(first->Execute("INSERT INTO small VALUES(1, 'first'); COMMIT"));
  ASSERT_OK(second->BeginImmediate());
  EXPECT_EQ(Must(second->QueryText("SELECT a FROM small")), "first");
  ASSERT_OK(second->Execute("INSERT INTO small VALUES(2, 'second'); COMMIT"));
  EXPECT_EQ(Must(first->QueryInt("SELECT count(*) FROM small")), 2);
}

// Connections of one process share a replica, but not the right to write.
TEST_F(PageReplicaTest, AReaderBesideTheWriterDoesNotEndItsTransaction) {
  MakeStore("beside");
  const std::string path = PathOn("a", "beside");
  const auto writer = Open(path, ConnectionMode::kReadWrite);
  const auto reader = Open(path, ConnectionMode::kReadOnly);
  const auto rival = Open(PathOn("b", "beside"), ConnectionMode::kReadWrite, 0);
  ASSERT_OK(writer->BeginImmediate());
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'new')"));
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM small")), 0);
  EXPECT_EQ(rival->BeginImmediate().code(), StatusCode::kBusy);
  ASSERT_OK(writer->Execute("COMMIT"));
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM small")), 1);
  EXPECT_EQ(Must(rival->QueryInt("SELECT count(*) FROM small")), 1);
}

TEST_F(PageReplicaTest, AReaderStaysAtItsCommit) {
  MakeStore("snapshot");
  const auto writer = Open(PathOn("a", "snapshot"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'old')"));
  const auto reader = Open(PathOn("b", "snapshot"), ConnectionMode::kReadOnly);
  ASSERT_OK(reader->Execute("BEGIN"));
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM small")), 1);
  ASSERT_OK(writer->Execute("UPDATE small SET a = 'new'; INSERT INTO large VALUES(1, 'x')"));
  // Pages that the reader has not seen before are those of its commit, too.
  EXPECT_EQ(Must(reader->QueryText("SELECT a FROM small WHERE a > ''")), "old");
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM large")), 0);
  ASSERT_OK(reader->Execute("COMMIT"));
  EXPECT_EQ(Must(reader->QueryText("SELECT a FROM small WHERE a > ''")), "new");
}

TEST_F(PageReplicaTest, AServerThatIsGoneIsNamed) {
  MakeStore("gone");
  const auto writer = Open(PathOn("a", "gone"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'kept')"));
  server_->Kill();
  const auto failed = writer->QueryInt("SELECT count(*) FROM small");
  const Status lost = writer->Execute("INSERT INTO small VALUES(2, 'lost')");
  server_->Start();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), StatusCode::kIoError);
  EXPECT_NE(failed.error().message().find(AddressOf("gone").shown), std::string::npos)
      << failed.error().ToString();
  EXPECT_FALSE(lost.ok());
  EXPECT_EQ(Must(writer->QueryInt("SELECT count(*) FROM small")), 1);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(3, 'again')"));
  const auto other = Open(PathOn("b", "gone"), ConnectionMode::kReadOnly);
  EXPECT_EQ(Must(other->QueryInt("SELECT sum(id) FROM small")), 4);
}

// A network that is cut: an error within the limit of the address, and nothing wrong afterwards.
TEST_F(PageReplicaTest, ASilentServerIsAnErrorInTime) {
  MakeStore("silent");
  const auto path = OpenPostgresReplica(
      Must(ParsePostgresAddress(server_->Address("silent") + "&answer_timeout=3")),
      directory_ / "a");
  ASSERT_OK_AND_ASSIGN(const std::string replica, path);
  const auto writer = Open(replica, ConnectionMode::kReadWrite, 0);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'kept')"));
  server_->Pause();
  const auto read = writer->QueryInt("SELECT count(*) FROM small");
  const Status written = writer->Execute("INSERT INTO small VALUES(2, 'lost')");
  server_->Resume();
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().message().find("no answer within 3 s"), std::string::npos)
      << read.error().ToString();
  EXPECT_FALSE(written.ok());
  EXPECT_EQ(Must(writer->QueryInt("SELECT count(*) FROM small")), 1);
}

// Of two versions of a page, the older one goes when no reader may need it.
TEST_F(PageReplicaTest, SupersededPagesAreDeleted) {
  MakeStore("superseded");
  const auto server = Must(PageServer::Connect(AddressOf("superseded")));
  const auto content = [](uint8_t byte) {
    return [byte](uint32_t, std::span<uint8_t> page) {
      std::ranges::fill(page, byte);
      return true;
    };
  };
  const uint32_t pages = Must(server->Newest()).pages;
  ASSERT_OK(server->Publish({2, pages}, {1, 2}, content('b')));
  ASSERT_OK(server->Publish({3, pages}, {2, 3}, content('c')));
  const auto at = [&](int64_t epoch, uint32_t number) {
    std::string found;
    const Status fetched =
        server->Fetch(epoch, {number}, [&](uint32_t, std::span<const uint8_t> page) {
          found += static_cast<char>(page[0]);
          return Status::Ok();
        });
    return fetched.ok() ? found : std::string(StatusCodeName(fetched.code()));
  };
  EXPECT_EQ(at(2, 2), "b");
  ASSERT_OK(server->DeleteSuperseded(3600));  // all are younger
  EXPECT_EQ(at(2, 2), "b");
  ASSERT_OK(server->DeleteSuperseded(0));
  EXPECT_EQ(at(2, 2), "snapshot_expired");
  EXPECT_EQ(at(3, 1) + at(3, 2) + at(3, 3), "bcc");
  EXPECT_EQ(Must(server->Newest()).number, 3);
  EXPECT_EQ(Must(server->ChangedPages(1, 3)), (std::vector<uint32_t>{1, 2, 3}));
}

pid_t StartWriter(const std::string& address, const std::string& cache) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::execl(RECALL_REPLICA_CRASH_WRITER, RECALL_REPLICA_CRASH_WRITER, address.c_str(), cache.c_str(),
          nullptr);
  ::_exit(127);
}

TEST_F(PageReplicaTest, AKilledWriterLeavesNothingHalfWritten) {
  MakeStore("killed");
  SplitMix64 random(TestSeed(9));
  int64_t rows = 0;
  for (int round = 0; round < 12; ++round) {
    const pid_t child = StartWriter(server_->Address("killed"), directory_ / "writer");
    const timespec pause{.tv_sec = 0,
                         .tv_nsec = static_cast<long>(100'000'000 + random.Next() % 200'000'000)};
    ::nanosleep(&pause, nullptr);
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the writer failed";
    // In odd rounds the next user has the killed writer's cache.
    const std::string path = PathOn(round % 2 == 0 ? "reader" : "writer", "killed");
    const auto reader = Open(path, ConnectionMode::kReadWrite);
    const int64_t small = Must(reader->QueryInt("SELECT count(*) FROM small"));
    EXPECT_EQ(small, Must(reader->QueryInt("SELECT count(*) FROM large")));
    EXPECT_EQ(Must(reader->QueryText("PRAGMA integrity_check")), "ok");
    EXPECT_GE(small, rows);
    rows = small;
  }
  EXPECT_GT(rows, 0);
}

}  // namespace
}  // namespace recall
