// Stores of older versions: opening one for writing migrates it, reading one does not change it.

#include "storage/schema/schema.h"

#include <map>
#include <set>

#include "storage/documents/live_scan.h"
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

// A store of any version with documents of all kinds that it could have, and from version 3 on with
// a refresh that gave a document its time.
void MakeStoreOfVersion(int version, const std::string& path) {
  const auto connection = Must(Connection::Open(path, {.mode = ConnectionMode::kCreate}));
  for (const Migration& migration : Migrations().first(static_cast<size_t>(version))) {
    ASSERT_OK(connection->Execute(migration.sql));
    if (migration.fill) ASSERT_OK(migration.fill(*connection));
    if (migration.version > 1) continue;
    ASSERT_OK(connection->Execute("PRAGMA application_id=1380142156"));
    ASSERT_OK(WriteIdentity(*connection, {std::string(32, 'a'), {}}));
    StoreCounters counters;
    counters.counts.docs = 6;
    counters.counts.commit_sequence = 6;
    ASSERT_OK(WriteCounters(*connection, counters));
    ASSERT_OK(connection->Execute(R"sql(
      INSERT INTO doc(key, path, hash, mtime, size, parser, first_chunk, chunk_count, first_block,
                      tokens, lexical_tokens, added_seq, removed_seq)
      VALUES(1, 'a.md', zeroblob(32), 5, 0, 'plain', 0, 0, 0, 0, 0, 1, NULL),
            (2, 'wiki/b', zeroblob(32), NULL, 0, 'plain', 0, 0, 0, 0, 0, 1, NULL),
            (3, 'd/x.Tar.gz!/c.txt', zeroblob(32), 5, 0, 'plain', 0, 0, 0, 0, 0, 1, NULL),
            (4, 'odd!/d.txt', zeroblob(32), 5, 0, 'plain', 0, 0, 0, 0, 0, 1, NULL),
            (5, 'x.zip!/e', zeroblob(32), NULL, 0, 'plain', 0, 0, 0, 0, 0, 1, NULL),
            (6, 'f', zeroblob(32), 5, 0, 'plain', 0, 0, 0, 0, 0, 1, NULL),
            (7, 'gone', zeroblob(32), NULL, 0, 'plain', 0, 0, 0, 0, 0, 1, 6);
    )sql"));
  }
  if (version >= 3) {  // the migration to version 3 recorded commit 6
    ASSERT_OK(connection->Execute(R"sql(
      INSERT INTO commit_log SELECT 5, committed_at, docs, chunks, tokens, lexical_tokens,
                                    text_bytes, next_chunk, last_doc FROM commit_log WHERE seq = 6;
      UPDATE meta SET value = 5 WHERE key = 'snapshot_horizon';
      INSERT INTO doc_past(until_seq, doc) VALUES(6, 6);
    )sql"));
  }
  ASSERT_OK(connection->Execute("PRAGMA user_version=" + std::to_string(version)));
}

using Origins = std::map<std::string, std::string>;

// The origins of live documents as rows and as scans of the column have them.
Origins OriginsOf(const ReadTransaction& transaction) {
  Origins origins;
  std::multiset<std::string> of_rows;
  std::multiset<std::string> of_scan;
  for (const DocRow& doc : Must(FindLiveDocsUnder(transaction, ""))) {
    origins[doc.path] = doc.origin;
    of_rows.insert(doc.origin);
    EXPECT_EQ(Must(ReadDoc(transaction, doc.row)).origin, doc.origin);
  }
  EXPECT_OK(ScanDocTexts(transaction, DocText::kOrigin, RowUnit::kDocs,
                         [&](std::string_view origin, RowSpan) { of_scan.emplace(origin); }));
  EXPECT_EQ(of_scan, of_rows);
  return origins;
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
            "doc_key doc_language_lang doc_live_mtime doc_live_path doc_live_source doc_live_tag "
            "doc_removed doc_session ");
  EXPECT_EQ(Must(connection.QueryText("SELECT group_concat(key || ' ' || kind || ' ' || value || "
                                      "' ' || doc || ' ' || first_chunk || '+' || chunk_count, "
                                      "'; ') FROM (SELECT * FROM doc_meta ORDER BY kind, value)")),
            "k 1 2 2 3+2; k 2 x 2 3+2; k 3 2026-02-04 3 5+4; k 4 1770163200000000000 3 5+4");
  EXPECT_EQ(Must(connection.QueryText("PRAGMA integrity_check")), "ok");
  ASSERT_OK_AND_ASSIGN(const auto live, FindLiveDoc(*transaction, "a"));
  ASSERT_TRUE(live);
  EXPECT_EQ(live->row, 2);
}

class OriginMigrationTest : public ::testing::TestWithParam<int> {};

// Formats before 12 do not record where documents came from. Readers and the migration find the
// same origins.
TEST_P(OriginMigrationTest, OriginsFollowFromTimesAndPaths) {
  const TempDir dir;
  const std::string path = dir / "recall.db";
  MakeStoreOfVersion(GetParam(), path);
  const Origins expected = {
      {"a.md", "file"},       {"wiki/b", "line"},   {"d/x.Tar.gz!/c.txt", "member"},
      {"odd!/d.txt", "file"}, {"x.zip!/e", "line"}, {"f", "file"}};
  for (const bool read_only : {true, false}) {
    SCOPED_TRACE(read_only);
    ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(path, {.read_only = read_only}));
    {
      const auto transaction = Must(store->BeginRead());
      EXPECT_EQ(Must(transaction->connection().QueryInt("PRAGMA user_version")),
                read_only ? GetParam() : SchemaVersion());
      EXPECT_EQ(OriginsOf(*transaction), expected);
      EXPECT_EQ(Must(FindRemovedVersions(*transaction, "gone")).at(0).origin, "line");
    }
    if (GetParam() < 3) continue;
    const auto then = Must(store->BeginReadAt({5}));
    Origins before = expected;
    before["f"] = "line";
    before["gone"] = "line";
    EXPECT_EQ(OriginsOf(*then), before);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, OriginMigrationTest, ::testing::Range(1, 12));

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
