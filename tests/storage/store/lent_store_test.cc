// A store that is read through the connection of another program.

#include <sqlite3.h>

#include <filesystem>
#include <memory>
#include <string>

#include "storage/documents/document_store.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/lent_connection.h"
#include "storage/store/store.h"
#include "tests/storage/segment/segment_test_util.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

// The program has a connection to the store, of the VFS that writes checksums. Another process, for
// which `writer_` stands, adds documents.
class LentStoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    writer_ = Must(Store::Create(path_, {}));
    AddDocs(1);
    constexpr int kFlags = SQLITE_OPEN_READWRITE;
    ASSERT_EQ(sqlite3_open_v2(path_.c_str(), &host_, kFlags, PageVfs()), SQLITE_OK);
    lender_ = std::make_shared<LentConnection>(host_);
  }
  void TearDown() override { EXPECT_EQ(sqlite3_close(host_), SQLITE_OK) << "a statement is left"; }

  std::unique_ptr<Store> OpenLent() {
    return Must(Store::Open(path_, {.read_only = true, .lender = lender_}));
  }
  void Do(const char* sql) {
    EXPECT_EQ(sqlite3_exec(host_, sql, nullptr, nullptr, nullptr), SQLITE_OK)
        << sql << ": " << sqlite3_errmsg(host_);
  }
  void AddDocs(int count) {
    const auto transaction = Must(writer_->BeginWrite());
    for (int i = 0; i < count; ++i) {
      DocRow doc;
      doc.path = "d" + std::to_string(next_doc_++);
      doc.hash = Sha256(doc.path);
      doc.id = MakeDocId(doc.path, doc.hash);
      doc.size = static_cast<int64_t>(doc.path.size());
      transaction->mutable_counts().docs += 1;
      Must(InsertDoc(*transaction, doc, CompressText(doc.path)));
    }
    ASSERT_OK(transaction->Commit());
  }
  void AddSegment(const SegmentContent& content) {
    const auto transaction = Must(writer_->BeginWrite());
    ASSERT_OK(transaction->InsertSegment(content));
    ASSERT_OK(transaction->Commit());
  }
  static size_t LiveDocs(const ReadTransaction& transaction) {
    return Must(FindLiveDocsUnder(transaction, "")).size();
  }
  static size_t LiveDocs(Store& store) { return LiveDocs(*Must(store.BeginRead())); }
  int TransactionState() { return sqlite3_txn_state(host_, "main"); }

  // Whether the only segment is read in place. Its bytes must be those of `content`.
  bool IsReadInPlace(Store& store, const SegmentContent& content) {
    const auto transaction = Must(store.BeginRead());
    const auto segments = Must(transaction->Segments());
    EXPECT_EQ(segments.size(), 1u);
    for (const SegmentContent::Section& section : content.sections) {
      const SectionView* const view = Must(segments[0]->Section(section.kind));
      EXPECT_TRUE(testing::Shows(*view, section));
    }
    return segments[0]->mapped();
  }

  TempDir dir_;
  std::string path_ = dir_ / "recall.db";
  std::unique_ptr<Store> writer_;
  sqlite3* host_ = nullptr;
  std::shared_ptr<LentConnection> lender_;
  int next_doc_ = 0;
};

TEST_F(LentStoreTest, IsReadInTheTransactionOfTheProgram) {
  const auto store = OpenLent();
  Do("BEGIN; SELECT count(*) FROM doc");
  AddDocs(5);
  EXPECT_EQ(LiveDocs(*store), 1u);
  EXPECT_EQ(Must(store->BeginRead())->counts().docs, 1);
  EXPECT_EQ(TransactionState(), SQLITE_TXN_READ) << "it goes on";
  Do("COMMIT");
  EXPECT_EQ(LiveDocs(*store), 6u);
}

TEST_F(LentStoreTest, WhatIsNotCommittedIsSeen) {
  AddDocs(2);
  const auto store = OpenLent();
  Do("BEGIN; DELETE FROM doc WHERE path = 'd0'");
  EXPECT_EQ(LiveDocs(*store), 2u);
  Do("SAVEPOINT inner; DELETE FROM doc WHERE path = 'd1'");
  EXPECT_EQ(LiveDocs(*store), 1u);
  Do("ROLLBACK TO inner");
  EXPECT_EQ(LiveDocs(*store), 2u);
  Do("ROLLBACK");
  EXPECT_EQ(LiveDocs(*store), 3u);
}

// The program has a running statement, but it does not read "main", so it holds no snapshot.
TEST_F(LentStoreTest, WithoutATransactionOfTheProgramItHasOne) {
  const auto store = OpenLent();
  sqlite3_stmt* running = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(host_, "VALUES(1), (2)", -1, &running, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_step(running), SQLITE_ROW);
  {
    const auto transaction = Must(store->BeginRead());
    AddDocs(5);
    EXPECT_EQ(LiveDocs(*transaction), 1u);
  }
  EXPECT_EQ(TransactionState(), SQLITE_TXN_NONE);
  EXPECT_EQ(LiveDocs(*store), 6u);
  EXPECT_EQ(sqlite3_step(running), SQLITE_ROW) << "the program's statement goes on";
  EXPECT_EQ(sqlite3_finalize(running), SQLITE_OK);
  EXPECT_NE(sqlite3_get_autocommit(host_), 0);
}

TEST_F(LentStoreTest, SegmentsAreReadThroughSqliteWhileTheProgramWrites) {
  const SegmentContent content = testing::MakeContent(1, 900);
  AddSegment(content);
  const auto store = OpenLent();
  EXPECT_TRUE(IsReadInPlace(*store, content));
  Do("BEGIN; CREATE TABLE own(x); INSERT INTO own VALUES(zeroblob(1000000))");
  EXPECT_FALSE(IsReadInPlace(*store, content));
  EXPECT_FALSE(IsReadInPlace(*OpenLent(), content));
  Do("ROLLBACK");
  EXPECT_TRUE(IsReadInPlace(*store, content));
  // What the program has committed is in the WAL alone.
  Do("PRAGMA wal_autocheckpoint=0; CREATE TABLE own(x)");
  EXPECT_FALSE(IsReadInPlace(*OpenLent(), content));
  Do("PRAGMA wal_checkpoint");
  EXPECT_TRUE(IsReadInPlace(*store, content));
  EXPECT_TRUE(IsReadInPlace(*OpenLent(), content));
}

// Mapping the path would read the new file, while SQLite still reads the old one.
TEST_F(LentStoreTest, AFileThatWasReplacedIsNotMapped) {
  const SegmentContent content = testing::MakeContent(1, 900);
  AddSegment(content);
  writer_.reset();
  Do("SELECT count(*) FROM doc");
  std::filesystem::rename(path_, dir_ / "moved.db");
  std::filesystem::copy_file(dir_ / "moved.db", path_);
  EXPECT_FALSE(IsReadInPlace(*OpenLent(), content));
}

TEST_F(LentStoreTest, OlderCommitsAreReadThroughAnotherConnection) {
  const int64_t first = Must(OpenLent()->BeginRead())->counts().commit_sequence;
  AddDocs(5);
  const auto store = OpenLent();
  {
    const auto then = Must(store->BeginReadAt({first}));
    EXPECT_EQ(then->counts().docs, 1);
    EXPECT_EQ(LiveDocs(*then), 1u);
    EXPECT_NE(then->connection().handle(), host_);
  }
  EXPECT_EQ(Must(store->BeginReadAt({first + 1}))->connection().handle(), host_);
  const auto never = store->BeginReadAt({first + 2});
  ASSERT_FALSE(never);
  EXPECT_EQ(never.error().code(), StatusCode::kNotFound);
  EXPECT_EQ(TransactionState(), SQLITE_TXN_NONE);
}

TEST_F(LentStoreTest, AnInterruptOfTheStoreIsNotOneOfTheProgram) {
  const auto store = OpenLent();
  store->Interrupt();
  const auto begun = store->BeginRead();
  ASSERT_FALSE(begun);
  EXPECT_EQ(begun.error().code(), StatusCode::kCancelled);
  Do("SELECT count(*) FROM doc");
  EXPECT_EQ(LiveDocs(*OpenLent()), 1u);
}

TEST_F(LentStoreTest, OnlyTablesThatAreNotHiddenCanBeBorrowed) {
  EXPECT_TRUE(CanBorrow(host_));
  Do("CREATE TABLE own(x); CREATE VIEW own_view AS SELECT * FROM own; CREATE TEMP TABLE mine(x)");
  EXPECT_TRUE(CanBorrow(host_)) << "it has more tables";
  Do("CREATE TEMP TABLE Doc(x)");
  EXPECT_FALSE(CanBorrow(host_));
  Do("DROP TABLE temp.Doc; CREATE TEMP VIEW lexicon_data AS SELECT 1");
  EXPECT_FALSE(CanBorrow(host_));
  Do("DROP VIEW lexicon_data");
  EXPECT_TRUE(CanBorrow(host_));
  Do("BEGIN; ALTER TABLE doc ADD COLUMN more");
  EXPECT_FALSE(CanBorrow(host_)) << "a table has another shape";
  Do("ROLLBACK; BEGIN; ALTER TABLE link RENAME TO old; CREATE VIEW link AS SELECT * FROM old");
  EXPECT_FALSE(CanBorrow(host_)) << "a view has the place of a table";
  Do("ROLLBACK");
  EXPECT_TRUE(CanBorrow(host_));
}

}  // namespace
}  // namespace recall
