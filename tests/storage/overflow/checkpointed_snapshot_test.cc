#include "storage/overflow/checkpointed_snapshot.h"

#include "storage/overflow/file_mapping.h"
#include "storage/sqlite/writer_queue.h"
#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {
namespace {

class CheckpointedSnapshotTest : public ::testing::Test {
 protected:
  std::unique_ptr<Connection> Open(ConnectionMode mode = ConnectionMode::kReadWrite,
                                   bool immutable = false) {
    return Must(Connection::Open(path_, {.mode = mode, .immutable = immutable}));
  }

  SnapshotHome Certified(Connection& connection) {
    const SnapshotHome home =
        Must(BeginCheckpointedSnapshot(connection, FileMapping::DescriptorOf(path_)));
    EXPECT_OK(connection.Execute("COMMIT"));
    return home;
  }

  TempDir dir_;
  const std::string path_ = dir_ / "recall.db";
};

constexpr char kInsert[] = "INSERT INTO other(body) VALUES('x')";

TEST_F(CheckpointedSnapshotTest, RollbackJournalNeedsNoCheckpoint) {
  for (const char* journal : {"DELETE", "TRUNCATE", "PERSIST"}) {
    RunSql(path_, "PRAGMA journal_mode=" + std::string(journal) +
                      "; CREATE TABLE IF NOT EXISTS other(id INTEGER PRIMARY KEY, body TEXT)");
    const auto connection = Open();
    EXPECT_EQ(Must(BeginSnapshot(*connection)), SnapshotHome::kMainFile);
    EXPECT_TRUE(connection->InTransaction());
    ASSERT_OK(connection->Execute("COMMIT"));
    EXPECT_EQ(Certified(*connection), SnapshotHome::kMainFile);
  }
}

TEST_F(CheckpointedSnapshotTest, WalIsCopiedFirst) {
  CreateSegmentFile(path_, {});
  const auto connection = Open();
  ASSERT_OK(connection->Execute(kInsert));
  EXPECT_EQ(Must(BeginSnapshot(*connection)), SnapshotHome::kPerhapsInWal);
  ASSERT_OK(connection->Execute("COMMIT"));
  EXPECT_EQ(Certified(*connection), SnapshotHome::kMainFile);
}

TEST_F(CheckpointedSnapshotTest, AnOldReaderPreventsIt) {
  CreateSegmentFile(path_, {});
  const auto writer = Open();
  const auto old_reader = Open();
  ASSERT_OK(BeginSnapshot(*old_reader));
  ASSERT_OK(writer->Execute(kInsert));
  const auto reader = Open(ConnectionMode::kReadOnly);
  EXPECT_EQ(Certified(*reader), SnapshotHome::kPerhapsInWal);
  ASSERT_OK(old_reader->Execute("COMMIT"));
  EXPECT_EQ(Certified(*reader), SnapshotHome::kMainFile);
}

// Compares ReadWalState with the counts of SQLite's checkpoint.
TEST_F(CheckpointedSnapshotTest, TheStateOfTheWalIsAsACheckpointCountsIt) {
  CreateSegmentFile(path_, {});
  const auto writer = Open();
  const auto old_reader = Open();
  const auto reader = Open(ConnectionMode::kReadOnly);
  const auto expect_counted = [&] {
    const auto state = ReadWalState(*reader);
    int frames = 0;
    int copied = 0;
    ASSERT_EQ(sqlite3_wal_checkpoint_v2(reader->handle(), "main", SQLITE_CHECKPOINT_PASSIVE,
                                        &frames, &copied),
              SQLITE_OK);
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(state->frames, static_cast<uint32_t>(frames));
    EXPECT_LE(state->copied, static_cast<uint32_t>(copied));
    EXPECT_EQ(ReadWalState(*reader)->copied, static_cast<uint32_t>(copied));
    EXPECT_EQ(ReadWalState(*reader)->all_copied(), frames == copied);
  };
  for (int round = 0; round < 40; ++round) {
    if (round % 8 == 3) ASSERT_OK(BeginSnapshot(*old_reader));
    if (round % 3 != 1) ASSERT_OK(writer->Execute(kInsert));
    EXPECT_EQ(ReadWalState(*reader)->all_copied(), ReadWalState(*writer)->all_copied());
    expect_counted();
    if (round % 8 == 7) ASSERT_OK(old_reader->Execute("COMMIT"));
  }
}

TEST_F(CheckpointedSnapshotTest, AskingForTheStateOfNoWalMakesNone) {
  RunSql(path_, "PRAGMA journal_mode=DELETE; CREATE TABLE other(id INTEGER PRIMARY KEY)");
  const auto connection = Open();
  EXPECT_FALSE(ReadWalState(*connection).has_value());
  EXPECT_FALSE(std::filesystem::exists(path_ + "-shm"));
}

TEST_F(CheckpointedSnapshotTest, TheIndexOfAnUntestedVersionIsNotRead) {
  CreateSegmentFile(path_, {});
  const auto writer = Open();
  EXPECT_TRUE(ReadWalState(*writer).has_value());
  ASSERT_OK_AND_ASSIGN(const auto untested,
                       Connection::Open(path_, {.features = SqliteFeatures{false, false}}));
  EXPECT_FALSE(ReadWalState(*untested).has_value());
}

TEST_F(CheckpointedSnapshotTest, NothingIsCopiedWhileItIsAnothersTurn) {
  CreateSegmentFile(path_, {});
  const auto writer = Open();
  ASSERT_OK(writer->Execute(kInsert));
  const auto reader = Open(ConnectionMode::kReadOnly);
  WriterQueue turn(FileMapping::DescriptorOf(path_));
  turn.Enter();
  ASSERT_TRUE(turn.IsOurTurn());
  EXPECT_EQ(Certified(*reader), SnapshotHome::kPerhapsInWal);
  EXPECT_EQ(ReadWalState(*reader)->copied, 0u);
  turn.Leave();
  EXPECT_EQ(Certified(*reader), SnapshotHome::kMainFile);
  EXPECT_TRUE(ReadWalState(*reader)->all_copied());
  // If all frames are copied, the check succeeds without a turn in the writer queue.
  turn.Enter();
  EXPECT_EQ(Certified(*reader), SnapshotHome::kMainFile);
}

// A commit between the checkpoint and BEGIN: a trace hook in the reader's connection makes it when
// BEGIN starts.
TEST_F(CheckpointedSnapshotTest, ACommitBetweenCheckpointAndBeginPreventsIt) {
  CreateSegmentFile(path_, {});
  const auto writer = Open();
  const auto reader = Open();
  const auto commit_before_begin = [](unsigned, void* other, void*, void* sql) {
    const char* text = static_cast<const char*>(sql);
    if (std::strcmp(text, "BEGIN") == 0) {
      EXPECT_OK(static_cast<Connection*>(other)->Execute(kInsert));
    }
    return 0;
  };
  sqlite3_trace_v2(reader->handle(), SQLITE_TRACE_STMT, commit_before_begin, writer.get());
  EXPECT_EQ(Certified(*reader), SnapshotHome::kPerhapsInWal);
  sqlite3_trace_v2(reader->handle(), 0, nullptr, nullptr);
  EXPECT_EQ(Certified(*reader), SnapshotHome::kMainFile);
}

TEST_F(CheckpointedSnapshotTest, AnImmutableFileIsItsOwnSnapshot) {
  CreateSegmentFile(path_, {});  // WAL mode, at rest
  const auto connection = Open(ConnectionMode::kReadOnly, true);
  EXPECT_EQ(Must(BeginSnapshot(*connection)), SnapshotHome::kMainFile);
  ASSERT_OK(connection->Execute("COMMIT"));
}

TEST_F(CheckpointedSnapshotTest, ARunningTransactionCanAsk) {
  CreateSegmentFile(path_, {});
  const auto writer = Open();
  const auto reader = Open(ConnectionMode::kReadOnly);
  EXPECT_FALSE(SnapshotIsInMainFile(*reader)) << "no transaction";
  ASSERT_OK(BeginSnapshot(*reader));
  EXPECT_TRUE(SnapshotIsInMainFile(*reader));
  ASSERT_OK(writer->Execute(kInsert));
  EXPECT_FALSE(SnapshotIsInMainFile(*reader)) << "a newer commit may be copied, or not";
  ASSERT_OK(reader->Execute("COMMIT"));
  ASSERT_OK(BeginSnapshot(*reader));
  EXPECT_FALSE(SnapshotIsInMainFile(*reader)) << "its last commit is in the WAL";
  ASSERT_OK(writer->Execute("PRAGMA wal_checkpoint"));
  EXPECT_TRUE(SnapshotIsInMainFile(*reader)) << "now it is copied";
  ASSERT_OK(writer->Execute(kInsert));
  ASSERT_OK(writer->Execute("PRAGMA wal_checkpoint"));
  EXPECT_FALSE(SnapshotIsInMainFile(*reader)) << "a reader keeps newer frames out of the file";
  ASSERT_OK(writer->Execute("BEGIN IMMEDIATE"));
  EXPECT_FALSE(SnapshotIsInMainFile(*writer));
  ASSERT_OK(writer->Execute("COMMIT"));
}

TEST_F(CheckpointedSnapshotTest, TellsWriteTransactions) {
  CreateSegmentFile(path_, {});
  const auto connection = Open();
  EXPECT_FALSE(InWriteTransaction(*connection));
  ASSERT_OK(BeginSnapshot(*connection));
  EXPECT_FALSE(InWriteTransaction(*connection));
  ASSERT_OK(connection->Execute("COMMIT"));
  ASSERT_OK(connection->Execute("BEGIN IMMEDIATE"));
  EXPECT_TRUE(InWriteTransaction(*connection));
  ASSERT_OK(connection->Execute("COMMIT"));
}

}  // namespace
}  // namespace recall::testing
