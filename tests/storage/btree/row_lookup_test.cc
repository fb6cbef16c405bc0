#include "storage/btree/row_lookup.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>

#include "storage/base/bytes.h"
#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {
namespace {

constexpr BlobTableDefinition kTable = {
    "item", "CREATE TABLE item(id INTEGER PRIMARY KEY, data BLOB NOT NULL)"};

using Blobs = std::map<uint32_t, std::string>;

class RowLookupTest : public ::testing::Test {
 protected:
  void Create(int page_size, const std::string& journal) {
    std::filesystem::remove(path_);
    RunSql(path_, "PRAGMA page_size=" + std::to_string(page_size) +
                      "; PRAGMA journal_mode=" + journal + ";" + kTable.sql);
  }

  void Insert(Connection& connection, int64_t row, const std::string& data) {
    Statement insert = Must(connection.Prepare("INSERT INTO item VALUES(?, ?)"));
    insert.BindInt(1, row);
    insert.BindBlob(2, AsBytes(data));
    ASSERT_OK(insert.Run());
  }

  // Inserts BLOBs that never overflow. Rowids have a gap before a row with this probability.
  void Fill(int rows, int64_t first, double gaps, size_t most_bytes) {
    const auto connection = Open();
    ASSERT_OK(connection->Execute("BEGIN"));
    int64_t row = first;
    for (int i = 0; i < rows; ++i, ++row) {
      if (std::bernoulli_distribution(gaps)(random_)) row += 1 + random_() % 300;
      std::string data(random_() % most_bytes, 'x');
      for (char& byte : data) byte = static_cast<char>(random_());
      Insert(*connection, row, data);
    }
    last_ = row;
    ASSERT_OK(connection->Execute("COMMIT"));
    ASSERT_OK(connection->Execute("PRAGMA wal_checkpoint"));
  }

  // Only a reader maps the file.
  std::unique_ptr<Connection> Open(ConnectionMode mode = ConnectionMode::kReadWrite) {
    return Must(Connection::Open(path_, {.mode = mode}));
  }

  // Ascending, in part without a row.
  std::vector<uint32_t> SomeRows(size_t count) {
    std::set<uint32_t> rows = {0};
    for (size_t i = 0; i < count; ++i) {
      rows.insert(static_cast<uint32_t>(random_() % static_cast<uint64_t>(last_ + 20)));
    }
    return {rows.begin(), rows.end()};
  }

  // What SQLite finds.
  static Blobs Expected(Connection& connection, const std::vector<uint32_t>& rows) {
    Blobs blobs;
    for (const uint32_t row : rows) {
      Statement select = Must(connection.Prepare("SELECT data FROM item WHERE id = ?"));
      select.BindInt(1, row);
      if (Must(select.Step())) blobs[row] = AsText(select.ColumnBlob(0));
    }
    return blobs;
  }

  // Nothing if SQLite has to do it.
  static std::optional<Blobs> Found(Connection& connection, const std::vector<uint32_t>& rows,
                                    const BlobTableDefinition& table = kTable) {
    Blobs blobs;
    uint32_t next = 0;
    const bool complete =
        Must(VisitBlobs(connection, table, rows, [&](uint32_t index, ByteSpan data) {
          EXPECT_LE(next, index);
          next = index + 1;
          blobs[rows[index]] = AsText(data);
        }));
    EXPECT_TRUE(complete || blobs.empty()) << "nothing is visited twice";
    return complete ? std::optional(blobs) : std::nullopt;
  }

  TempDir dir_;
  const std::string path_ = dir_ / "rows.db";
  int64_t last_ = 0;
  std::mt19937_64 random_{TestSeed(9)};
};

TEST_F(RowLookupTest, FindsWhatSqliteFinds) {
  for (const int page_size : {512, 4096, 65536}) {
    for (const double gaps : {0.0, 0.01, 0.5}) {
      Create(page_size, gaps == 0 ? "DELETE" : "WAL");
      Fill(page_size == 65536 ? 4000 : 1500, static_cast<int64_t>(random_() % 5), gaps, 400);
      const auto connection = Open(ConnectionMode::kReadOnly);
      ASSERT_OK(BeginSnapshot(*connection));
      for (const size_t count : {1, 2, 30, 300}) {
        const std::vector<uint32_t> rows = SomeRows(count);
        EXPECT_EQ(Found(*connection, rows), Expected(*connection, rows)) << page_size;
      }
    }
  }
}

TEST_F(RowLookupTest, FindsNothingInAnEmptyTable) {
  Create(4096, "WAL");
  const auto connection = Open(ConnectionMode::kReadOnly);
  ASSERT_OK(BeginSnapshot(*connection));
  EXPECT_EQ(Found(*connection, {0, 7}), Blobs());
  EXPECT_EQ(Found(*connection, {}), Blobs());
}

TEST_F(RowLookupTest, KnowsRowsBefore0) {
  Create(512, "WAL");
  Fill(500, -200, 0, 100);
  const auto connection = Open(ConnectionMode::kReadOnly);
  ASSERT_OK(BeginSnapshot(*connection));
  const std::vector<uint32_t> rows = {0, 1, 150, 299, 300, 1000};
  EXPECT_EQ(Found(*connection, rows), Expected(*connection, rows));
}

TEST_F(RowLookupTest, LeavesToSqliteWhatIsNotInTheMainFile) {
  Create(4096, "WAL");
  Fill(100, 1, 0, 100);
  const auto writer = Open();
  const auto reader = Open(ConnectionMode::kReadOnly);
  ASSERT_OK(BeginSnapshot(*reader));
  EXPECT_TRUE(Found(*reader, {5}));
  Insert(*writer, 1000, "later");
  EXPECT_FALSE(Found(*reader, {5})) << "the WAL has a frame that the file lacks";
  ASSERT_OK(writer->Execute("BEGIN IMMEDIATE"));
  EXPECT_FALSE(Found(*writer, {5})) << "a write transaction";
}

TEST_F(RowLookupTest, LeavesPagesThatAreNotMappedToSqlite) {
  Create(512, "WAL");
  Fill(500, 1, 0, 100);
  const auto connection =
      Must(Connection::Open(path_, {.mode = ConnectionMode::kReadOnly, .enable_mapping = false}));
  ASSERT_OK(BeginSnapshot(*connection));
  EXPECT_FALSE(Found(*connection, {5, 100, 200, 300, 400}));
}

TEST_F(RowLookupTest, LeavesOtherTablesToSqlite) {
  Create(4096, "WAL");
  Fill(100, 1, 0, 100);
  const auto connection = Open(ConnectionMode::kReadOnly);
  ASSERT_OK(BeginSnapshot(*connection));
  EXPECT_FALSE(Found(*connection, {5}, {"unknown", kTable.sql}));
  EXPECT_FALSE(Found(*connection, {5}, {"item", "CREATE TABLE item(id INTEGER PRIMARY KEY)"}));
}

TEST_F(RowLookupTest, LeavesOverflowPagesAndOtherValuesToSqlite) {
  Create(1024, "WAL");
  Fill(100, 1, 0, 100);
  {
    const auto writer = Open();
    Insert(*writer, 200, std::string(5000, 'y'));
    ASSERT_OK(writer->Execute("INSERT INTO item VALUES(201, 'text'), (202, 7)"));
    ASSERT_OK(writer->Execute("PRAGMA wal_checkpoint"));
  }
  const auto connection = Open(ConnectionMode::kReadOnly);
  ASSERT_OK(BeginSnapshot(*connection));
  EXPECT_TRUE(Found(*connection, {5, 99}));
  for (const uint32_t other : {200, 201, 202}) EXPECT_FALSE(Found(*connection, {5, other}));
}

// Pages without checksums, so that damage reaches the lookup: it must end, in whatever way.
TEST_F(RowLookupTest, BearsAnyBytes) {
  Create(512, "DELETE");
  Fill(800, 1, 0.05, 100);
  std::ifstream in(path_, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  const std::vector<uint32_t> rows = SomeRows(200);
  size_t found = 0;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = file;
    for (uint64_t count = 1 + random_() % 300; count > 0; --count) {
      damaged[1024 + random_() % (damaged.size() - 1024)] = static_cast<char>(random_());
    }
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
    const auto connection = Open(ConnectionMode::kReadOnly);
    ASSERT_OK(BeginSnapshot(*connection));
    if (Found(*connection, rows)) ++found;
  }
  EXPECT_GT(found, 0u);
  EXPECT_LT(found, 300u);
}

}  // namespace
}  // namespace recall::testing
