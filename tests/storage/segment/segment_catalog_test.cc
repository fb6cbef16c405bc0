#include "storage/segment/segment_catalog.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "storage/overflow/incremental_blob.h"
#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {
namespace {

class SegmentCatalogTest : public ::testing::Test {
 protected:
  TempDir dir_;
  const std::string path_ = dir_ / "recall.db";
};

struct ShapeCase {
  int page_size;
  const char* journal;
};

class SegmentShapeTest : public SegmentCatalogTest,
                         public ::testing::WithParamInterface<ShapeCase> {};

// Growth, deletion, reuse of freed pages and VACUUM, with segments and other rows interleaved.
// After each step a mapping and a copying reader must read exactly the written bytes.
TEST_P(SegmentShapeTest, MappedAndCopiedBytesAreTheWrittenOnes) {
  CreateSegmentFile(path_, {.page_size = GetParam().page_size, .journal = GetParam().journal});
  Handle writer(path_);
  Handle mapping(path_);
  Handle copying(path_, false);
  std::mt19937_64 random(TestSeed(7));
  const auto below = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  std::vector<SegmentContent> live;
  std::vector<int64_t> ids;
  for (uint32_t step = 1; step <= 40; ++step) {
    const uint32_t action = below(10);
    if (action < 5 || live.empty()) {
      live.push_back(MakeContent(step, 1 + below(700), 8 + 8 * below(25)));
      ids.push_back(writer.Insert(live.back()));
    } else if (action < 7) {
      const auto victim = below(static_cast<uint32_t>(live.size()));
      writer.Delete(ids[victim]);
      live.erase(live.begin() + victim);
      ids.erase(ids.begin() + victim);
    } else if (action < 9) {
      RunSql(path_,
             "INSERT INTO other(body) WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT "
             "i+1 FROM c WHERE i<50) SELECT hex(randomblob(300)) FROM c;"
             "DELETE FROM other WHERE id % 3 = 0");
    } else {
      RunSql(path_, "VACUUM");
    }
    if (below(2) == 0) writer.Checkpoint();
    EXPECT_EQ(mapping.ExpectContents(live), static_cast<int64_t>(live.size())) << step;
    EXPECT_EQ(copying.ExpectContents(live), 0) << step;
  }
  EXPECT_EQ(mapping.counters().page_mismatches, 0);
  EXPECT_OK(mapping.catalog().BeginRead(mapping.connection()));
  EXPECT_OK(mapping.catalog().Check(mapping.connection()));
  mapping.End();
  EXPECT_EQ(RunSql(path_, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check='ok'"),
            1);
}

INSTANTIATE_TEST_SUITE_P(Shapes, SegmentShapeTest,
                         ::testing::Values(ShapeCase{2048, "WAL"}, ShapeCase{4096, "DELETE"},
                                           ShapeCase{16384, "TRUNCATE"}, ShapeCase{65536, "WAL"},
                                           ShapeCase{65536, "DELETE"}));

// More pages than one thread locates.
TEST_F(SegmentCatalogTest, MapsManySegmentsAtATime) {
  CreateSegmentFile(path_, {.page_size = 2048});
  std::vector<SegmentContent> contents;
  Handle writer(path_);
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    contents.push_back(MakeContent(seed, 6000));
    writer.Insert(contents.back());
  }
  writer.Checkpoint();
  Handle reader(path_);
  EXPECT_EQ(reader.ExpectContents(contents), 5);
  EXPECT_EQ(reader.counters().maps_built, 5);
  EXPECT_EQ(reader.counters().page_mismatches, 0);
  EXPECT_GT(RunSql(path_, "SELECT sum(pages) FROM vec_segment"), 1024);
}

// Read-ahead of pages that are not in the page cache: ascending, descending, and wrongly guessed.
TEST_F(SegmentCatalogTest, FindsPagesThatAreNotInMemory) {
  for (const uint32_t seed : {1u, 2u, 3u}) {
    const std::string path = dir_ / ("recall" + std::to_string(seed) + ".db");
    CreateSegmentFile(path, {.page_size = 4096});
    Handle writer(path);
    const int64_t first = writer.Insert(MakeContent(seed + 10, 5000));
    const int64_t second = writer.Insert(MakeContent(seed + 20, 300));
    writer.Insert(MakeContent(seed + 30, 2000));
    writer.Delete(seed == 2 ? second : first);
    std::vector<SegmentContent> live = {
        MakeContent(seed == 2 ? seed + 10 : seed + 20, seed == 2 ? 5000 : 300),
        MakeContent(seed + 30, 2000)};
    live.push_back(MakeContent(seed + 40, 4000));  // in freed and new pages
    writer.Insert(live.back());
    writer.Checkpoint();
    const int file = ::open(path.c_str(), O_RDONLY);
    ASSERT_GE(file, 0);
    EXPECT_EQ(::fsync(file), 0);
    EXPECT_EQ(::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED), 0);
    Handle reader(path);
    EXPECT_EQ(reader.ExpectContents(live), 3);
    EXPECT_EQ(reader.counters().page_mismatches, 0);
    ::close(file);
  }
}

// Reading scattered items with pread is faster only for pages that the process has not touched yet.
TEST_F(SegmentCatalogTest, ReadsScatteredItemsOfNewMapsOnly) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  const SegmentContent content = MakeContent(1, 500);
  writer.Insert(content);
  writer.Checkpoint();
  const auto reads_faster = [&content](Handle& handle) {
    const auto view = handle.Begin();
    const bool faster = Must(view.at(0)->Section(content.sections.at(0).kind))->reads_faster();
    EXPECT_TRUE(Shows(*view[0], content));
    handle.End();
    return faster;
  };
  Handle reader(path_);
  EXPECT_TRUE(reads_faster(reader));
  EXPECT_FALSE(reads_faster(reader));
  Handle copying(path_, false);
  EXPECT_FALSE(reads_faster(copying));
}

TEST_F(SegmentCatalogTest, ListsByChunkRowNotById) {
  CreateSegmentFile(path_, {});
  Handle handle(path_);
  handle.Insert(MakeContent(3, 10));
  handle.Insert(MakeContent(1, 20));
  handle.Insert(MakeContent(2, 30));
  handle.ExpectContents({MakeContent(1, 20), MakeContent(2, 30), MakeContent(3, 10)});
}

// A reader of an old snapshot blocks the checkpoint, so other readers copy.
TEST_F(SegmentCatalogTest, CopiesWhileAnOldReaderHoldsTheWal) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  writer.Insert(MakeContent(1, 100));
  Handle old_reader(path_);
  const auto old_view = old_reader.Begin();
  ASSERT_EQ(old_view.size(), 1u);
  writer.Insert(MakeContent(2, 100));

  Handle reader(path_);
  const std::vector<SegmentContent> both = {MakeContent(1, 100), MakeContent(2, 100)};
  EXPECT_EQ(reader.ExpectContents(both), 0);
  EXPECT_EQ(reader.counters().copied, 2);
  EXPECT_EQ(reader.counters().maps_built, 0);
  EXPECT_TRUE(Shows(*old_view[0], MakeContent(1, 100)));

  old_reader.End();
  EXPECT_EQ(reader.ExpectContents(both), 2);
  EXPECT_EQ(reader.counters().maps_built, 2);
}

// A mapping can locate further pages in a later transaction, even if new commits are in the WAL and
// nothing else could be mapped.
TEST_F(SegmentCatalogTest, FindsMorePagesOfAMapInALaterTransaction) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  const SegmentContent content = MakeContent(1, 3000);
  writer.Insert(content);
  Handle reader(path_);
  {
    const auto readers = reader.Begin();
    const SectionView* view = Must(readers.at(0)->Section(SectionKind::kVectors));
    ASSERT_GT(view->pages(), 2u);
    const uint32_t last = view->items() - 1;
    ASSERT_OK(view->Need({&last, 1}));
    EXPECT_EQ(view->page(0), nullptr);
    EXPECT_NE(view->page(view->pages() - 1), nullptr);
    reader.End();
  }
  Handle old_reader(path_);
  const auto old_view = old_reader.Begin();
  writer.Insert(MakeContent(2, 100));

  const auto readers = reader.Begin();
  ASSERT_EQ(readers.size(), 2u);
  EXPECT_TRUE(readers[0]->mapped());
  EXPECT_FALSE(readers[1]->mapped());
  EXPECT_TRUE(Shows(*readers[0], content));
  EXPECT_TRUE(Shows(*readers[1], MakeContent(2, 100)));
  reader.End();
  old_reader.End();
  EXPECT_EQ(reader.counters().page_mismatches, 0);
}

// Mappings stay valid if new commits are in the WAL; only new segments are copied.
TEST_F(SegmentCatalogTest, KeepsMapsAcrossCommitsThatAreOnlyInTheWal) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  writer.Insert(MakeContent(1, 100));
  Handle reader(path_);
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 100)}), 1);
  Handle holder(path_);
  holder.Begin();
  writer.Insert(MakeContent(2, 100));
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 100), MakeContent(2, 100)}), 1);
  EXPECT_EQ(reader.counters().copied, 1);
  holder.End();
}

TEST_F(SegmentCatalogTest, OpenTransactionSurvivesDeletionAndReuse) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  const int64_t id = writer.Insert(MakeContent(1, 500));
  Handle reader(path_);
  const auto view = reader.Begin();
  ASSERT_TRUE(view.at(0)->mapped());
  writer.Delete(id);
  writer.Insert(MakeContent(2, 500));
  RunSql(path_, "PRAGMA busy_timeout=0; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_TRUE(Shows(*view[0], MakeContent(1, 500)));
  reader.End();
  EXPECT_EQ(reader.ExpectContents({MakeContent(2, 500)}), 1);
  EXPECT_EQ(reader.counters().maps_dropped, 1);
}

class SchemaChangeTest : public SegmentCatalogTest,
                         public ::testing::WithParamInterface<const char*> {};

TEST_P(SchemaChangeTest, DropsMapsAndStaysRight) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  const int64_t first = writer.Insert(MakeContent(1, 400));
  writer.Insert(MakeContent(2, 400));
  writer.Insert(MakeContent(3, 400));
  Handle reader(path_);
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 400), MakeContent(2, 400), MakeContent(3, 400)}),
            3);
  writer.Delete(first);
  RunSql(path_, GetParam());
  EXPECT_EQ(reader.ExpectContents({MakeContent(2, 400), MakeContent(3, 400)}), 2);
  EXPECT_EQ(reader.counters().maps_dropped, 3);
  EXPECT_EQ(reader.counters().maps_built, 5);
  EXPECT_EQ(reader.counters().page_mismatches, 0);
}

INSTANTIATE_TEST_SUITE_P(Statements, SchemaChangeTest,
                         ::testing::Values("VACUUM", "CREATE INDEX i ON other(body)",
                                           "CREATE TABLE t(x)", "ALTER TABLE other ADD COLUMN x"));

TEST_F(SegmentCatalogTest, TruncationByVacuumBetweenTransactionsIsHarmless) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  const int64_t big = writer.Insert(MakeContent(1, 20'000));
  writer.Insert(MakeContent(2, 100));
  Handle reader(path_);
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 20'000), MakeContent(2, 100)}), 2);
  writer.Delete(big);
  RunSql(path_, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  EXPECT_EQ(reader.ExpectContents({MakeContent(2, 100)}), 1);
}

TEST_F(SegmentCatalogTest, NeverMapsUnderAutoVacuum) {
  for (const int mode : {1, 2}) {
    const std::string path = dir_ / ("auto" + std::to_string(mode));
    CreateSegmentFile(path, {.journal = "DELETE", .auto_vacuum = mode});
    Handle writer(path);
    const int64_t first = writer.Insert(MakeContent(1, 300));
    writer.Insert(MakeContent(2, 300));
    EXPECT_EQ(writer.ExpectContents({MakeContent(1, 300), MakeContent(2, 300)}), 0);
    writer.Delete(first);
    EXPECT_EQ(writer.ExpectContents({MakeContent(2, 300)}), 0);
  }
}

TEST_F(SegmentCatalogTest, StopsMappingWhenVacuumTurnsAutoVacuumOn) {
  CreateSegmentFile(path_, {.journal = "DELETE"});
  Handle reader(path_);
  reader.Insert(MakeContent(1, 300));
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 300)}), 1);
  RunSql(path_, "PRAGMA auto_vacuum=1; VACUUM");
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 300)}), 0);
}

// VACUUM with another page size keeps the BLOB, but its pages no longer match those of the file.
TEST_F(SegmentCatalogTest, CopiesSegmentsMadeForAnotherPageSize) {
  CreateSegmentFile(path_, {.page_size = 4096, .journal = "DELETE"});
  Handle reader(path_);
  reader.Insert(MakeContent(1, 3000));
  RunSql(path_, "PRAGMA page_size=8192; VACUUM");
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 3000)}), 0);
  reader.Insert(MakeContent(2, 3000));
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 3000), MakeContent(2, 3000)}), 1);
  EXPECT_EQ(reader.counters().page_mismatches, 0);
}

TEST_F(SegmentCatalogTest, WriteTransactionsAlwaysCopy) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  const int64_t first = writer.Insert(MakeContent(1, 300));
  EXPECT_EQ(writer.ExpectContents({MakeContent(1, 300)}), 1);
  ASSERT_OK(writer.connection().Execute("BEGIN IMMEDIATE"));
  ASSERT_OK_AND_ASSIGN(const auto before, writer.catalog().OpenSegments(writer.connection()));
  ASSERT_EQ(before.size(), 1u);
  EXPECT_FALSE(before[0]->mapped());
  ASSERT_OK(writer.catalog().Delete(writer.connection(), first));
  ASSERT_OK(writer.catalog().Insert(writer.connection(), MakeContent(2, 300)));
  ASSERT_OK_AND_ASSIGN(const auto after, writer.catalog().OpenSegments(writer.connection()));
  ASSERT_EQ(after.size(), 1u);
  EXPECT_TRUE(Shows(*after[0], MakeContent(2, 300)));
  ASSERT_OK(writer.connection().Execute("ROLLBACK"));
  EXPECT_EQ(writer.ExpectContents({MakeContent(1, 300)}), 1);
}

// An id is reused after a rollback, so nothing from a write transaction may be cached.
TEST_F(SegmentCatalogTest, ForgetsWhatWasRolledBack) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  ASSERT_OK(writer.connection().Execute("BEGIN IMMEDIATE"));
  ASSERT_OK_AND_ASSIGN(const int64_t lost,
                       writer.catalog().Insert(writer.connection(), MakeContent(1, 300)));
  ASSERT_OK(writer.catalog().OpenSegments(writer.connection()));
  ASSERT_OK(writer.connection().Execute("ROLLBACK"));
  EXPECT_EQ(writer.Insert(MakeContent(2, 100)), lost);
  EXPECT_EQ(writer.ExpectContents({MakeContent(2, 100)}), 1);
}

TEST_F(SegmentCatalogTest, NeverReusesIdsAndKeepsBothTablesAlike) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  const int64_t first = writer.Insert(MakeContent(1, 10));
  writer.Delete(first);
  const int64_t second = writer.Insert(MakeContent(2, 10));
  EXPECT_GT(second, first);
  EXPECT_EQ(RunSql(path_, "SELECT count(*) FROM vec_segment JOIN vec_data USING(id)"), 1);
  EXPECT_EQ(RunSql(path_, "SELECT count(*) FROM vec_data"), 1);
  ASSERT_OK(writer.connection().Execute("BEGIN IMMEDIATE"));
  EXPECT_EQ(writer.catalog().Delete(writer.connection(), first).code(), StatusCode::kCorruption);
  ASSERT_OK(writer.connection().Execute("COMMIT"));
}

TEST_F(SegmentCatalogTest, RefusesToReadOutsideATransaction) {
  CreateSegmentFile(path_, {});
  Handle handle(path_);
  handle.Insert(MakeContent(1, 100));
  const auto readers = handle.Begin();
  handle.End();
  EXPECT_EQ(readers.at(0)->Section(SectionKind::kVectors).error().code(), StatusCode::kInternal);
  EXPECT_EQ(handle.catalog().OpenSegments(handle.connection()).error().code(),
            StatusCode::kInternal);
  EXPECT_EQ(handle.catalog().Insert(handle.connection(), MakeContent(2, 1)).error().code(),
            StatusCode::kInternal);
}

// Reading a BLOB in pieces takes quadratic time unless SQLite has cached its overflow page list, so
// the first read of a page must read the whole chain.
TEST_F(SegmentCatalogTest, CopyWalksTheChainBeforeItReadsPages) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  writer.Insert(MakeContent(1, 10'000));
  const auto pages = static_cast<int>(RunSql(path_, "SELECT pages FROM vec_segment"));
  const auto connection = Must(Connection::Open(path_, {.enable_mapping = false}));
  const auto fetched = [&connection] {
    int hits = 0;
    int misses = 0;
    int ignored = 0;
    sqlite3_db_status(connection->handle(), SQLITE_DBSTATUS_CACHE_HIT, &hits, &ignored, 0);
    sqlite3_db_status(connection->handle(), SQLITE_DBSTATUS_CACHE_MISS, &misses, &ignored, 0);
    return hits + misses;
  };
  IncrementalBlob blob =
      Must(IncrementalBlob::Open(*connection, 1, IncrementalBlob::Access::kRead));
  std::vector<uint8_t> bytes(4000);
  const int before = fetched();
  ASSERT_OK(blob.Read(0, std::span(bytes).first(200)));
  EXPECT_LT(fetched() - before, 5) << "the header alone must be cheap";
  ASSERT_OK(blob.Read(5000, bytes));
  EXPECT_GE(fetched() - before, pages);
  for (uint64_t at = 5000; at + 4000 <= blob.size(); at += 4000) ASSERT_OK(blob.Read(at, bytes));
  EXPECT_LE(fetched() - before, 4 * pages);
}

TEST_F(SegmentCatalogTest, ReadOnlyConnectionsMapToo) {
  CreateSegmentFile(path_, {});
  Handle writer(path_);
  writer.Insert(MakeContent(1, 100));
  Handle reader(path_, true, ConnectionMode::kReadOnly);
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 100)}), 1);
}

TEST_F(SegmentCatalogTest, MapsAFileThatWasEmptyWhenTheCatalogOpened) {
  RunSql(path_, "SELECT 1");  // creates an empty file
  ASSERT_OK_AND_ASSIGN(const auto catalog, SegmentCatalog::Open(path_, true));
  CreateSegmentFile(path_, {});
  Handle handle(path_);
  handle.Insert(MakeContent(1, 100));
  EXPECT_EQ(handle.ExpectContents({MakeContent(1, 100)}), 1);
}

TEST_F(SegmentCatalogTest, DoesNotMapAFileThatWasReplaced) {
  CreateSegmentFile(path_, {.journal = "DELETE"});
  const std::string other = dir_ / "other.db";
  CreateSegmentFile(other, {.journal = "DELETE"});
  {
    Handle handle(path_);
    handle.Insert(MakeContent(1, 100));
    Handle(other).Insert(MakeContent(1, 50));
  }
  ASSERT_OK_AND_ASSIGN(const auto catalog, SegmentCatalog::Open(path_, true));
  std::filesystem::rename(other, path_);
  ASSERT_OK_AND_ASSIGN(const auto connection, Connection::Open(path_, {}));
  ASSERT_OK(catalog->BeginRead(*connection));
  ASSERT_OK_AND_ASSIGN(const auto readers, catalog->OpenSegments(*connection));
  ASSERT_EQ(readers.size(), 1u);
  EXPECT_FALSE(readers[0]->mapped());
  EXPECT_TRUE(Shows(*readers[0], MakeContent(1, 50)));
}

// If a rule were broken, page headers would still detect that a mapping has wrong pages, and only
// time would be lost. The test undoes the change of schema_version by VACUUM.
TEST_F(SegmentCatalogTest, PageHeadersCatchAMapThatIsWrong) {
  CreateSegmentFile(path_, {.journal = "DELETE"});
  Handle writer(path_);
  const int64_t first = writer.Insert(MakeContent(1, 400));
  writer.Insert(MakeContent(2, 400));
  Handle reader(path_);
  EXPECT_EQ(reader.ExpectContents({MakeContent(1, 400), MakeContent(2, 400)}), 2);
  writer.Delete(first);
  const int64_t version = RunSql(path_, "PRAGMA schema_version");
  RunSql(path_, "VACUUM");
  RunSql(path_, "PRAGMA schema_version=" + std::to_string(version));
  reader.ExpectContents({MakeContent(2, 400)});
  EXPECT_GT(reader.counters().page_mismatches, 0);
}

}  // namespace
}  // namespace recall::testing
