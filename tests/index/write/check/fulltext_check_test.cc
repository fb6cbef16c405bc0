#include "index/write/check/fulltext_check.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "storage/fts5/fts_batch.h"
#include "storage/schema/schema.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// Words of equal prefixes fill several leaves; lexicon_idx has the keys by which queries find them.
void MakeIndex(Connection& connection) {
  ASSERT_OK(MigrateSchema(connection));
  ASSERT_OK(connection.Execute("INSERT INTO lexicon(lexicon, rank) VALUES('pgsz', 64)"));
  FtsPostingsBuilder builder;
  for (uint32_t row = 0; row < 100; ++row) builder.AddRow("word" + std::to_string(row), "");
  FtsBatch batch;
  batch.Add(0, builder.Take());
  ASSERT_OK(connection.BeginImmediate());
  ASSERT_OK(batch.Write(connection));
  ASSERT_OK(connection.Execute("COMMIT"));
}

Status FaultOf(const std::string& path, bool fts_format) {
  const auto connection = Must(Connection::Open(path, {.features = {{.fts_format = fts_format}}}));
  EXPECT_OK(connection->Execute("BEGIN"));
  CheckRun run(connection.get(), nullptr);
  FulltextContents contents;
  EXPECT_OK(contents.Read(run));
  return contents.fault();
}

// The rows can still be read in their order, but no query finds their terms.
TEST(FulltextCheckTest, FindsMissingKeysOfTerms) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  {
    const auto connection = Must(Connection::Open(path, {.mode = ConnectionMode::kCreate}));
    ASSERT_NO_FATAL_FAILURE(MakeIndex(*connection));
  }
  EXPECT_OK(FaultOf(path, true));
  EXPECT_OK(FaultOf(path, false));
  {
    const auto connection = Must(Connection::Open(path, {.mode = ConnectionMode::kReadWrite}));
    sqlite3_db_config(connection->handle(), SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr);
    ASSERT_OK(connection->Execute("DELETE FROM lexicon_idx"));
  }
  EXPECT_EQ(FaultOf(path, true).code(), StatusCode::kCorruption);
  EXPECT_EQ(FaultOf(path, false).code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace recall
