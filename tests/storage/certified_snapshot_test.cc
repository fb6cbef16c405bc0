#include "storage/region/certified_snapshot.h"

#include "tests/storage/segment_test_util.h"

namespace recall::testing {
namespace {

class CertifiedSnapshotTest : public ::testing::Test {
 protected:
  std::unique_ptr<Connection> Open(ConnectionMode mode = ConnectionMode::kReadWrite,
                                   bool immutable = false) {
    return Must(Connection::Open(path_, {.mode = mode, .immutable = immutable}));
  }

  SnapshotHome Certified(Connection& connection) {
    const SnapshotHome home = Must(BeginCertifiedSnapshot(connection));
    EXPECT_OK(connection.Execute("COMMIT"));
    return home;
  }

  TempDir dir_;
  const std::string path_ = dir_ / "recall.db";
};

constexpr char kInsert[] = "INSERT INTO other(body) VALUES('x')";

TEST_F(CertifiedSnapshotTest, RollbackJournalNeedsNoCertificate) {
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

TEST_F(CertifiedSnapshotTest, WalIsCopiedFirst) {
  CreateSegmentFile(path_, {});
  const auto connection = Open();
  ASSERT_OK(connection->Execute(kInsert));
  EXPECT_EQ(Must(BeginSnapshot(*connection)), SnapshotHome::kPerhapsInWal);
  ASSERT_OK(connection->Execute("COMMIT"));
  EXPECT_EQ(Certified(*connection), SnapshotHome::kMainFile);
}

TEST_F(CertifiedSnapshotTest, AnOldReaderPreventsIt) {
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

// A commit that slips in between the checkpoint and BEGIN: a hook of the reader's own connection
// makes it, right when BEGIN is prepared.
TEST_F(CertifiedSnapshotTest, ACommitBetweenCheckpointAndBeginPreventsIt) {
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

TEST_F(CertifiedSnapshotTest, AnImmutableFileIsItsOwnSnapshot) {
  CreateSegmentFile(path_, {});  // WAL mode, at rest
  const auto connection = Open(ConnectionMode::kReadOnly, true);
  EXPECT_EQ(Must(BeginSnapshot(*connection)), SnapshotHome::kMainFile);
  ASSERT_OK(connection->Execute("COMMIT"));
}

TEST_F(CertifiedSnapshotTest, TellsWriteTransactions) {
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
