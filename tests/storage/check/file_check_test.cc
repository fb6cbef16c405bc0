#include "storage/check/file_check.h"

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

}  // namespace
}  // namespace recall
