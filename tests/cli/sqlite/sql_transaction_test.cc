// The store that is the database "main" of a connection is read in the transaction of that
// connection. The program, which has connections of its own, is the oracle.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/sqlite/recall_functions.h"
#include "tests/cli/sqlite/sql_fixture.h"

namespace recall {
namespace {

constexpr const char* kEgrets =
    "SELECT path FROM recall_search('egret', 8, NULL, NULL, '{\"bm25\": true}')";
constexpr const char* kFishAnswer = "SELECT DISTINCT answer FROM recall_search('fish')";

class SqlTransactionTest : public SqlTest {
 protected:
  void SetUp() override { MakeStore(); }

  // Another process adds a document.
  void AddEgret() {
    Write("birds/egret.md", "# Egret\n\nAn egret wades in the shallows.\n");
    ASSERT_EQ(Run({"add", "birds", "--tag", "birds"}).exit, 0);
  }
  // The store as a program opens it that writes to it. Requires: a connection with the functions,
  // which has registered the VFS.
  std::string WritableName() const { return "file:" + Path("recall.db") + "?vfs=recall-pages"; }

  static int State(const SqlConnection& sql) { return sqlite3_txn_state(sql.handle(), "main"); }
};

TEST_F(SqlTransactionTest, ASnapshotIsKept) {
  SqlConnection sql(Path("recall.db"));
  sql.Do("BEGIN");
  EXPECT_FALSE(sql.Rows("SELECT path FROM recall_search('fish')").empty());
  AddEgret();
  EXPECT_EQ(sql.Rows(kEgrets), SqlRows());
  EXPECT_EQ(sql.Value("SELECT count(*) FROM doc"), "3") << "as the host's own statements";
  EXPECT_NE(sql.Error("SELECT recall_get('birds/egret.md')"), "");
  sql.Do("COMMIT");
  EXPECT_EQ(sql.Rows(kEgrets), (SqlRows{{"birds/egret.md"}}));
}

// A host is not to write to the tables of a store. It shows what is read.
TEST_F(SqlTransactionTest, WhatIsNotCommittedIsSeenUntilItIsRolledBack) {
  const SqlConnection first(Path("recall.db"));
  SqlConnection sql(WritableName());
  const auto tag = [&] { return sql.Value("SELECT recall_call('ls') ->> '$.results[2].doc.tag'"); };
  const std::string query =
      "SELECT json ->> '$.doc.tag' FROM recall_query('FROM doc FILTER doc.path = ''plan.txt'' "
      "SELECT doc.path, doc.tag')";
  EXPECT_EQ(sql.Value(query), "NULL");
  sql.Do("BEGIN; UPDATE doc SET tag = 'plans' WHERE path = 'plan.txt'");
  EXPECT_EQ(sql.Value(query), "plans");
  sql.Do("SAVEPOINT inner; UPDATE doc SET tag = 'other' WHERE path = 'plan.txt'");
  EXPECT_EQ(sql.Value(query), "other");
  EXPECT_EQ(tag(), "other");
  sql.Do("ROLLBACK TO inner");
  EXPECT_EQ(sql.Value(query), "plans");
  sql.Do("ROLLBACK");
  EXPECT_EQ(sql.Value(query), "NULL");
}

TEST_F(SqlTransactionTest, AnswersHaveTheSameBytesWhileTheHostWrites) {
  const SqlConnection first(Path("recall.db"));
  SqlConnection sql(WritableName());
  sql.Do(R"(SELECT recall_options('{"stable": true}'))");
  const std::vector<std::string> questions = {
      kFishAnswer,
      "SELECT DISTINCT answer FROM recall_search('heronn pond')",
      "SELECT DISTINCT answer FROM recall_context('fish', 100)",
      "SELECT DISTINCT answer FROM recall_similar('birds/heron.md')",
      "SELECT recall_call('grep', '{\"pattern\": \"fish\"}')",
      "SELECT recall_call('ls')"};
  std::vector<std::string> before;
  before.reserve(questions.size());
  for (const std::string& question : questions) before.push_back(sql.Value(question));
  EXPECT_EQ(before[0] + "\n", Run({"search", "fish", "--cite", "--json", "--stable"}).out);
  sql.Do("BEGIN; CREATE TABLE owner(path TEXT PRIMARY KEY, name TEXT)");
  sql.Do("INSERT INTO owner SELECT path, 'Ann' FROM recall_search('heron', 1)");
  for (size_t i = 0; i < questions.size(); ++i) {
    EXPECT_EQ(sql.Value(questions[i]), before[i]) << questions[i];
  }
  EXPECT_EQ(sql.Rows("SELECT found.path, name FROM recall_search('fish') AS found "
                     "JOIN owner USING(path)"),
            (SqlRows{{"birds/heron.md", "Ann"}}));
  sql.Do("COMMIT");
  EXPECT_EQ(sql.Value(kFishAnswer), before[0]);
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

TEST_F(SqlTransactionTest, NothingIsLeftInTheConnection) {
  SqlConnection sql(Path("recall.db"));
  const std::string settings =
      "PRAGMA query_only; PRAGMA cache_size; PRAGMA mmap_size; PRAGMA temp_store; "
      "PRAGMA busy_timeout; PRAGMA synchronous; PRAGMA wal_autocheckpoint; PRAGMA cell_size_check";
  const SqlRows before = sql.Rows(settings);
  EXPECT_FALSE(sql.Rows("SELECT path FROM recall_search('heronn pond')").empty());
  EXPECT_EQ(State(sql), SQLITE_TXN_NONE);
  EXPECT_NE(sqlite3_get_autocommit(sql.handle()), 0);
  EXPECT_EQ(sql.Rows(settings), before);
  EXPECT_EQ(sql.Value("SELECT count(*) FROM temp.sqlite_schema"), "0");
  sql.Do("BEGIN");
  EXPECT_NE(sql.Error("SELECT * FROM recall_search('')"), "");
  EXPECT_EQ(sqlite3_get_autocommit(sql.handle()), 0) << "an error does not end the transaction";
  sql.Do("COMMIT; VACUUM INTO '" + Path("copy.db") + "'");
}

TEST_F(SqlTransactionTest, FunctionsCanBeRegisteredAgain) {
  SqlConnection sql(Path("recall.db"));
  const SqlRows before = sql.Rows("SELECT path FROM recall_search('fish')");
  const Status again = RegisterRecall(sql.handle());
  EXPECT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('fish')"), before);
}

// SQLite closes no connection that has statements.
TEST_F(SqlTransactionTest, AConnectionIsClosedWhateverWasAskedLast) {
  const std::vector<std::string> statements = {
      kFishAnswer, "SELECT recall_cite('plan.txt')", "SELECT recall_call('ls', 'no json')",
      "SELECT recall_get('nowhere.md')", "SELECT * FROM recall_search('x', 0)"};
  for (const std::string& statement : statements) {
    SqlConnection sql(Path("recall.db"));
    sql.Error(statement);
    EXPECT_EQ(sql.Close(), SQLITE_OK) << statement;
  }
}

// The host interrupts as soon as one of the statements of the function begins: the first, the
// second, and so on, until the function has no more.
TEST_F(SqlTransactionTest, AnInterruptEndsTheFunction) {
  SqlConnection sql(Path("recall.db"));
  struct Trace {
    sqlite3* handle;
    int statements = 0;
    int interrupt_at = 0;
  } trace{sql.handle()};
  const auto note = [](unsigned, void* to, void*, void*) {
    auto* const noted = static_cast<Trace*>(to);
    if (++noted->statements == noted->interrupt_at) sqlite3_interrupt(noted->handle);
    return 0;
  };
  sqlite3_trace_v2(sql.handle(), SQLITE_TRACE_STMT, note, &trace);
  const std::string found = sql.Value(kFishAnswer);
  ASSERT_GT(trace.statements, 5) << "it is read through the connection";
  const int all = trace.statements;
  for (int at = 2; at <= all; ++at) {
    trace.statements = 0;
    trace.interrupt_at = at;
    const std::string message = sql.Error(kFishAnswer);
    if (trace.statements < at) break;  // the later ones are needed once only
    EXPECT_EQ(message, "interrupted") << at;
    EXPECT_EQ(sqlite3_errcode(sql.handle()), SQLITE_INTERRUPT) << at;
    EXPECT_EQ(State(sql), SQLITE_TXN_NONE) << at;
  }
  trace.interrupt_at = 0;
  EXPECT_EQ(sql.Value(kFishAnswer), found);
}

TEST_F(SqlTransactionTest, AProgressHandlerOfTheHostEndsTheFunction) {
  SqlConnection sql(Path("recall.db"));
  int calls = 0;
  const auto stop = [](void* count) { return ++*static_cast<int*>(count) > 20 ? 1 : 0; };
  sqlite3_progress_handler(sql.handle(), 10, stop, &calls);
  EXPECT_EQ(sql.Error(kFishAnswer), "interrupted");
  sqlite3_progress_handler(sql.handle(), 0, nullptr, nullptr);
  EXPECT_FALSE(sql.Rows("SELECT path FROM recall_search('fish')").empty());
}

// Recall's statements would read a temporary table in place of the one of the store.
TEST_F(SqlTransactionTest, ATableThatHidesOneOfTheStoreChangesNothing) {
  SqlConnection sql(Path("recall.db"));
  sql.Do(R"(SELECT recall_options('{"stable": true}'))");
  const std::string before = sql.Value(kFishAnswer);
  sql.Do("CREATE TEMP TABLE chunk(id); CREATE TEMP VIEW doc AS SELECT 1 AS id");
  EXPECT_EQ(sql.Value(kFishAnswer), before);
  sql.Do("DROP TABLE temp.chunk; DROP VIEW temp.doc");
  EXPECT_EQ(sql.Value(kFishAnswer), before);
}

TEST_F(SqlTransactionTest, AnOlderCommitIsReadBeside) {
  SqlConnection sql(Path("recall.db"));
  const std::string token = sql.Value("SELECT recall_call('stats') ->> '$.stats.snapshot'");
  AddEgret();
  EXPECT_EQ(sql.Rows(kEgrets).size(), 1u);
  EXPECT_EQ(sql.Rows("SELECT path FROM recall_search('egret', 8, NULL, NULL, '{\"bm25\": true, "
                     "\"snapshot\": \"" +
                     token + "\"}')"),
            SqlRows());
  EXPECT_EQ(sql.Value("SELECT count(*) FROM temp.sqlite_schema"), "0");
}

TEST_F(SqlTransactionTest, AnAttachedStoreIsReadBeside) {
  SqlConnection sql(":memory:");
  sql.Do("ATTACH '" + Path("recall.db") + "' AS birds");
  sql.Do("BEGIN");
  EXPECT_EQ(sql.Value("SELECT count(*) FROM birds.doc"), "3");
  AddEgret();
  EXPECT_EQ(sql.Rows(kEgrets).size(), 1u) << "the newest commit";
  EXPECT_EQ(sql.Value("SELECT count(*) FROM birds.doc"), "3");
  sql.Do("COMMIT");
}

// Another connection would wait for the lock.
TEST_F(SqlTransactionTest, AFileThatTheHostHasLockedIsRead) {
  SqlConnection sql(Path("recall.db"));
  sql.Do("PRAGMA locking_mode=EXCLUSIVE; BEGIN IMMEDIATE");
  EXPECT_FALSE(sql.Rows("SELECT path FROM recall_search('fish')").empty());
  sql.Do("ROLLBACK; PRAGMA locking_mode=NORMAL; SELECT count(*) FROM doc");
}

}  // namespace
}  // namespace recall
