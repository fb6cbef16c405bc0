// Compares runs that we write with an index of the same rows that FTS5 has written. Leaves are
// small, so that lists extend over many leaves, with indexes of several levels.

#include "storage/fts5/fts_batch.h"

#include <sqlite3.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "storage/fts5/fts_merge.h"
#include "storage/fts5/fts_structure.h"
#include "storage/fts5/fts_vocabulary.h"
#include "tests/storage/fts5/fts_fixture.h"
#include "tests/storage/fts5/fts_token_sums.h"

namespace recall {
namespace {

struct Row {
  std::string body;
  std::string compound;
};

class FtsBatchTest : public FtsFixture {
 protected:
  void SetUp() override {
    FtsFixture::SetUp();
    ASSERT_OK_AND_ASSIGN(oracle_,
                         Connection::Open(dir_ / "oracle.db", {.mode = ConnectionMode::kCreate}));
    ASSERT_OK(MigrateSchema(*oracle_));
    ASSERT_OK(oracle_->Execute("PRAGMA synchronous=OFF"));
  }

  void OnBoth(const std::string& sql) {
    ASSERT_OK(connection_->Execute(sql));
    ASSERT_OK(oracle_->Execute(sql));
  }
  void Configure(const std::string& option, int value) {
    OnBoth("INSERT INTO lexicon(lexicon, rank) VALUES('" + option + "', " + std::to_string(value) +
           ")");
  }

  // The first words of the vocabulary are much more frequent; some words repeat many times.
  std::string RandomText(size_t words) {
    std::string text;
    for (size_t i = 0; i < words; ++i) {
      const double fraction = static_cast<double>(random_() >> 11) * 0x1p-53;
      const auto word = static_cast<size_t>(std::pow(vocabulary_.size(), fraction)) - 1;
      const uint64_t times = random_() % 100 == 0 ? random_() % 200 : 1;
      for (uint64_t t = 0; t < times; ++t) text += (text.empty() ? "" : " ") + vocabulary_[word];
    }
    return text;
  }

  // Adds the rows of a document to the batch, and to FTS5 one by one.
  void AddDocument(uint32_t rows) {
    const uint32_t first = next_;
    for (; next_ < first + rows; ++next_) {
      Row row{RandomText(random_() % 40), RandomText(random_() % 3)};
      builder_.AddRow(row.body, row.compound);
      ASSERT_OK(InsertFtsRow(*oracle_, next_, row.body, row.compound));
      rows_[next_] = std::move(row);
    }
    batch_.Add(first, builder_.Take());
    next_ += static_cast<uint32_t>(random_() % 3 == 0 ? random_() % 100'000 : 0);
  }
  void DeleteRow() {
    const auto victim = std::next(rows_.begin(), static_cast<int64_t>(random_() % rows_.size()));
    const auto& [row, texts] = *victim;
    ASSERT_OK(DeleteFtsRow(*connection_, row, texts.body, texts.compound));
    ASSERT_OK(DeleteFtsRow(*oracle_, row, texts.body, texts.compound));
    rows_.erase(victim);
  }
  void Write() { ASSERT_OK(batch_.Write(*connection_)); }

  static std::vector<std::string> Instances(Connection& connection) {
    std::vector<std::string> found;
    EXPECT_OK(ScanFtsInstances(connection, [&](const FtsInstance& instance) {
      found.push_back(std::string(instance.term) + " " + std::to_string(instance.row) +
                      (instance.compound ? " c " : " b ") + std::to_string(instance.offset));
      return Status::Ok();
    }));
    return found;
  }
  static std::vector<int64_t> Rows(Connection& connection, const std::string& sql) {
    std::vector<int64_t> rows;
    Statement select = Must(connection.Prepare(sql));
    while (Must(select.Step())) rows.push_back(select.ColumnInt(0));
    return rows;
  }
  static std::string Totals(Connection& connection) {
    Statement select = Must(connection.Prepare("SELECT hex(block) FROM lexicon_data WHERE id = 1"));
    return Must(select.Step()) ? std::string(select.ColumnText(0)) : "none";
  }

  // Compares all instances, and queries for which FTS5 skips within a list, in both directions.
  void ExpectSame() {
    ASSERT_EQ(Instances(*connection_), Instances(*oracle_));
    ASSERT_EQ(Totals(*connection_), Totals(*oracle_));
    for (const char* match : {"w0", "w0 AND w90", "w1 AND w50 AND w2", "\"w0 w0\"", "w1*"}) {
      for (const char* order : {"", " DESC"}) {
        const std::string sql = "SELECT rowid FROM lexicon WHERE lexicon MATCH '" +
                                std::string(match) + "' ORDER BY rowid" + order;
        ASSERT_EQ(Rows(*connection_, sql), Rows(*oracle_, sql)) << sql;
      }
    }
    OnBoth("INSERT INTO lexicon(lexicon) VALUES('integrity-check')");
    ExpectAuditAgrees(*connection_);
    ExpectAuditAgrees(*oracle_);
  }

  // Outside of a write transaction, an audit accepts what either of us has written, and reads what
  // FTS5 reads.
  static void ExpectAuditAgrees(Connection& connection) {
    const bool writing = sqlite3_txn_state(connection.handle(), "main") == SQLITE_TXN_WRITE;
    if (!writing) ASSERT_OK(connection.Execute("BEGIN"));
    FtsTokenSums sums;
    ASSERT_OK_AND_ASSIGN(const bool known, ReadByAudit(connection, &sums));
    EXPECT_EQ(known, !writing);
    if (writing) return;
    EXPECT_EQ(sums, Must(ReadByFts5(connection)));
    ASSERT_OK(connection.Execute("ROLLBACK"));
  }

  // A level has fewer than sixteen runs, unless a merge in progress will include them.
  void ExpectNoFullLevel() {
    const auto levels = Must(ReadFtsLevels(*connection_));
    const bool in_progress =
        std::ranges::any_of(levels, [](const FtsLevel& level) { return level.merging > 0; });
    for (const FtsLevel& level : levels) ASSERT_LT(level.runs.size(), in_progress ? 48u : 16u);
  }
  // Adds one row in a transaction of its own.
  void AddRow(const std::string& body) {
    ASSERT_OK(connection_->BeginImmediate());
    builder_.AddRow(body, "");
    batch_.Add(next_++, builder_.Take());
    Write();
    ASSERT_OK(connection_->Execute("COMMIT"));
  }
  static std::string Numbers(int first, int count) {
    std::string text;
    for (int i = 0; i < count; ++i) text += "w" + std::to_string(7 * (first + i)) + " ";
    return text;
  }
  static int64_t Count(Connection& connection, const std::string& from) {
    return Must(connection.QueryInt("SELECT count(*) FROM " + from));
  }

  static std::vector<std::string> Vocabulary() {
    std::vector<std::string> words;
    for (int i = 0; i < 120; ++i) words.push_back("w" + std::to_string(i));
    // Lengths around multiples of eight, the unit in which tokens are processed, with differences
    // in or near the last byte.
    for (const size_t size : {7u, 8u, 9u, 15u, 16u, 17u, 23u, 24u, 25u, 64u}) {
      for (const char* last : {"a", "b", "\xc3\xa9"}) {
        words.push_back(std::string(size, 'a') + last);
        words.push_back(std::string(size - 5, 'a') + last + "aaaa");
      }
    }
    return words;
  }

  std::unique_ptr<Connection> oracle_;
  FtsPostingsBuilder builder_;
  FtsBatch batch_;
  std::mt19937_64 random_{TestSeed(43)};
  const std::vector<std::string> vocabulary_ = Vocabulary();
  std::map<uint32_t, Row> rows_;
  uint32_t next_ = 0;
};

class FtsBatchLeafTest : public FtsBatchTest, public ::testing::WithParamInterface<int> {};

TEST_P(FtsBatchLeafTest, EqualsWhatFts5Writes) {
  Configure("pgsz", GetParam());
  for (int round = 0; round < 40; ++round) {
    ASSERT_OK(connection_->BeginImmediate());
    ASSERT_OK(oracle_->BeginImmediate());
    for (uint64_t documents = 1 + random_() % 20; documents > 0; --documents) {
      AddDocument(static_cast<uint32_t>(random_() % 6));
      if (random_() % 10 == 0) Write();
      // FTS5's own pending changes, and the structure that it caches.
      if (random_() % 20 == 0 && !rows_.empty() && batch_.empty()) DeleteRow();
      if (random_() % 20 == 0) Rows(*connection_, "SELECT rowid FROM lexicon('w1')");
    }
    Write();
    if (random_() % 6 == 0) Configure("merge", random_() % 2 == 0 ? 3 : -3);  // part of a merge
    if (round % 2 == 0) ExpectSame();
    OnBoth("COMMIT");
    if (round % 2 == 1) ExpectSame();
    ExpectNoFullLevel();
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
  OnBoth("INSERT INTO lexicon(lexicon) VALUES('optimize')");
  ExpectSame();
}

// A row whose positions extend over many leaves, numbers of the maximum length, and a list so long
// that its index is a tree.
TEST_P(FtsBatchLeafTest, EqualsItForLongLists) {
  Configure("pgsz", GetParam());
  Row row;
  for (int i = 0; i < 3000; ++i) row.body += i % 300 == 0 ? "often " : "other ";
  for (int i = 0; i < 200; ++i) row.compound += "often ";
  ASSERT_OK(connection_->BeginImmediate());
  ASSERT_OK(oracle_->BeginImmediate());
  const auto add = [&](uint32_t number) {
    builder_.AddRow(row.body, row.compound);
    batch_.Add(number, builder_.Take());
    ASSERT_OK(InsertFtsRow(*oracle_, number, row.body, row.compound));
  };
  for (const uint32_t number : {0u, 5u, 6u, 3'000'000'000u}) add(number);
  row = {"w0 w90 often", ""};
  for (uint32_t i = 0; i < 20'000; ++i) add(3'000'000'001 + 7 * i);
  row = {"w0", "w0"};
  add(4'294'967'295);
  Write();
  OnBoth("COMMIT");
  ExpectSame();
  // The indexes exist, and are listed where FTS5 looks for them.
  for (const char* from : {"lexicon_idx WHERE pgno & 1", "lexicon_data WHERE id & (1 << 36)"}) {
    EXPECT_EQ(Count(*connection_, from), Count(*oracle_, from)) << from;
  }
  EXPECT_GT(Count(*connection_, "lexicon_data WHERE id & (1 << 36)"), 0);
  const int64_t longest =
      Must(connection_->QueryInt("SELECT max(length(block)) FROM lexicon_data "
                                 "WHERE id > 10 AND NOT id & (1 << 36)"));
  EXPECT_LE(longest, GetParam() + 32);
  EXPECT_GT(longest, GetParam() - 32);
}

// The bytes of positions of a row, which precede them, have one to three digits.
TEST_P(FtsBatchLeafTest, EqualsItForRowsOfAnySize) {
  Configure("pgsz", GetParam());
  ASSERT_OK(connection_->BeginImmediate());
  ASSERT_OK(oracle_->BeginImmediate());
  uint32_t row = next_;
  for (const int times : {1, 62, 63, 64, 65, 8189, 8190, 8191, 8192, 20'000}) {
    for (const char* compound : {"", "w0 w90", "w90"}) {
      std::string body;
      for (int i = 0; i < times; ++i) body += "w0 ";
      builder_.AddRow(body, compound);
      ASSERT_OK(InsertFtsRow(*oracle_, row++, body, compound));
    }
  }
  batch_.Add(next_, builder_.Take());
  Write();
  OnBoth("COMMIT");
  ExpectSame();
}

INSTANTIATE_TEST_SUITE_P(LeafBytes, FtsBatchLeafTest, ::testing::Values(32, 100, 1000, 4050));

// Varints that we write for FTS5 are read back unchanged, and have the minimum length.

TEST_F(FtsBatchTest, WritesNothingOfNothing) {
  const std::string before = Totals(*connection_);
  ASSERT_OK(connection_->BeginImmediate());
  Write();
  ASSERT_OK(connection_->Execute("COMMIT"));
  EXPECT_EQ(Totals(*connection_), before);
  EXPECT_TRUE(Must(ReadFtsLevels(*connection_)).empty());
}

// A later version of FTS5 may have other pages. Nothing is written into such an index.
TEST_F(FtsBatchTest, DoesNotWriteIntoAnUnknownVersion) {
  {
    const FtsTablesAccess access(*connection_);
    ASSERT_OK(connection_->Execute("UPDATE lexicon_config SET v = 5 WHERE k = 'version'"));
  }
  ASSERT_OK(connection_->BeginImmediate());
  builder_.AddRow("lost", "");
  batch_.Add(1, builder_.Take());
  EXPECT_EQ(batch_.Write(*connection_).code(), StatusCode::kUnsupported);
  ASSERT_OK(connection_->Execute("ROLLBACK"));
  EXPECT_EQ(Count(*connection_, "lexicon_idx"), 0);
}

// Rows without tokens are counted, too.
TEST_F(FtsBatchTest, CountsRowsWithoutTokens) {
  ASSERT_OK(connection_->BeginImmediate());
  ASSERT_OK(oracle_->BeginImmediate());
  for (uint32_t row = 0; row < 3; ++row) {
    builder_.AddRow("", "");
    ASSERT_OK(InsertFtsRow(*oracle_, row, "", ""));
  }
  batch_.Add(0, builder_.Take());
  Write();
  OnBoth("COMMIT");
  ExpectSame();
}

// FTS5 gets texts that have the same postings.
TEST_F(FtsBatchTest, LeavesWritingToFts5IfItsFormatMustNotBeReliedOn) {
  const auto reopen = [&](const SqliteFeatures& features) {
    connection_.reset();
    ASSERT_OK_AND_ASSIGN(
        connection_, Connection::Open(dir_ / "recall.db",
                                      {.mode = ConnectionMode::kReadWrite, .features = features}));
    ASSERT_OK(connection_->Execute("PRAGMA synchronous=OFF"));
  };
  for (int round = 0; round < 40; ++round) {
    // Other rounds write runs of our own.
    reopen({.fts_format = round % 3 == 0});
    ASSERT_OK(connection_->BeginImmediate());
    ASSERT_OK(oracle_->BeginImmediate());
    for (uint64_t documents = 1 + random_() % 9; documents > 0; --documents) {
      AddDocument(static_cast<uint32_t>(random_() % 6));
      if (random_() % 10 == 0) Write();
    }
    Write();
    if (!rows_.empty()) DeleteRow();
    OnBoth("COMMIT");
    bool more = round % 10 == 9;
    for (bool first = true; more; first = false) {
      ASSERT_OK(connection_->BeginImmediate());
      ASSERT_OK_AND_ASSIGN(more, MergeFts(*connection_, first));
      ASSERT_OK(connection_->Execute("COMMIT"));
    }
    if (HasFatalFailure()) FAIL() << "round " << round;
  }
  reopen({});
  ExpectSame();
}

TEST_F(FtsBatchTest, LeavesNothingOfATransactionRolledBack) {
  ASSERT_OK(connection_->BeginImmediate());
  builder_.AddRow("kept", "");
  batch_.Add(1, builder_.Take());
  Write();
  ASSERT_OK(connection_->Execute("COMMIT"));
  const std::vector<std::string> before = Instances(*connection_);
  ASSERT_OK(connection_->BeginImmediate());
  builder_.AddRow("lost", "");
  batch_.Add(2, builder_.Take());
  Write();
  EXPECT_EQ(Rows(*connection_, "SELECT rowid FROM lexicon('lost')"), std::vector<int64_t>{2});
  ASSERT_OK(connection_->Execute("ROLLBACK"));
  EXPECT_EQ(Instances(*connection_), before);
  EXPECT_EQ(Rows(*connection_, "SELECT rowid FROM lexicon('lost')"), std::vector<int64_t>{});
}

// Runs that follow an unfinished merge are merged nevertheless.
TEST_F(FtsBatchTest, DoesNotWaitForAMergeThatWasLeft) {
  Configure("pgsz", 32);
  for (int i = 0; i < 5; ++i) AddRow(Numbers(i, 300));
  Configure("merge", -3);
  const auto merging = [this] {
    int64_t runs = 0;
    for (const FtsLevel& level : Must(ReadFtsLevels(*connection_))) runs += level.merging;
    return runs;
  };
  ASSERT_EQ(merging(), 5);
  AddRow(Numbers(0, 3));
  EXPECT_EQ(merging(), 5) << "it is still in progress";
  for (int i = 1; i < 400; ++i) {
    AddRow(Numbers(i, 3));
    ExpectNoFullLevel();
    if (HasFatalFailure()) FAIL() << "row " << i;
  }
  EXPECT_EQ(Rows(*connection_, "SELECT count(*) FROM lexicon('w700')"), std::vector<int64_t>{8});
  ASSERT_OK(connection_->Execute("INSERT INTO lexicon(lexicon) VALUES('integrity-check')"));
}

// New runs do not end the merge of a purge, which must remove every trace of the deleted row.
TEST_F(FtsBatchTest, LetsAPurgeComeToItsEnd) {
  Configure("pgsz", 32);
  for (const int meanwhile : {0, 3, 12, 20}) {
    const std::string secret = Numbers(3, 1000) + "zzsecret";
    AddRow(secret);
    for (int i = 0; i < 20; ++i) AddRow(Numbers(i, 1000) + "zzz");
    ASSERT_OK(DeleteFtsRow(*connection_, next_ - 21, secret, ""));
    int steps = 0;
    for (bool more = true; more; ++steps) {
      ASSERT_OK(connection_->BeginImmediate());
      ASSERT_OK_AND_ASSIGN(more, MergeFts(*connection_, steps == 0));
      ASSERT_OK(connection_->Execute("COMMIT"));
      for (int i = 0; steps == 0 && i < meanwhile; ++i) AddRow(Numbers(i, 3));
    }
    EXPECT_GT(steps, 2);
    EXPECT_EQ(Count(*connection_, "lexicon_data WHERE instr(block, CAST('secret' AS BLOB))"), 0)
        << meanwhile;
  }
}

TEST_F(FtsBatchTest, WritesTheYoungestRun) {
  for (int i = 0; i < 20; ++i) AddRow(Numbers(i, 5));
  const auto before = Must(ReadFtsLevels(*connection_));
  AddRow("last");
  const auto after = Must(ReadFtsLevels(*connection_));
  ASSERT_EQ(after.size(), before.size());
  ASSERT_EQ(after[0].runs.size(), before[0].runs.size() + 1);
  EXPECT_EQ(after[1].runs.size(), before[1].runs.size());
  for (size_t i = 0; i < before[0].runs.size(); ++i) {
    EXPECT_EQ(after[0].runs[i].id, before[0].runs[i].id);
  }
}

TEST_F(FtsBatchTest, MergesSixteenRunsOfALevel) {
  for (int i = 0; i < 5 * 16 + 3; ++i) AddRow(Numbers(i, 3));
  std::vector<size_t> runs;
  for (const FtsLevel& level : Must(ReadFtsLevels(*connection_))) {
    EXPECT_EQ(level.merging, 0);
    runs.push_back(level.runs.size());
  }
  EXPECT_EQ(runs, (std::vector<size_t>{3, 5}));
}

// FTS5's tables are write-protected again, and its settings are restored.
TEST_F(FtsBatchTest, LeavesFts5AsItWas) {
  for (int i = 0; i < 20; ++i) AddRow(Numbers(i, 5));
  EXPECT_FALSE(connection_->Execute("DELETE FROM lexicon_data").ok());
  EXPECT_EQ(Must(connection_->QueryInt("SELECT v FROM lexicon_config WHERE k = 'usermerge'")), 4);
}

// Two connections write in turns, with pending changes in FTS5, some of which are rolled back to a
// savepoint. Neither may use the structure that its FTS5 has cached.
TEST_F(FtsBatchTest, GoesByWhatOtherConnectionsHaveWritten) {
  ASSERT_OK_AND_ASSIGN(const auto other,
                       Connection::Open(dir_ / "recall.db", {.mode = ConnectionMode::kReadWrite}));
  int64_t kept = 0;
  for (uint32_t round = 0; round < 40; ++round) {
    Connection& writer = round % 2 == 0 ? *connection_ : *other;
    ASSERT_OK(writer.BeginImmediate());
    ASSERT_OK(InsertFtsRow(writer, next_++, "first", ""));
    ASSERT_OK(writer.Execute("SAVEPOINT half"));
    ASSERT_OK(InsertFtsRow(writer, next_++, "second", ""));
    builder_.AddRow("ours", "");
    batch_.Add(next_++, builder_.Take());
    ASSERT_OK(batch_.Write(writer));
    const bool keeps = round % 3 != 0;
    ASSERT_OK(writer.Execute(keeps ? "RELEASE half" : "ROLLBACK TO half"));
    kept += keeps ? 1 : 0;
    ASSERT_OK(InsertFtsRow(writer, next_++, "third", ""));
    ASSERT_OK(writer.Execute("COMMIT"));
    for (Connection* reader : {connection_.get(), other.get()}) {
      EXPECT_EQ(Count(*reader, "lexicon('first')"), round + 1);
      EXPECT_EQ(Count(*reader, "lexicon('second')"), kept);
      EXPECT_EQ(Count(*reader, "lexicon('ours')"), kept);
      EXPECT_EQ(Count(*reader, "lexicon('third')"), round + 1);
    }
  }
  ASSERT_OK(other->Execute("INSERT INTO lexicon(lexicon) VALUES('integrity-check')"));
}

TEST_F(FtsBatchTest, CutsTokensThatAreLongerThanAnyOfOurs) {
  const std::string cut(FtsPostingsBuilder::kMaxTokenBytes, 'x');
  ASSERT_OK(connection_->BeginImmediate());
  builder_.AddRow(cut + "yz a " + cut + "z b " + cut, "");
  batch_.Add(1, builder_.Take());
  Write();
  ASSERT_OK(connection_->Execute("COMMIT"));
  EXPECT_EQ(Instances(*connection_), (std::vector<std::string>{"a 1 b 1", "b 1 b 3", cut + " 1 b 0",
                                                               cut + " 1 b 2", cut + " 1 b 4"}));
}

// A damaged or missing list of runs is rejected.
TEST_F(FtsBatchTest, RefusesADamagedListOfRuns) {
  for (const char* damage : {"UPDATE lexicon_data SET block = x'000000000501' WHERE id = 10",
                             "UPDATE lexicon_data SET block = x'00' WHERE id = 10",
                             "DELETE FROM lexicon_data WHERE id = 10"}) {
    sqlite3_db_config(connection_->handle(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    ASSERT_OK(connection_->Execute(damage));
    sqlite3_db_config(connection_->handle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    ASSERT_OK(connection_->BeginImmediate());
    builder_.AddRow("word", "");
    batch_.Add(1, builder_.Take());
    EXPECT_EQ(batch_.Write(*connection_).code(), StatusCode::kCorruption) << damage;
    ASSERT_OK(connection_->Execute("ROLLBACK"));
    batch_ = FtsBatch();
  }
}

}  // namespace
}  // namespace recall
