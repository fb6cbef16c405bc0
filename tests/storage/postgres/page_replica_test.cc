#include "storage/postgres/page_replica.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "storage/base/split_mix.h"
#include "storage/postgres/page_server_group.h"
#include "storage/postgres/postgres_session.h"
#include "storage/replica/page_source.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/writer_queue.h"
#include "tests/storage/postgres/postgres_test_server.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr const char* kTables =
    "CREATE TABLE small(id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX small_a ON small(a);"
    "CREATE TABLE large(id INTEGER PRIMARY KEY, a BLOB);";

// One process of PostgreSQL for all tests, each of which has stores and caches of its own. A cache
// directory stands for a machine. A store has one server, or three, which are schemas of the
// process here.
class PageReplicaTest : public ::testing::TestWithParam<size_t> {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<PostgresTestServer>(); }
  static void TearDownTestSuite() { server_ = nullptr; }

  static size_t servers() { return GetParam(); }
  static std::string AddressText(const std::string& store) {
    std::string text;
    for (size_t i = 0; i < servers(); ++i) text += ' ' + server_->Address(SchemaOf(store, i));
    return text.substr(1);
  }
  static PostgresStore AddressOf(const std::string& store) {
    return Must(ParsePostgresStore(AddressText(store)));
  }
  static std::string SchemaOf(const std::string& store, size_t server) {
    return store + '_' + std::to_string(server) + "_of_" + std::to_string(servers());
  }
  // The server, spoken to without the others.
  static std::unique_ptr<PageServer> ServerOf(const std::string& store, size_t server) {
    return Must(PageServer::Connect(AddressOf(store).servers[server]));
  }
  // Runs a statement on the server; $S is the store's schema there.
  static void RunOn(const std::string& store, size_t server, std::string sql) {
    const auto session = Must(PostgresSession::Connect(AddressOf(store).servers[server]));
    for (size_t at = sql.find("$S"); at != sql.npos; at = sql.find("$S")) {
      sql.replace(at, 2, "recall_" + SchemaOf(store, server));
    }
    ASSERT_OK(session->Do(sql.c_str()));
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
    ASSERT_OK(CreatePostgresStore(AddressOf(store), local));
  }

  std::string PathOn(const std::string& machine, const std::string& store,
                     ReplicaUse use = ReplicaUse::kWrite) {
    return Must(OpenPostgresReplica(AddressOf(store), directory_ / machine, use));
  }
  std::unique_ptr<Connection> Open(const std::string& path, ConnectionMode mode,
                                   int busy_timeout_ms = 10'000) {
    return Must(Connection::Open(path, {.mode = mode, .busy_timeout_ms = busy_timeout_ms}));
  }
  static int64_t Epochs(const std::string& store) {
    return Must(ServerOf(store, 0)->Newest({})).epoch.number;
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
TEST_P(PageReplicaTest, WritersOnTwoMachinesMakeWhatOneFileHolds) {
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

TEST_P(PageReplicaTest, WhatIsRolledBackIsNotCommitted) {
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

TEST_P(PageReplicaTest, AStoreIsMadeOnceAndAsAWhole) {
  MakeStore("once");
  const std::string local = directory_ / "once";
  const Status again = CreatePostgresStore(AddressOf("once"), local);
  EXPECT_EQ(again.code(), StatusCode::kAlreadyExists) << again.ToString();
  EXPECT_EQ(CreatePostgresStore(AddressOf("twice"), local + "-missing").code(),
            StatusCode::kIoError);
  const auto missing =
      OpenPostgresReplica(AddressOf("twice"), directory_ / "a", ReplicaUse::kWrite);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), StatusCode::kStoreNotFound);
}

TEST_P(PageReplicaTest, OneWriterAtATime) {
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

// The queue of writers of different machines, whose own queues are empty.
class MachineQueueTest : public PageReplicaTest {
 protected:
  std::unique_ptr<WriterQueue> QueueOn(const std::string& machine, const std::string& store) {
    return std::make_unique<WriterQueue>(-1, FindPageSource(PathOn(machine, store)));
  }
  // Returns when so many sessions wait for the right to write to the store.
  static void AwaitWaiting(const std::string& store, int64_t count) {
    const auto session = Must(PostgresSession::Connect(AddressOf(store).servers[0]));
    const std::string sql =
        "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objid = "
        "'recall_" +
        SchemaOf(store, 0) + "'::regnamespace";
    while (Must(session->Run(sql.c_str())).Int(0, 0) != count) {
    }
  }
  static void AwaitTurn(WriterQueue& queue) {
    while (!queue.IsOurTurn()) {
    }
  }
};

TEST_P(MachineQueueTest, TurnsComeInTheOrderOfArrival) {
  MakeStore("order");
  const auto a = QueueOn("a", "order");
  const auto b = QueueOn("b", "order");
  const auto c = QueueOn("c", "order");
  const auto d = QueueOn("d", "order");
  EXPECT_TRUE(a->IsOurTurn());
  EXPECT_FALSE(b->IsOurTurn());
  AwaitWaiting("order", 1);
  EXPECT_FALSE(c->IsOurTurn());
  AwaitWaiting("order", 2);
  EXPECT_FALSE(d->IsOurTurn());
  AwaitWaiting("order", 3);
  b->Leave();  // who gives up is not waited for
  a->Leave();
  EXPECT_FALSE(a->IsOurTurn());  // wants to write again: joins at the end of the queue
  AwaitTurn(*c);
  AwaitWaiting("order", 2);
  EXPECT_FALSE(d->IsOurTurn());
  EXPECT_FALSE(a->IsOurTurn());
  c->Leave();
  AwaitTurn(*d);
  EXPECT_FALSE(a->IsOurTurn());
  d->Leave();
  AwaitTurn(*a);
}

TEST_P(MachineQueueTest, TheRightIsKeptFromTheTurnToTheCommit) {
  MakeStore("kept");
  const auto queue = QueueOn("a", "kept");
  const auto next = QueueOn("b", "kept");
  const auto writer = Open(PathOn("a", "kept"), ConnectionMode::kReadWrite, 0);
  const auto rival = Open(PathOn("b", "kept"), ConnectionMode::kReadWrite, 0);
  ASSERT_TRUE(queue->IsOurTurn());
  EXPECT_EQ(rival->BeginImmediate().code(), StatusCode::kBusy);
  ASSERT_FALSE(next->IsOurTurn());
  EXPECT_EQ(rival->BeginImmediate().code(), StatusCode::kBusy);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'one')"));
  AwaitTurn(*next);
  EXPECT_EQ(writer->BeginImmediate().code(), StatusCode::kBusy);
  ASSERT_OK(rival->Execute("INSERT INTO small VALUES(2, 'two')"));
  queue->Leave();
  next->Leave();
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(3, 'three')"));
  EXPECT_EQ(Must(rival->QueryInt("SELECT count(*) FROM small")), 3);
}

// An administrator, or the server after half a minute of silence, ends the session of a writer.
TEST_P(MachineQueueTest, AWriterThatLostItsSessionCommitsNothing) {
  MakeStore("ended");
  const std::string path = PathOn("a", "ended");
  const auto writer = Open(path, ConnectionMode::kReadWrite);
  const auto reader = Open(path, ConnectionMode::kReadOnly);
  const auto queue = QueueOn("a", "ended");
  ASSERT_TRUE(queue->IsOurTurn());
  ASSERT_OK(writer->BeginImmediate());
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'lost')"));
  RunOn("ended", 0,
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted");
  AwaitTurn(*QueueOn("b", "ended"));
  // The reader's question makes the connection again, without the right.
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM small")), 0);
  const Status committed = writer->Execute("COMMIT");
  EXPECT_FALSE(committed.ok());
  writer->Execute("ROLLBACK").IgnoreError();
  queue->Leave();
  EXPECT_EQ(Epochs("ended"), 1);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(2, 'again')"));
  EXPECT_EQ(Must(reader->QueryText("SELECT a FROM small")), "again");
}

// Connections of one process share a replica, but not the right to write.
TEST_P(PageReplicaTest, AReaderBesideTheWriterDoesNotEndItsTransaction) {
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

TEST_P(PageReplicaTest, AReaderStaysAtItsCommit) {
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

// A question must not wait for an export, nor a commit.
TEST_P(PageReplicaTest, AReaderOfAnOldCommitDelaysNobody) {
  MakeStore("old");
  const std::string first = PathOn("a", "old", ReplicaUse::kRead);
  const auto old = Open(first, ConnectionMode::kReadOnly);
  ASSERT_OK(old->Execute("BEGIN"));
  EXPECT_EQ(Must(old->QueryInt("SELECT count(*) FROM small")), 0);
  EXPECT_EQ(PathOn("a", "old", ReplicaUse::kRead), first) << "it is at the newest commit";

  const auto writer = Open(PathOn("a", "old"), ConnectionMode::kReadWrite, 0);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'new')"));
  EXPECT_EQ(Connection::Open(first, {.busy_timeout_ms = 0}).error().code(), StatusCode::kBusy);
  const std::string second = PathOn("a", "old", ReplicaUse::kRead);
  EXPECT_NE(second, first);
  const auto reader = Open(second, ConnectionMode::kReadOnly, 0);
  EXPECT_EQ(Must(reader->QueryText("SELECT a FROM small")), "new");
  EXPECT_EQ(Must(old->QueryInt("SELECT count(*) FROM small")), 0);

  ASSERT_OK(old->Execute("COMMIT"));
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(2, 'newer')"));
  EXPECT_EQ(PathOn("a", "old", ReplicaUse::kRead), first);
  EXPECT_EQ(Must(old->QueryInt("SELECT count(*) FROM small")), 2);
}

// The pages are damaged on the server, so that they can only come from the machine's own replicas.
TEST_P(PageReplicaTest, APageIsFetchedOnceForAMachine) {
  MakeStore("fetched");
  const auto writer = Open(PathOn("a", "fetched"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO large VALUES(1, zeroblob(900000))"));
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'old')"));
  const std::string first = Contents(*writer);
  ASSERT_OK(Open(PathOn("b", "fetched"), ConnectionMode::kReadWrite)
                ->Execute("INSERT INTO small VALUES(2, 'new')"));
  const std::string second = Contents(*Open(PathOn("b", "fetched"), ConnectionMode::kReadOnly));
  const std::string damage =
      "UPDATE $S.page SET data = '' WHERE epoch < " + std::to_string(Epochs("fetched"));
  for (size_t i = 0; i < servers(); ++i) RunOn("fetched", i, damage);

  const auto reader = Open(PathOn("a", "fetched", ReplicaUse::kRead), ConnectionMode::kReadOnly);
  EXPECT_EQ(Contents(*reader), second);
  EXPECT_EQ(Contents(*writer), second);
  const auto stranger = Open(PathOn("c", "fetched", ReplicaUse::kRead), ConnectionMode::kReadOnly);
  EXPECT_EQ(stranger->QueryInt("SELECT count(*) FROM large").error().code(),
            StatusCode::kCorruption);
}

TEST_P(PageReplicaTest, ACheckReadsAllFromTheServer) {
  MakeStore("checked");
  const auto writer = Open(PathOn("a", "checked"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'one')"));
  const std::string all = Contents(*writer);
  const std::string path = PathOn("a", "checked", ReplicaUse::kCheck);
  EXPECT_EQ(Contents(*Open(path, ConnectionMode::kReadOnly)), all);
  EXPECT_EQ(Contents(*Open(path, ConnectionMode::kReadOnly)), all);
  for (size_t i = 0; i < servers(); ++i) RunOn("checked", i, "UPDATE $S.page SET data = ''");
  EXPECT_EQ(Contents(*Open(path, ConnectionMode::kReadOnly)), all) << "one check fetches once";
  EXPECT_EQ(PathOn("a", "checked", ReplicaUse::kCheck), path);
  const auto next = Connection::Open(path, {});
  const auto found = next ? (*next)->QueryInt("SELECT count(*) FROM small") : Fail(next.error());
  EXPECT_EQ(found.error().code(), StatusCode::kCorruption);
}

TEST_P(PageReplicaTest, AServerThatIsGoneIsNamed) {
  MakeStore("gone");
  const auto writer = Open(PathOn("a", "gone"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'kept')"));
  server_->Kill();
  const auto failed = writer->QueryInt("SELECT count(*) FROM small");
  const Status lost = writer->Execute("INSERT INTO small VALUES(2, 'lost')");
  server_->Start();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code(), StatusCode::kIoError);
  EXPECT_NE(failed.error().message().find(AddressOf("gone").servers[0].shown), std::string::npos)
      << failed.error().ToString();
  EXPECT_FALSE(lost.ok());
  EXPECT_EQ(Must(writer->QueryInt("SELECT count(*) FROM small")), 1);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(3, 'again')"));
  const auto other = Open(PathOn("b", "gone"), ConnectionMode::kReadOnly);
  EXPECT_EQ(Must(other->QueryInt("SELECT sum(id) FROM small")), 4);
}

// A network that is cut: an error within the limit of the address, and nothing wrong afterwards.
TEST_P(PageReplicaTest, ASilentServerIsAnErrorInTime) {
  MakeStore("silent");
  PostgresStore impatient = AddressOf("silent");
  for (PostgresAddress& address : impatient.servers) address.answer_timeout_ms = 3000;
  const auto path = OpenPostgresReplica(impatient, directory_ / "a", ReplicaUse::kWrite);
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

// The SQL block of the section on roles.
std::string GrantsOfManual() {
  std::ifstream file(SourceDir() + "/docs/postgres.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const size_t begin = text.find("```sql\nGRANT");
  return begin == text.npos ? "" : text.substr(begin + 7, text.find("```", begin + 7) - begin - 7);
}

// A cache that may not be larger than 1 MiB, for a store that is.
TEST_P(PageReplicaTest, ACacheIsBounded) {
  MakeStore("bounded");
  PostgresStore store = AddressOf("bounded");
  store.servers[0].cache_bytes = 1 << 20;
  const std::string path =
      Must(OpenPostgresReplica(store, directory_ / "small", ReplicaUse::kWrite));
  const auto writer = Open(PathOn("a", "bounded"), ConnectionMode::kReadWrite);
  for (int i = 0; i < 40; ++i) {
    ASSERT_OK(writer->Execute("INSERT INTO large(a) VALUES(randomblob(200000))"));
  }
  const std::string all = Contents(*writer);
  const auto allocated = [&] {
    struct stat info {};
    ::stat(path.c_str(), &info);
    return static_cast<uint64_t>(info.st_blocks) * 512;
  };
  for (int round = 0; round < 3; ++round) {
    const auto reader = Open(path, ConnectionMode::kReadOnly);  // with an empty page cache
    EXPECT_EQ(Contents(*reader), all);
    EXPECT_GT(allocated(), store.servers[0].cache_bytes);  // one statement needs more
    for (int i = 0; i < 12; ++i) EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM small")), 0);
    EXPECT_LE(allocated(), store.servers[0].cache_bytes + (256 << 10));
  }
  ASSERT_OK(Open(path, ConnectionMode::kReadWrite)->Execute("INSERT INTO small VALUES(1, 'x')"));
  EXPECT_EQ(Must(writer->QueryText("PRAGMA integrity_check")), "ok");
}

PageServer::PageReader PagesOf(uint8_t byte) {
  return [byte](uint32_t, std::span<uint8_t> page) {
    std::ranges::fill(page, byte);
    return true;
  };
}

// The first byte of a page at an epoch, or why it cannot be fetched.
std::string FirstByte(PageServer& server, const PageEpoch& epoch, uint32_t number) {
  std::string found;
  const Status fetched =
      server.Fetch(epoch, {number}, [&](uint32_t, std::span<const uint8_t> page) {
        found += static_cast<char>(page[0]);
        return Status::Ok();
      });
  return fetched.ok() ? found : std::string(StatusCodeName(fetched.code()));
}

// Of two versions of a page, the older one goes when no reader may need it.
TEST_P(PageReplicaTest, SupersededPagesAreDeleted) {
  MakeStore("superseded");
  const auto group = Must(PageServerGroup::Connect(AddressOf("superseded")));
  ASSERT_TRUE(Must(group->TryLock()));
  const auto server = ServerOf("superseded", 0);
  const uint32_t pages = Must(group->Newest({})).epoch.pages;
  const PageEpoch second{2, 22, pages};
  const PageEpoch third{3, 33, pages};
  ASSERT_OK(group->Commit(second, {1, 2}, PagesOf('b')));
  ASSERT_TRUE(Must(group->TryLock()));
  ASSERT_OK(group->Commit(third, {2, 3}, PagesOf('c')));
  EXPECT_EQ(FirstByte(*server, second, 2), "b");
  ASSERT_OK(group->DeleteSuperseded(3600));  // all are younger
  EXPECT_EQ(FirstByte(*server, second, 2), "b");
  ASSERT_OK(group->DeleteSuperseded(0));
  EXPECT_EQ(FirstByte(*server, second, 2), "snapshot_expired");
  std::string newest;
  for (const uint32_t number : {1, 2, 3}) newest += FirstByte(*server, third, number);
  EXPECT_EQ(newest, "bcc");
  EXPECT_EQ(Must(group->Newest({})).epoch, third);
  EXPECT_EQ(Must(group->ChangedPages(1, 3)), (std::vector<uint32_t>{1, 2, 3}));
}

// More than one statement deletes.
TEST_P(PageReplicaTest, ManySupersededPagesAreDeletedInParts) {
  MakeStore("many");
  const auto group = Must(PageServerGroup::Connect(AddressOf("many")));
  constexpr uint32_t kPages = 3000;
  std::vector<uint32_t> all(kPages);
  std::iota(all.begin(), all.end(), 1U);
  for (const int64_t epoch : {2, 3}) {
    ASSERT_TRUE(Must(group->TryLock()));
    ASSERT_OK(group->Commit({epoch, epoch, kPages}, all, PagesOf(static_cast<char>('a' + epoch))));
  }
  ASSERT_OK(group->DeleteSuperseded(0));
  EXPECT_EQ(FirstByte(*ServerOf("many", 0), {3, 3, kPages}, 1), "d");
  int64_t left = 0;
  for (size_t server = 0; server < servers(); ++server) {
    const auto session = Must(PostgresSession::Connect(AddressOf("many").servers[server]));
    const std::string sql = "SELECT count(*) FROM recall_" + SchemaOf("many", server) + ".page";
    left += Must(session->Run(sql.c_str())).Int(0, 0);
  }
  EXPECT_EQ(left, kPages);
}

// A primary fails, and its standby takes over without the last commits. Others get their numbers.
TEST_P(PageReplicaTest, CommitsThatTheServerLostAreForgotten) {
  MakeStore("lost");
  const auto reader = Open(PathOn("a", "lost"), ConnectionMode::kReadOnly);
  const auto writer = Open(PathOn("b", "lost"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'kept')"));
  const int64_t kept = Epochs("lost");
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(2, 'lost')"));
  ASSERT_OK(writer->Execute("INSERT INTO large VALUES(1, zeroblob(300000))"));
  EXPECT_EQ(Must(reader->QueryText("SELECT group_concat(a) FROM small")), "kept,lost");
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM large")), 1);
  for (size_t i = 0; i < servers(); ++i) {
    for (const char* table : {"page", "epoch"}) {
      RunOn("lost", i,
            std::string("DELETE FROM $S.") + table + " WHERE epoch > " + std::to_string(kept));
    }
  }
  PageSource& of_reader = *FindPageSource(PathOn("a", "lost"));
  PageSource& of_writer = *FindPageSource(PathOn("b", "lost"));
  EXPECT_EQ(of_reader.TakeWarning(), "");
  EXPECT_EQ(Must(reader->QueryText("SELECT group_concat(a) FROM small")), "kept");
  // The machine of the reader has seen the newest of the two alone.
  EXPECT_NE(of_reader.TakeWarning().find("the server lacks the last commit that this machine"),
            std::string::npos);
  EXPECT_EQ(Must(reader->QueryText("SELECT group_concat(a) FROM small")), "kept");
  EXPECT_EQ(of_reader.TakeWarning(), "") << "it has been told";
  const auto other = Open(PathOn("c", "lost"), ConnectionMode::kReadWrite);
  for (const char* word : {"new", "newer"}) {
    ASSERT_OK(other->Execute("INSERT INTO small(a) VALUES('" + std::string(word) + "')"));
  }
  EXPECT_EQ(Epochs("lost"), kept + 2);
  EXPECT_EQ(FindPageSource(PathOn("c", "lost"))->TakeWarning(), "");
  EXPECT_EQ(Must(writer->QueryText("SELECT group_concat(a) FROM small")), "kept,new,newer");
  EXPECT_NE(of_writer.TakeWarning().find("the server lacks the last 2 commits that this machine"),
            std::string::npos);
  for (Connection* each : {writer.get(), reader.get(), other.get()}) {
    EXPECT_EQ(Must(each->QueryText("SELECT group_concat(a) FROM small")), "kept,new,newer");
    EXPECT_EQ(Must(each->QueryText("PRAGMA integrity_check")), "ok");
    EXPECT_EQ(Must(each->QueryInt("SELECT count(*) FROM large")), 0);
  }
}

// The commit that was lost and the one with its number leave the same change counter and sizes.
TEST_P(PageReplicaTest, PagesOfALostCommitAreNotKeptInMemory) {
  MakeStore("memory");
  const auto writer = Open(PathOn("a", "memory"), ConnectionMode::kReadWrite);
  const auto reader = Open(PathOn("a", "memory", ReplicaUse::kRead), ConnectionMode::kReadOnly);
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'kept')"));
  const std::string kept = std::to_string(Epochs("memory"));
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(2, 'lost')"));
  for (Connection* each : {writer.get(), reader.get()}) {
    EXPECT_EQ(Must(each->QueryText("SELECT group_concat(a) FROM small")), "kept,lost");
  }
  for (size_t i = 0; i < servers(); ++i) {
    RunOn("memory", i, "DELETE FROM $S.page WHERE epoch > " + kept);
    RunOn("memory", i, "DELETE FROM $S.epoch WHERE epoch > " + kept);
  }
  ASSERT_OK(Open(PathOn("b", "memory"), ConnectionMode::kReadWrite)
                ->Execute("INSERT INTO small VALUES(3, 'new')"));
  for (Connection* each : {writer.get(), reader.get()}) {
    EXPECT_EQ(Must(each->QueryText("SELECT group_concat(a) FROM small")), "kept,new");
    EXPECT_EQ(Must(each->QueryText("PRAGMA integrity_check")), "ok");
  }
}

// The statements of docs/postgres.md, as the owner of the store runs them.
TEST_P(PageReplicaTest, RolesReadAndWrite) {
  MakeStore("roles");
  const std::string sql = GrantsOfManual();
  ASSERT_NE(sql.find("recall_main"), std::string::npos);
  std::string statements =
      "DO $$ BEGIN CREATE ROLE reader LOGIN; CREATE ROLE writer LOGIN; "
      "EXCEPTION WHEN duplicate_object THEN NULL; END $$";
  for (size_t i = 0; i < servers(); ++i) {
    RunOn("roles", i, statements);
    for (std::string_view rest = sql; !rest.empty();) {
      const size_t end = std::min(rest.find(';'), rest.size());
      std::string statement(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      for (size_t at = statement.find("recall_main"); at != statement.npos;
           at = statement.find("recall_main")) {
        statement.replace(at, 11, "$S");
      }
      RunOn("roles", i, statement);
    }
  }
  const auto path_of = [&](const std::string& role) {
    PostgresStore store = AddressOf("roles");
    for (PostgresAddress& address : store.servers) {
      const size_t at = address.conninfo.find("recall@");
      address.conninfo.replace(at, 6, role);
      address.shown.replace(at, 6, role);
    }
    return Must(OpenPostgresReplica(store, directory_ / role, ReplicaUse::kWrite));
  };
  const auto writer = Open(path_of("writer"), ConnectionMode::kReadWrite);
  for (int i = 0; i < 70; ++i) {  // superseded pages are deleted meanwhile
    ASSERT_OK(writer->Execute("INSERT INTO small(a) VALUES('by the writer')"));
  }
  const auto reader = Open(path_of("reader"), ConnectionMode::kReadWrite);
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM small")), 70);
  const Status refused = reader->Execute("INSERT INTO small(a) VALUES('by the reader')");
  EXPECT_NE(refused.message().find("permission denied"), std::string::npos) << refused.ToString();
  // To look at the network and to run the command again does not help.
  EXPECT_NE(refused.hint().find("ask the owner"), std::string::npos) << refused.hint();
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM small")), 70);
  ASSERT_OK(writer->Execute("INSERT INTO small(a) VALUES('again')"));
}

TEST_P(PageReplicaTest, NewerFormatsAndBadIdentitiesAreRefused) {
  MakeStore("newer");
  RunOn("newer", 0, "UPDATE $S.store SET value = '2' WHERE key = 'format'");
  const auto newer = OpenPostgresReplica(AddressOf("newer"), directory_ / "a", ReplicaUse::kWrite);
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().code(), StatusCode::kUnsupported);
  RunOn("newer", 0, "UPDATE $S.store SET value = '1' WHERE key = 'format'");
  for (size_t i = 0; i < servers(); ++i) {
    RunOn("newer", i, "UPDATE $S.store SET value = '../../x' WHERE key = 'id'");
  }
  const auto bad = OpenPostgresReplica(AddressOf("newer"), directory_ / "a", ReplicaUse::kWrite);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code(), StatusCode::kCorruption);
}

// A process of replica_crash_writer.
class CrashWriter final {
 public:
  CrashWriter(const std::string& address, const std::string& cache) {
    int ends[2];
    EXPECT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const std::string program = BuildDir() + "/tests/storage/replica_crash_writer";
    process_ = ::fork();
    if (process_ == 0) {
      ::dup2(ends[1], STDOUT_FILENO);
      ::execl(program.c_str(), program.c_str(), address.c_str(), cache.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
  }

  // Kills it. Returns: the number of commits that it was told of.
  int64_t Kill() {
    ::kill(process_, SIGKILL);
    EXPECT_EQ(::waitpid(process_, &status_, 0), process_);
    int64_t commits = 0;
    for (char byte; ::read(output_, &byte, 1) == 1;) ++commits;
    ::close(output_);
    return commits;
  }
  // After Kill: whether it had not ended by itself.
  bool was_killed() const { return WIFSIGNALED(status_); }

 private:
  pid_t process_ = -1;
  int output_ = -1;
  int status_ = 0;
};

void Pause(uint64_t nanoseconds) {
  const timespec pause{.tv_sec = 0, .tv_nsec = static_cast<long>(nanoseconds)};
  ::nanosleep(&pause, nullptr);
}

// A writer is killed; or the server under a writer; or the server stops for a while. What was
// committed is there, and at most one transaction whose end the writer did not learn. RECALL_KILLS
// is the number of rounds.
TEST_P(PageReplicaTest, KilledWritersAndServersLoseNothing) {
  MakeStore("killed");
  const char* const text = std::getenv("RECALL_KILLS");
  const int rounds = text == nullptr ? 12 : std::atoi(text);
  SplitMix64 random(TestSeed(9));
  int64_t rows = 0;
  int64_t unknown = 0;
  for (int round = 0; round < rounds; ++round) {
    CrashWriter writer(AddressText("killed"), directory_ / "writer");
    Pause(100'000'000 + random.Next() % 200'000'000);
    int64_t committed = 0;
    switch (round % 4) {
      case 0:
        server_->Kill();
        committed = writer.Kill();
        server_->Start();
        break;
      case 2:
        server_->Pause();
        Pause(random.Next() % 100'000'000);
        if (round % 8 == 2) committed = writer.Kill();
        server_->Resume();
        if (round % 8 != 2) {
          Pause(random.Next() % 100'000'000);
          committed = writer.Kill();
        }
        EXPECT_TRUE(writer.was_killed()) << "the writer failed";
        break;
      default:
        committed = writer.Kill();
        EXPECT_TRUE(writer.was_killed()) << "the writer failed";
    }
    // In odd rounds the next user has the killed writer's cache.
    const std::string path = PathOn(round % 2 == 0 ? "reader" : "writer", "killed");
    const auto reader = Open(path, ConnectionMode::kReadWrite);
    // The server may still commit what it received before the writer was killed. A writer waits for
    // that.
    ASSERT_TRUE(reader->BeginImmediate().ok());
    const int64_t small = Must(reader->QueryInt("SELECT count(*) FROM small"));
    EXPECT_EQ(small, Must(reader->QueryInt("SELECT count(*) FROM large")));
    EXPECT_EQ(Must(reader->QueryText("PRAGMA integrity_check")), "ok");
    ASSERT_TRUE(reader->Execute("ROLLBACK").ok());
    EXPECT_GE(small, rows + committed);
    EXPECT_LE(small, rows + committed + 1);
    unknown += small - rows - committed;
    rows = small;
    if (rows > 200) {  // so that all rounds take the same time
      ASSERT_OK(reader->Execute("DELETE FROM small; DELETE FROM large"));
      rows = 0;
    }
  }
  std::printf("%d rounds, %lld commits whose end was unknown\n", rounds,
              static_cast<long long>(unknown));
}

INSTANTIATE_TEST_SUITE_P(OneAndThreeServers, PageReplicaTest, ::testing::Values(1, 3));
INSTANTIATE_TEST_SUITE_P(OneAndThreeServers, MachineQueueTest, ::testing::Values(1, 3));

// Citus distributes a table by a column of each of its keys
// (https://docs.citusdata.com/en/stable/develop/reference_ddl.html), and joins distributed tables
// by that column alone.
TEST_P(PageReplicaTest, PagesCanBeDistributedByTheirNumber) {
  MakeStore("citus");
  const auto session = Must(PostgresSession::Connect(AddressOf("citus").servers[0]));
  const std::string table = "'recall_" + SchemaOf("citus", 0) + ".page'::regclass";
  const auto count = [&](const std::string& sql) {
    return Must(session->Run(sql.c_str())).Int(0, 0);
  };
  const std::string keys =
      "SELECT count(*) FROM pg_index WHERE indisunique AND indrelid = " + table;
  EXPECT_EQ(count(keys), 1);
  EXPECT_EQ(count(keys + " AND (SELECT attnum FROM pg_attribute WHERE attrelid = indrelid AND "
                         "attname = 'number') = ANY(indkey)"),
            1);
  EXPECT_EQ(count("SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = " + table),
            0);
}

// What only several servers can do wrong.
using SeveralServersTest = PageReplicaTest;

TEST_P(SeveralServersTest, AllAreNamedInTheirOrder) {
  MakeStore("order");
  const PostgresStore right = AddressOf("order");
  for (const std::vector<size_t>& order :
       {std::vector<size_t>{0, 2, 1}, {1, 0, 2}, {0, 1}, {0}, {0, 1, 2, 2}}) {
    PostgresStore wrong{.servers = {}, .shown = "wrong " + ::testing::PrintToString(order)};
    for (const size_t i : order) wrong.servers.push_back(right.servers[i]);
    const auto opened = OpenPostgresReplica(wrong, directory_ / "a", ReplicaUse::kWrite);
    ASSERT_FALSE(opened) << wrong.shown;
    EXPECT_EQ(opened.error().code(), StatusCode::kInvalidArgument) << opened.error().ToString();
    EXPECT_NE(opened.error().hint().find("in the order"), std::string::npos);
  }
  MakeStore("another");
  PostgresStore mixed = right;
  mixed.shown = "mixed";
  mixed.servers[1] = AddressOf("another").servers[1];
  const auto opened = OpenPostgresReplica(mixed, directory_ / "a", ReplicaUse::kWrite);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message().find("another store"), std::string::npos);
}

TEST_P(SeveralServersTest, PagesAreOnAllServers) {
  MakeStore("spread");
  const auto writer = Open(PathOn("a", "spread"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO large VALUES(1, zeroblob(8000000))"));
  for (size_t i = 0; i < servers(); ++i) {
    const auto session = Must(PostgresSession::Connect(AddressOf("spread").servers[i]));
    const std::string sql =
        "SELECT count(DISTINCT number) FROM recall_" + SchemaOf("spread", i) + ".page";
    EXPECT_GT(Must(session->Run(sql.c_str())).Int(0, 0), 30) << i;
  }
}

// A writer that ends between the commit on the second server and that on the first.
TEST_P(SeveralServersTest, WhatIsNotOnTheFirstServerIsNoCommit) {
  MakeStore("orphans");
  const auto writer = Open(PathOn("a", "orphans"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO large VALUES(1, zeroblob(8000000))"));
  const PageEpoch before = Must(ServerOf("orphans", 0)->Newest({})).epoch;
  const auto dead = ServerOf("orphans", 1);
  const int64_t number = Must(ServerOf("orphans", 0)->NextWriter());
  const PageEpoch orphan{before.number + 1, 77, before.pages};
  ASSERT_OK(dead->Begin());
  ASSERT_OK(dead->Fence(number, orphan.number));
  ASSERT_OK(dead->End(dead->InsertEpoch(orphan, {17, 18, 19, 20}, PagesOf('x'))));

  const auto reader = Open(PathOn("b", "orphans"), ConnectionMode::kReadOnly);
  EXPECT_EQ(Must(reader->QueryText("PRAGMA integrity_check")), "ok");
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'next')"));  // takes the same number
  EXPECT_EQ(Epochs("orphans"), orphan.number);
  EXPECT_EQ(Must(reader->QueryText("PRAGMA integrity_check")), "ok");
  EXPECT_EQ(Must(reader->QueryText("SELECT a FROM small")), "next");
  const auto other = Open(PathOn("c", "orphans"), ConnectionMode::kReadOnly);
  EXPECT_EQ(Must(other->QueryText("PRAGMA integrity_check")), "ok");

  // It wakes up, and goes on.
  ASSERT_OK(dead->Begin());
  const Status late = dead->End(dead->Fence(number, orphan.number));
  EXPECT_EQ(late.code(), StatusCode::kBusy) << late.ToString();
  const auto fresh = Open(PathOn("d", "orphans"), ConnectionMode::kReadOnly);
  EXPECT_EQ(Must(fresh->QueryText("PRAGMA integrity_check")), "ok");
}

// The first server is a standby that took over and lacks the last writers.
TEST_P(SeveralServersTest, WritersAreNumberedAcrossAFailover) {
  MakeStore("numbers");
  const auto writer = Open(PathOn("a", "numbers"), ConnectionMode::kReadWrite);
  RunOn("numbers", 0, "UPDATE $S.writer SET number = 5");
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(1, 'one')"));
  RunOn("numbers", 0, "UPDATE $S.writer SET number = 2");
  ASSERT_OK(writer->Execute("INSERT INTO small VALUES(2, 'two')"));
  const auto reader = Open(PathOn("b", "numbers"), ConnectionMode::kReadOnly);
  EXPECT_EQ(Must(reader->QueryInt("SELECT count(*) FROM small")), 2);
}

TEST_P(SeveralServersTest, AServerThatLacksCommitsIsNamed) {
  MakeStore("behind");
  const auto writer = Open(PathOn("a", "behind"), ConnectionMode::kReadWrite);
  ASSERT_OK(writer->Execute("INSERT INTO large VALUES(1, zeroblob(8000000))"));
  const std::string newest = std::to_string(Epochs("behind"));
  RunOn("behind", 2, "DELETE FROM $S.page WHERE epoch >= " + newest);
  RunOn("behind", 2, "DELETE FROM $S.epoch WHERE epoch >= " + newest);
  const auto reader = Open(PathOn("b", "behind"), ConnectionMode::kReadOnly);
  const auto read = reader->QueryInt("SELECT sum(length(hex(a))) FROM large");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code(), StatusCode::kCorruption) << read.error().ToString();
  EXPECT_NE(read.error().message().find(AddressOf("behind").servers[2].shown), std::string::npos);
}

// A primary that dies, and a standby that takes over. The address names both.
TEST(StandbyTest, TakesOverWithAllCommits) {
  PostgresTestServer primary;
  PostgresTestServer standby(primary);
  TempDir directory;
  {
    ASSERT_OK_AND_ASSIGN(const auto made,
                         Connection::Open(directory / "made", {.mode = ConnectionMode::kCreate}));
    ASSERT_OK(made->Execute(kTables));
    ASSERT_OK(made->Execute("PRAGMA journal_mode=DELETE"));
  }
  const std::string hosts = primary.socket_directory() + "," + standby.socket_directory();
  const PostgresStore both = Must(ParsePostgresStore(
      "postgres://recall@/postgres?target_session_attrs=read-write&host=" + hosts));
  ASSERT_OK(CreatePostgresStore(both, directory / "made"));
  const std::string path = Must(OpenPostgresReplica(both, directory / "a", ReplicaUse::kWrite));
  const auto writer = Must(Connection::Open(path, {.mode = ConnectionMode::kReadWrite}));
  ASSERT_OK(writer->Execute("INSERT INTO small(a) VALUES('one')"));
  ASSERT_OK(writer->Execute("INSERT INTO large(a) VALUES(zeroblob(300000))"));

  // The standby answers readers.
  const PostgresStore second =
      Must(ParsePostgresStore("postgres://recall@/postgres?host=" + standby.socket_directory()));
  const std::string standby_path =
      Must(OpenPostgresReplica(second, directory / "b", ReplicaUse::kWrite));
  const auto reader = Must(Connection::Open(standby_path, {.mode = ConnectionMode::kReadOnly}));
  EXPECT_EQ(Must(reader->QueryInt("SELECT length(a) FROM large")), 300000);

  primary.Kill();
  EXPECT_FALSE(writer->Execute("INSERT INTO small(a) VALUES('lost')").ok());
  standby.Promote();
  ASSERT_OK(writer->Execute("INSERT INTO small(a) VALUES('two')"));
  EXPECT_EQ(Must(writer->QueryText("SELECT group_concat(a) FROM small")), "one,two");
  EXPECT_EQ(Must(writer->QueryText("PRAGMA integrity_check")), "ok");
  EXPECT_EQ(Must(reader->QueryText("SELECT group_concat(a) FROM small")), "one,two");

  // The old primary comes back, and is the first that the address names.
  primary.Start();
  const auto opened = OpenPostgresReplica(both, directory / "a", ReplicaUse::kRead);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code(), StatusCode::kIoError);
  EXPECT_NE(opened.error().message().find("timeline 1, but this machine has seen timeline 2"),
            std::string::npos)
      << opened.error().message();
  // A machine that has not seen the standby cannot know.
  ASSERT_OK(OpenPostgresReplica(both, directory / "c", ReplicaUse::kRead));
  EXPECT_EQ(Must(reader->QueryText("SELECT group_concat(a) FROM small")), "one,two");
}

INSTANTIATE_TEST_SUITE_P(ThreeServers, SeveralServersTest, ::testing::Values(3));

}  // namespace
}  // namespace recall
