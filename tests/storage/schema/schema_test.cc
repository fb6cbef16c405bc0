#include "storage/schema/schema.h"

#include <sqlite3.h>

#include <fstream>

#include "storage/sqlite/connection.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

std::unique_ptr<Connection> MakeCurrentStore(const std::string& path) {
  auto connection = Must(Connection::Open(path, {.mode = ConnectionMode::kCreate}));
  EXPECT_OK(MigrateSchema(*connection));
  return connection;
}

void MakeForeignDatabase(const std::string& path) {
  sqlite3* raw = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &raw), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(raw, "CREATE TABLE notes(x); INSERT INTO notes VALUES(1);", nullptr,
                         nullptr, nullptr),
            SQLITE_OK)
      << sqlite3_errmsg(raw);
  sqlite3_close(raw);
}

TEST(SchemaTest, NewStoreIsMarkedAndSound) {
  const TempDir dir;
  {
    const auto connection = MakeCurrentStore(dir / "recall.db");
    EXPECT_EQ(*connection->QueryInt("PRAGMA application_id"), kStoreApplicationId);
    EXPECT_EQ(*connection->QueryInt("PRAGMA user_version"), SchemaVersion());
    EXPECT_EQ(*connection->QueryText("PRAGMA integrity_check"), "ok");
    // R3: the page chains of segments depend on vec_data having exactly these columns.
    EXPECT_EQ(*connection->QueryInt("SELECT count(*) FROM pragma_table_info('vec_data')"), 2);
  }
  std::ifstream file(dir / "recall.db", std::ios::binary);
  char header[72] = {};
  file.read(header, sizeof header);
  EXPECT_EQ(std::string(header + 68, 4), "RCLL");
}

TEST(SchemaTest, MigratingACurrentStoreWritesNothing) {
  const TempDir dir;
  const auto connection = MakeCurrentStore(dir / "recall.db");
  const int64_t changes = *connection->QueryInt("SELECT total_changes()");
  const int64_t version = *connection->QueryInt("PRAGMA schema_version");
  EXPECT_OK(MigrateSchema(*connection));
  EXPECT_EQ(*connection->QueryInt("SELECT total_changes()"), changes);
  EXPECT_EQ(*connection->QueryInt("PRAGMA schema_version"), version);
}

TEST(SchemaTest, NewerStoreIsUnsupported) {
  const TempDir dir;
  const auto connection = MakeCurrentStore(dir / "recall.db");
  ASSERT_OK(connection->Execute("PRAGMA user_version=999"));
  EXPECT_EQ(CheckSchema(*connection).code(), StatusCode::kUnsupported);
  EXPECT_EQ(MigrateSchema(*connection).code(), StatusCode::kUnsupported);
  EXPECT_EQ(*connection->QueryInt("PRAGMA user_version"), 999);
}

TEST(SchemaTest, ForeignDatabaseIsRefusedAndLeftAlone) {
  const TempDir dir;
  MakeForeignDatabase(dir / "other.db");
  ASSERT_OK_AND_ASSIGN(const auto connection,
                       Connection::Open(dir / "other.db", {.mode = ConnectionMode::kReadWrite}));
  const Status checked = CheckSchema(*connection);
  EXPECT_EQ(checked.code(), StatusCode::kCorruption);
  EXPECT_NE(checked.message().find("not a recall store"), std::string_view::npos);
  EXPECT_EQ(MigrateSchema(*connection).code(), StatusCode::kCorruption);
  EXPECT_EQ(*connection->QueryInt("SELECT count(*) FROM sqlite_schema"), 1);
}

TEST(SchemaTest, GarbageIsRefused) {
  const TempDir dir;
  std::ofstream(dir / "garbage.db") << std::string(100'000, 'x');
  for (const ConnectionMode mode : {ConnectionMode::kReadOnly, ConnectionMode::kReadWrite}) {
    const auto opened = Connection::Open(dir / "garbage.db", {.mode = mode});
    ASSERT_FALSE(opened);
    EXPECT_EQ(opened.error().code(), StatusCode::kCorruption) << opened.error().ToString();
  }
}

}  // namespace
}  // namespace recall
