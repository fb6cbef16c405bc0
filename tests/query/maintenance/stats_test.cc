// What `stats` tells of the sizes of a store, and how little of it is read for that.

#include "query/maintenance/stats.h"

#include <sqlite3.h>

#include "storage/schema/schema.h"
#include "storage/store/store.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr const char* kTextBytes = "SELECT coalesce(sum(length(data)), 0) FROM text_block";
constexpr const char* kLexicalBytes =
    "SELECT (SELECT coalesce(sum(length(block)), 0) FROM lexicon_data)"
    " + (SELECT coalesce(sum(length(data)), 0) FROM posting_list)"
    " + (SELECT coalesce(sum(length(data)), 0) FROM word_dictionary)"
    " + (SELECT coalesce(sum(length(data)), 0) FROM chunk_words)";
constexpr const char* kVectorBytes =
    "SELECT (SELECT coalesce(sum(length(data)), 0) FROM vec_data)"
    " + (SELECT coalesce(sum(length(data)), 0) FROM vec_tail)"
    " + (SELECT coalesce(sum(length(data)), 0) FROM given_vector)"
    " + (SELECT coalesce(sum(length(data)), 0) FROM model_part)";
// Whether the record is of the newest commit.
constexpr const char* kIsRecorded =
    "SELECT count(*) FROM meta, (SELECT value FROM meta WHERE key = 'commit_sequence') AS newest "
    "WHERE key = 'content_sizes' AND meta.value LIKE newest.value || ' %'";

class StatsTest : public QueryFixture {
 protected:
  void Execute(const std::string& sql) {
    database_.reset();
    {
      ASSERT_OK_AND_ASSIGN(const auto connection,
                           Connection::Open(StorePath(), {.mode = ConnectionMode::kReadWrite}));
      ASSERT_OK(connection->Execute(sql));
    }
    Reopen();
  }

  void ExpectSizesOfTables() {
    ASSERT_OK_AND_ASSIGN(const auto recorded, database_->Sizes());
    const StoreSizes sizes = recorded.value();
    EXPECT_EQ(sizes.text, Number(kTextBytes));
    EXPECT_EQ(sizes.lexical, Number(kLexicalBytes));
    EXPECT_EQ(sizes.vectors, Number(kVectorBytes));
  }

  void ExpectRecorded() {
    EXPECT_EQ(Number(kIsRecorded), 1);
    ExpectSizesOfTables();
  }

  void AddTexts(int from, int to, size_t words) {
    for (int i = from; i < to; ++i) {
      WriteFile("texts/" + std::to_string(i) + ".txt", RandomText(random_, words));
    }
    Add();
  }

  std::mt19937_64 random_{7};
};

TEST_F(StatsTest, EachCommitRecordsTheSizes) {
  Create({.embedder = "lsa", .dim = 32, .chunk_tokens = 16, .overlap_tokens = 0});
  AddTexts(0, 40, 400);
  ExpectRecorded();
  AddTexts(38, 42, 300);  // two replace others
  ExpectRecorded();
  for (int i = 0; i < 20; ++i) {  // as many runs of the full-text index as are merged
    AddTexts(50 + i, 51 + i, 20);
  }
  ExpectRecorded();
  RemoveRequest remove;
  remove.targets = {dir_ / "texts/3.txt", dir_ / "texts/5.txt"};
  ASSERT_OK(database_->Remove(remove));
  ExpectRecorded();
  remove.targets = {dir_ / "texts/7.txt"};
  remove.purge = true;
  ASSERT_OK(database_->Remove(remove));
  ExpectRecorded();
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  ExpectRecorded();
  AddTexts(100, 300, 200);  // so that a model is trained again
  ExpectRecorded();
}

TEST_F(StatsTest, VectorsOfTheUserAreCounted) {
  Create({.embedder = "given", .dim = 8});
  WriteFile("a.jsonl", R"({"path":"a","text":"one","embedding":[1,0,0,0,0,0,0,0]})"
                       "\n"
                       R"({"path":"b","text":"two","embedding":[0,1,0,0,0,0,0,0]})"
                       "\n");
  AddRequest request;
  request.jsonl = dir_ / "a.jsonl";
  Add(request);
  ExpectRecorded();
}

// A program that does not know the record commits, and leaves that of the commit before.
TEST_F(StatsTest, ARecordOfAnotherCommitIsNotUsed) {
  AddTexts(0, 10, 100);
  Execute("UPDATE meta SET value = '1 text_block.0=7' WHERE key = 'content_sizes'");
  ExpectSizesOfTables();
  AddTexts(10, 11, 100);
  ExpectRecorded();
}

TEST_F(StatsTest, ADamagedRecordIsNotUsed) {
  AddTexts(0, 10, 100);
  for (const std::string record : {"", " text_block.0=x", " nothing.0=1", " text_block.0=-1"}) {
    Execute("UPDATE meta SET value = (SELECT value FROM meta WHERE key = 'commit_sequence') || '" +
            record + " ' WHERE key = 'content_sizes'");
    if (!record.empty()) ExpectSizesOfTables();
  }
  Execute("DELETE FROM meta WHERE key = 'content_sizes'");
  ExpectSizesOfTables();
}

TEST_F(StatsTest, ARepairCountsAgain) {
  AddTexts(0, 30, 200);
  Execute(
      "DELETE FROM vec_tail; UPDATE chunk SET lexical_tokens = lexical_tokens + 1 WHERE id = 3");
  database_.reset();
  ASSERT_OK(Database::Doctor({.path = StorePath(), .fix = true, .keep_copy = false}));
  Reopen();
  ExpectRecorded();
}

int MissesOf(Connection& connection) {
  int misses = 0;
  int unused = 0;
  sqlite3_db_status(connection.handle(), SQLITE_DBSTATUS_CACHE_MISS, &misses, &unused, 0);
  return misses;
}

// The pages that SQLite reads for all of `stats`, without a mapping.
int PagesOfStats(const std::string& path) {
  StoreOptions options;
  options.read_only = true;
  options.enable_mapping = false;
  auto store = Store::Open(path, options);
  EXPECT_TRUE(store.has_value());
  {
    auto transaction = (*store)->BeginRead();
    EXPECT_TRUE(transaction.has_value());
    const auto report = RunStats(**store, **transaction, true);
    EXPECT_TRUE(report.has_value());
  }
  EXPECT_TRUE(RunSizes(**store).has_value());
  auto transaction = (*store)->BeginRead();
  return MissesOf((*transaction)->connection());
}

TEST_F(StatsTest, TheNumberOfPagesReadDoesNotGrowWithTheStore) {
  AddTexts(0, 20, 400);
  ASSERT_OK(database_->Compact({}));
  const int small = PagesOfStats(StorePath());
  AddTexts(20, 900, 3'000);
  ASSERT_OK(database_->Compact({}));
  const int64_t pages = Number("PRAGMA page_count");
  const int large = PagesOfStats(StorePath());
  EXPECT_LE(large, small + 4);  // an inner page more in some trees
  EXPECT_GT(pages, 10 * large);
  Execute("DELETE FROM meta WHERE key = 'content_sizes'");
  EXPECT_GT(PagesOfStats(StorePath()), pages / 2);
}

}  // namespace
}  // namespace recall
