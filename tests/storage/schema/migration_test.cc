// Stores of older versions: opening one for writing migrates it, reading one does not change it.

#include "storage/schema/schema.h"
#include "storage/tables/meta_table.h"
#include "tests/storage/documents/doc_fixture.h"

namespace recall {
namespace {

// A store of version 1 with live, removed and unusual documents.
void MakeVersion1Store(const std::string& path) {
  const auto connection = Must(Connection::Open(path, {.mode = ConnectionMode::kCreate}));
  ASSERT_OK(connection->Execute(Migrations()[0].sql));
  ASSERT_OK(connection->Execute("PRAGMA application_id=1380142156; PRAGMA user_version=1"));
  ASSERT_OK(WriteIdentity(*connection, {std::string(32, 'a'), {}}));
  StoreCounters counters;
  counters.counts.docs = 4;
  counters.counts.chunks = 6;
  counters.next_chunk = 9;
  ASSERT_OK(WriteCounters(*connection, counters));
  ASSERT_OK(connection->Execute(R"sql(
    INSERT INTO doc(key, path, hash, mtime, size, tag, source, meta, parser, first_chunk,
                    chunk_count, first_block, tokens, lexical_tokens, added_seq, removed_seq)
    VALUES(1, 'a', zeroblob(32), 5, 0, 't', 's', '{"k": "old"}', 'plain', 0, 3, 0, 0, 0, 1, 2),
          (2, 'a', zeroblob(32), 6, 0, 't', NULL, '{"k": ["x", 2]}', 'plain', 3, 2, 0, 0, 0, 2,
           NULL),
          (3, 'b', zeroblob(32), NULL, 0, NULL, 's', '{"k": "2026-02-04"}', 'plain', 5, 4, 0, 0, 0,
           2, NULL),
          (4, 'c', zeroblob(32), 1, 0, NULL, NULL, '{"k": broken', 'plain', 9, 0, 0, 0, 0, 2,
           NULL),
          (5, 'd', zeroblob(32), 1, 0, NULL, NULL, NULL, 'plain', 9, 0, 0, 0, 0, 2, NULL);
  )sql"));
}

std::string Indexes(Connection& connection) {
  auto rows = Must(connection.Prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'index' AND name LIKE 'doc%' ORDER BY name"));
  std::string names;
  while (Must(rows.Step())) names += std::string(rows.ColumnText(0)) + " ";
  return names;
}

TEST(MigrationTest, OpeningForWritingMakesVersion1Current) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  MakeVersion1Store(path);
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path));
  const auto transaction = Must(store->BeginRead());
  Connection& connection = transaction->connection();
  EXPECT_EQ(Must(connection.QueryInt("PRAGMA user_version")), SchemaVersion());
  EXPECT_EQ(Indexes(connection),
            "doc_key doc_live_mtime doc_live_path doc_live_source doc_live_tag doc_removed ");
  EXPECT_EQ(Must(connection.QueryText("SELECT group_concat(key || ' ' || kind || ' ' || value || "
                                      "' ' || doc || ' ' || first_chunk || '+' || chunk_count, "
                                      "'; ') FROM (SELECT * FROM doc_meta ORDER BY kind, value)")),
            "k 1 2 2 3+2; k 2 x 2 3+2; k 3 2026-02-04 3 5+4; k 4 1770163200000000000 3 5+4");
  EXPECT_EQ(Must(connection.QueryText("PRAGMA integrity_check")), "ok");
  ASSERT_OK_AND_ASSIGN(const auto live, FindLiveDoc(*transaction, "a"));
  ASSERT_TRUE(live);
  EXPECT_EQ(live->row, 2);
}

TEST(MigrationTest, AMigratedStoreIsLikeANewOne) {
  const TempDir dir;
  MakeVersion1Store(dir / "old.db");
  const auto schema = [&](const std::string& path) {
    const auto store = Must(Store::Open(path));
    const auto transaction = Must(store->BeginRead());
    return Must(transaction->connection().QueryText(
        "SELECT group_concat(name || ': ' || coalesce(sql, ''), char(10)) FROM "
        "(SELECT * FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name)"));
  };
  ASSERT_OK(Store::Create(dir / "new.db", {}));
  EXPECT_EQ(schema(dir / "old.db"), schema(dir / "new.db"));
}

TEST(MigrationTest, ReadersReadVersion1AsItIs) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  MakeVersion1Store(path);
  {
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path, {.read_only = true}));
    const auto transaction = Must(store->BeginRead());
    EXPECT_EQ(Must(transaction->connection().QueryInt("PRAGMA user_version")), 1);
    ASSERT_OK_AND_ASSIGN(const auto live, FindLiveDoc(*transaction, "a"));
    ASSERT_TRUE(live);
    EXPECT_EQ(live->meta, R"({"k": ["x", 2]})");
    EXPECT_EQ(Must(FindLiveDocsUnder(*transaction, "")).size(), 4u);
  }
  const auto connection = Must(Connection::Open(path, {}));
  EXPECT_EQ(Must(connection->QueryInt("PRAGMA user_version")), 1);
}

TEST(MigrationTest, AReaderWithVersion1GoesOnWhileAWriterMigrates) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  MakeVersion1Store(path);
  ASSERT_OK_AND_ASSIGN(const auto reader, Store::Open(path, {.read_only = true}));
  auto before = Must(reader->BeginRead());
  ASSERT_OK_AND_ASSIGN(const auto writer, Store::Open(path));
  EXPECT_TRUE(Must(FindLiveDoc(*before, "b")));
  EXPECT_EQ(Must(before->connection().QueryInt("PRAGMA user_version")), 1);
  before.reset();
  const auto after = Must(reader->BeginRead());
  EXPECT_TRUE(Must(FindLiveDoc(*after, "b")));
  EXPECT_EQ(Must(after->connection().QueryInt("PRAGMA user_version")), SchemaVersion());
}

TEST(MigrationTest, TheDowngradeOfTestsIsAVersion1Store) {
  const TempDir dir;
  const auto schema = [](const std::string& path) {
    const auto connection = Must(Connection::Open(path, {}));
    return Must(connection->QueryText(
        "SELECT group_concat(name || coalesce(sql, ''), char(10)) FROM "
        "(SELECT * FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name)"));
  };
  MakeVersion1Store(dir / "old.db");
  ASSERT_OK(Store::Create(dir / "new.db", {}));
  DowngradeToVersion1(dir / "new.db");
  EXPECT_EQ(schema(dir / "new.db"), schema(dir / "old.db"));
}

}  // namespace
}  // namespace recall
