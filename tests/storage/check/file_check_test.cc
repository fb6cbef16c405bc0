#include "storage/check/file_check.h"

#include <sqlite3.h>

#include <fstream>

#include "storage/schema/schema.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

// The codes of the findings of CheckFile.
std::vector<FindingCode> FindingsWith(const std::string& path, const SqliteFeatures& features) {
  const auto connection = Must(Connection::Open(path, {.features = features}));
  CheckRun run(connection.get(), nullptr);
  std::vector<std::unique_ptr<Connection>> no_readers;
  const FileFacts facts = Must(BeginCheck(run, &no_readers));
  EXPECT_OK(CheckFile(run, facts));
  std::vector<FindingCode> codes;
  for (const auto& [code, examples] : run.findings().groups()) codes.push_back(code);
  return codes;
}

TEST(FileCheckTest, NotesThatTheVersionOfSqliteWasNotTested) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  ASSERT_OK(MigrateSchema(*Must(Connection::Open(path, {.mode = ConnectionMode::kCreate}))));
  using Codes = std::vector<FindingCode>;
  EXPECT_EQ(FindingsWith(path, {}), Codes());
  EXPECT_EQ(FindingsWith(path, {.fts_format = false}), Codes());
  EXPECT_EQ(FindingsWith(path, {.fts_format = false, .file_format = false}),
            Codes{FindingCode::kSqliteUntested});
  EXPECT_EQ(InfoOf(FindingCode::kSqliteUntested).severity, Severity::kNote);
}

// With SQLite 3.44 and later, an integrity_check that visits FTS5's tables fails as a whole here.
TEST(FileCheckTest, FindsDamagedTreesBesideAnIndexThatFts5CannotOpen) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  int64_t page = 0;
  {
    const auto connection = Must(Connection::Open(path, {.mode = ConnectionMode::kCreate}));
    ASSERT_OK(MigrateSchema(*connection));
    sqlite3_db_config(connection->handle(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    ASSERT_OK(connection->Execute("DROP TABLE lexicon_idx"));
    page = Must(connection->QueryInt("SELECT rootpage FROM sqlite_schema WHERE name = 'doc_meta'"));
  }
  EXPECT_EQ(FindingsWith(path, {}), std::vector<FindingCode>());
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp((page - 1) * 65536);
    file.write(std::string(65536, '\0').data(), 65536);
  }
  EXPECT_EQ(FindingsWith(path, {}), std::vector<FindingCode>{FindingCode::kSqliteDamage});
}

}  // namespace
}  // namespace recall
