#include "storage/sqlite/connection.h"

#include <sqlite3.h>

#include <fstream>
#include <future>
#include <thread>

#include "storage/base/bytes.h"
#include "storage/schema/schema.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

std::unique_ptr<Connection> MakeStoreFile(const std::string& path) {
  auto connection = Must(Connection::Open(path, {.mode = ConnectionMode::kCreate}));
  EXPECT_OK(MigrateSchema(*connection));
  return connection;
}

std::string Pragma(Connection& connection, const std::string& name) {
  const auto value = connection.QueryText("PRAGMA " + name);
  return value ? *value : value.error().ToString();
}

TEST(ConnectionTest, WriterPragmasAreInForce) {
  const TempDir dir;
  const auto connection = MakeStoreFile(dir / "recall.db");
  EXPECT_EQ(Pragma(*connection, "page_size"), "65536");
  EXPECT_EQ(Pragma(*connection, "auto_vacuum"), "0");
  EXPECT_EQ(Pragma(*connection, "encoding"), "UTF-8");
  EXPECT_EQ(Pragma(*connection, "journal_mode"), "wal");
  EXPECT_EQ(Pragma(*connection, "cache_size"), "-65536");
  EXPECT_EQ(Pragma(*connection, "secure_delete"), "0");
  EXPECT_EQ(Pragma(*connection, "synchronous"), "3");
  EXPECT_EQ(Pragma(*connection, "journal_size_limit"), "67108864");
  EXPECT_EQ(Pragma(*connection, "mmap_size"), "0");
  EXPECT_EQ(Pragma(*connection, "trusted_schema"), "0");
  EXPECT_EQ(Pragma(*connection, "cell_size_check"), "1");
  EXPECT_EQ(Pragma(*connection, "query_only"), "0");
}

TEST(ConnectionTest, ReaderPragmasAreInForce) {
  const TempDir dir;
  MakeStoreFile(dir / "recall.db");
  ASSERT_OK_AND_ASSIGN(const auto reader, Connection::Open(dir / "recall.db", {}));
  EXPECT_EQ(Pragma(*reader, "cache_size"), "-16384");
  EXPECT_EQ(Pragma(*reader, "query_only"), "1");
  EXPECT_EQ(Pragma(*reader, "mmap_size"), "2147418112");
  EXPECT_EQ(reader->Execute("DELETE FROM doc").code(), StatusCode::kIoError);

  ASSERT_OK_AND_ASSIGN(const auto copying,
                       Connection::Open(dir / "recall.db", {.enable_mapping = false}));
  EXPECT_EQ(Pragma(*copying, "mmap_size"), "0");
}

// Either SQLite checks the cells, or our code does, once per page.
TEST(ConnectionTest, CellsAreCheckedHoweverThePageIsRead) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  ASSERT_OK(MakeStoreFile(path)->Execute(
      "CREATE TABLE x(id INTEGER PRIMARY KEY, b); INSERT INTO x VALUES(1, 10), (2, 20)"));
  int64_t root = 0;
  {
    ASSERT_OK_AND_ASSIGN(const auto reader, Connection::Open(path, {}));
    EXPECT_EQ(Pragma(*reader, "cell_size_check"), "0");
    EXPECT_EQ(*reader->QueryInt("SELECT b FROM x WHERE id = 2"), 20);
    root = *reader->QueryInt("SELECT rootpage FROM sqlite_schema WHERE name = 'x'");
  }
  constexpr std::streamoff kPageBytes = 65536, kFirstPointerAt = 8;
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp((root - 1) * kPageBytes + kFirstPointerAt).write("\xFF\xFF", 2);
  file.close();
  const auto expect_damage = [](Connection& reader) {
    const auto row = reader.QueryInt("SELECT b FROM x WHERE id = 2");
    ASSERT_FALSE(row);
    EXPECT_EQ(row.error().code(), StatusCode::kCorruption);
  };
  constexpr PageVerification kNever = PageVerification::kNever;
  ASSERT_OK_AND_ASSIGN(const auto mapping, Connection::Open(path, {.verify_pages = kNever}));
  expect_damage(*mapping);
  expect_damage(*mapping);
  // Without a mapping, like a page beyond the mapped part of a large file.
  ASSERT_OK(mapping->Execute("PRAGMA mmap_size=0"));
  EXPECT_EQ(Pragma(*mapping, "cell_size_check"), "0");
  expect_damage(*mapping);
  // SQLite reports the damage when it first reads the page, and then uses the page as it is.
  ASSERT_OK_AND_ASSIGN(const auto copying,
                       Connection::Open(path, {.enable_mapping = false, .verify_pages = kNever}));
  expect_damage(*copying);
}

// Pages in a WAL are not read through the mapping.
TEST(ConnectionTest, SqliteChecksCellsWhereThereIsAWal) {
  const TempDir dir;
  const auto writer = MakeStoreFile(dir / "recall.db");
  ASSERT_OK_AND_ASSIGN(const auto reader, Connection::Open(dir / "recall.db", {}));
  EXPECT_EQ(Pragma(*reader, "cell_size_check"), "1");
}

TEST(ConnectionTest, SqliteChecksCellsIfItsVersionWasNotTested) {
  const TempDir dir;
  MakeStoreFile(dir / "recall.db");
  ASSERT_OK_AND_ASSIGN(const auto tested, Connection::Open(dir / "recall.db", {}));
  EXPECT_EQ(Pragma(*tested, "cell_size_check"), "0");
  ASSERT_OK_AND_ASSIGN(
      const auto untested,
      Connection::Open(dir / "recall.db", {.features = SqliteFeatures{false, false}}));
  EXPECT_EQ(Pragma(*untested, "cell_size_check"), "1");
}

TEST(ConnectionTest, MissingFileIsNotFoundAndIsNotMade) {
  const TempDir dir;
  for (const ConnectionMode mode : {ConnectionMode::kReadOnly, ConnectionMode::kReadWrite}) {
    const auto opened = Connection::Open(dir / "recall.db", {.mode = mode});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), StatusCode::kStoreNotFound);
    EXPECT_FALSE(std::filesystem::exists(dir / "recall.db"));
  }
}

TEST(ConnectionTest, OddFileNamesWorkAlsoWhenImmutable) {
  const TempDir dir;
  for (const char* name : {"a?b#c%41.db", "with space.db", "new\nline.db", ":memory:"}) {
    const std::string path = dir / name;
    MakeStoreFile(path);
    ASSERT_TRUE(std::filesystem::exists(path)) << name;
    ASSERT_OK_AND_ASSIGN(const auto reader, Connection::Open(path, {.immutable = true}));
    EXPECT_OK(CheckSchema(*reader));
    EXPECT_TRUE(reader->immutable());
  }
}

TEST(ConnectionTest, RelativeNamesAreOnlyNames) {
  const TempDir dir;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(dir.path());
  for (const char* name : {"recall.db", ":memory:", "file:x.db?mode=memory", "~", "-"}) {
    MakeStoreFile(name);
    EXPECT_TRUE(std::filesystem::exists(dir / name)) << name;
    EXPECT_OK(Connection::Open(name, {.immutable = true}));
  }
  std::filesystem::current_path(before);
}

TEST(StatementTest, ValuesOfAllKindsComeBack) {
  const TempDir dir;
  const auto connection = MakeStoreFile(dir / "recall.db");
  const std::string text("a\0\xff b", 5);
  ASSERT_OK_AND_ASSIGN(Statement echo, connection->Prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7"));
  echo.BindInt(1, INT64_MIN);
  echo.BindDouble(2, 0.1);
  echo.BindText(3, text);
  echo.BindText(4, std::string_view());
  echo.BindBlob(5, AsBytes(text));
  echo.BindBlob(6, {});
  echo.BindNull(7);
  ASSERT_OK_AND_ASSIGN(const bool row, echo.Step());
  ASSERT_TRUE(row);
  EXPECT_EQ(echo.ColumnInt(0), INT64_MIN);
  EXPECT_EQ(echo.ColumnDouble(1), 0.1);
  EXPECT_EQ(echo.ColumnText(2), text);
  EXPECT_FALSE(echo.ColumnIsNull(3));
  EXPECT_EQ(echo.ColumnText(3), "");
  EXPECT_EQ(AsText(echo.ColumnBlob(4)), text);
  EXPECT_FALSE(echo.ColumnIsNull(5));
  EXPECT_TRUE(echo.ColumnIsNull(6));
  EXPECT_EQ(echo.ColumnOptionalInt(6), std::nullopt);
  EXPECT_EQ(echo.ColumnOptionalText(2), text);
  ASSERT_OK_AND_ASSIGN(const bool more, echo.Step());
  EXPECT_FALSE(more);
}

TEST(StatementTest, BindOutOfRangeIsReportedByStep) {
  const TempDir dir;
  const auto connection = MakeStoreFile(dir / "recall.db");
  ASSERT_OK_AND_ASSIGN(Statement statement, connection->Prepare("SELECT ?1"));
  statement.BindInt(2, 7);
  EXPECT_FALSE(statement.Step());
  statement.Reset();
  statement.BindInt(1, 7);
  EXPECT_TRUE(statement.Step());
}

TEST(StatementTest, CachedStatementComesBackClean) {
  const TempDir dir;
  const auto connection = MakeStoreFile(dir / "recall.db");
  static constexpr const char* kEcho = "SELECT ?1";
  ASSERT_OK_AND_ASSIGN(Statement * first, connection->Cached(kEcho));
  first->BindInt(1, 7);
  ASSERT_OK(first->Step());
  ASSERT_OK_AND_ASSIGN(Statement * second, connection->Cached(kEcho));
  EXPECT_EQ(first, second);
  ASSERT_OK(second->Step());
  EXPECT_TRUE(second->ColumnIsNull(0));
}

TEST(ConnectionTest, AQueryWithoutARowIsCorruption) {
  const TempDir dir;
  const auto connection = MakeStoreFile(dir / "recall.db");
  EXPECT_EQ(connection->QueryInt("SELECT id FROM doc").error().code(), StatusCode::kCorruption);
  EXPECT_EQ(connection->QueryText("SELECT path FROM doc").error().code(), StatusCode::kCorruption);
  EXPECT_EQ(*connection->QueryInt("SELECT 41 + 1"), 42);
}

TEST(ConnectionTest, ErrorsNameTheFile) {
  const TempDir dir;
  const auto connection = MakeStoreFile(dir / "recall.db");
  const Status syntax = connection->Execute("SELEC 1");
  EXPECT_EQ(syntax.code(), StatusCode::kInternal);
  EXPECT_NE(syntax.message().find(dir / "recall.db"), std::string_view::npos);
  EXPECT_EQ(connection->Execute("SELECT * FROM nowhere").code(), StatusCode::kCorruption);
}

TEST(ConnectionTest, InterruptCancelsTheRunningStatement) {
  const TempDir dir;
  const auto connection = MakeStoreFile(dir / "recall.db");
  std::atomic<bool> done = false;
  // Interrupts repeatedly, because an interrupt before the statement starts has no effect.
  std::thread interrupter([&] {
    while (!done) connection->Interrupt();
  });
  const auto counted = connection->QueryInt(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n");
  done = true;
  interrupter.join();
  ASSERT_FALSE(counted);
  EXPECT_EQ(counted.error().code(), StatusCode::kCancelled);
}

TEST(ConnectionTest, InterruptCancelsAllLaterStatements) {
  const TempDir dir;
  const auto connection = MakeStoreFile(dir / "recall.db");
  ASSERT_OK_AND_ASSIGN(Statement prepared, connection->Prepare("SELECT 1"));
  ASSERT_OK(connection->Execute("BEGIN"));
  connection->Interrupt();
  EXPECT_EQ(prepared.Step().error().code(), StatusCode::kCancelled);
  EXPECT_EQ(connection->QueryInt("SELECT 1").error().code(), StatusCode::kCancelled);
  EXPECT_OK(connection->Execute("ROLLBACK"));
  EXPECT_EQ(connection->BeginImmediate().code(), StatusCode::kCancelled);
  EXPECT_FALSE(connection->InTransaction());
  EXPECT_EQ(prepared.Step().error().code(), StatusCode::kCancelled);
}

TEST(ConnectionTest, SecondWriterIsBusyUntilTheFirstEnds) {
  const TempDir dir;
  const auto first = MakeStoreFile(dir / "recall.db");
  ASSERT_OK_AND_ASSIGN(const auto second,
                       Connection::Open(dir / "recall.db", {.mode = ConnectionMode::kReadWrite,
                                                            .busy_timeout_ms = 0}));
  ASSERT_OK(first->BeginImmediate());
  const Status busy = second->BeginImmediate();
  EXPECT_EQ(busy.code(), StatusCode::kBusy);
  EXPECT_FALSE(busy.hint().empty());
  ASSERT_OK(first->Execute("COMMIT"));
  EXPECT_OK(second->BeginImmediate());
}

// `ready` runs once within a time-out of 1 ms.
TEST(ConnectionTest, AWaitGoesOnAsLongAsOthersCommit) {
  const TempDir dir;
  const auto others = MakeStoreFile(dir / "recall.db");
  ASSERT_OK_AND_ASSIGN(const auto waiting,
                       Connection::Open(dir / "recall.db", {.mode = ConnectionMode::kReadWrite,
                                                            .busy_timeout_ms = 1}));
  int version = 0;
  const auto commit_until = [&](int last) {
    if (version == last) return false;
    ++version;
    const Status committed = others->Execute("PRAGMA user_version=" + std::to_string(version));
    EXPECT_OK(committed);
    return false;
  };
  EXPECT_OK(waiting->WaitUntil([&] { return version == 20 || commit_until(20); }));
  EXPECT_EQ(waiting->WaitUntil([&] { return commit_until(30); }).code(), StatusCode::kBusy);
  EXPECT_EQ(version, 30);
}

// An hour would pass if one that comes just before the wait were lost.
TEST(ConnectionTest, InterruptBeforeTheWaitForAWriterEndsIt) {
  const TempDir dir;
  const auto first = MakeStoreFile(dir / "recall.db");
  ASSERT_OK_AND_ASSIGN(const auto second,
                       Connection::Open(dir / "recall.db", {.mode = ConnectionMode::kReadWrite,
                                                            .busy_timeout_ms = 3'600'000}));
  ASSERT_OK(first->BeginImmediate());
  second->Interrupt();
  EXPECT_EQ(second->WaitUntil([] { return false; }).code(), StatusCode::kCancelled);
  EXPECT_EQ(second->BeginImmediate().code(), StatusCode::kCancelled);
}

// The interrupter begins when the busy handler has been called.
TEST(ConnectionTest, InterruptEndsTheWaitForAWriter) {
  const TempDir dir;
  const auto first = MakeStoreFile(dir / "recall.db");
  std::promise<void> waits;
  ASSERT_OK_AND_ASSIGN(
      const auto second,
      Connection::Open(dir / "recall.db", {.mode = ConnectionMode::kReadWrite,
                                           .busy_timeout_ms = 3'600'000,
                                           .on_long_wait = [&] { waits.set_value(); }}));
  ASSERT_OK(first->BeginImmediate());
  std::thread interrupter([&] {
    waits.get_future().wait();
    second->Interrupt();
  });
  EXPECT_EQ(second->BeginImmediate().code(), StatusCode::kCancelled);
  interrupter.join();
}

}  // namespace
}  // namespace recall
