#include "storage/btree/column_scan.h"

#include <filesystem>
#include <fstream>
#include <random>

#include "storage/base/bytes.h"
#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {
namespace {

constexpr RowTableDefinition kItems = {
    "item",
    "CREATE TABLE item(id INTEGER PRIMARY KEY, a INTEGER, b INTEGER NOT NULL, name TEXT NOT NULL)"};

using Values = std::vector<std::pair<uint32_t, std::string>>;

class ColumnScanTest : public ::testing::Test {
 protected:
  void Create(int page_size) {
    std::filesystem::remove(path_);
    RunSql(path_, "PRAGMA page_size=" + std::to_string(page_size) + "; PRAGMA journal_mode=WAL;" +
                      kItems.sql);
  }

  // Rows with integers of every size, NULL among them, and texts of up to `most_bytes`.
  void Fill(int rows, size_t most_bytes) {
    const auto connection = Open(ConnectionMode::kReadWrite);
    ASSERT_OK(connection->Execute("BEGIN"));
    Statement insert = Must(connection->Prepare("INSERT INTO item VALUES(?, ?, ?, ?)"));
    int64_t row = static_cast<int64_t>(random_() % 3);
    for (int i = 0; i < rows; ++i, ++row) {
      if (random_() % 50 == 0) row += 1 + static_cast<int64_t>(random_() % 300);
      insert.BindInt(1, row);
      if (random_() % 4 == 0) {
        insert.BindNull(2);
      } else {
        insert.BindInt(2, SomeInteger());
      }
      insert.BindInt(3, SomeInteger());
      const std::string name(random_() % most_bytes, static_cast<char>('a' + i % 26));
      insert.BindText(4, name);
      ASSERT_OK(insert.Run());
      insert.Reset();
    }
    last_ = static_cast<uint32_t>(row);
    ASSERT_OK(connection->Execute("COMMIT"));
    ASSERT_OK(connection->Execute("PRAGMA wal_checkpoint"));
  }

  int64_t SomeInteger() {
    const auto bits = static_cast<int>(random_() % 64);
    const auto value = static_cast<int64_t>(random_() >> bits);
    return random_() % 3 == 0 ? -(value >> 1) : random_() % 9 == 0 ? 1 : value;
  }

  std::unique_ptr<Connection> Open(ConnectionMode mode = ConnectionMode::kReadOnly) {
    return Must(Connection::Open(path_, {.mode = mode}));
  }

  static constexpr const char* kNames[] = {"id", "a", "b", "name"};

  Values Expected(Connection& connection, size_t column, uint32_t first, uint32_t last) {
    Statement select =
        Must(connection.Prepare("SELECT id, " + std::string(kNames[column]) +
                                " FROM item WHERE id BETWEEN ?1 AND ?2 ORDER BY id"));
    select.BindInt(1, first);
    select.BindInt(2, last);
    Values values;
    while (Must(select.Step())) {
      values.emplace_back(select.ColumnInt(0), column == 3 ? std::string(select.ColumnText(1))
                                                           : std::to_string(select.ColumnInt(1)));
    }
    return values;
  }

  // The rows that were visited; *next: where SQLite has to continue.
  Values Found(Connection& connection, size_t column, uint32_t first, uint32_t last, uint64_t* next,
               const RowTableDefinition& table = kItems) {
    Values values;
    *next = Must(ScanColumn(connection, table, {column, column == 3}, first, last,
                            [&](uint32_t row, const ScannedValue& value) {
                              values.emplace_back(row, column == 3 ? std::string(value.text)
                                                                   : std::to_string(value.number));
                            }));
    return values;
  }

  TempDir dir_;
  const std::string path_ = dir_ / "rows.db";
  uint32_t last_ = 0;
  std::mt19937_64 random_{TestSeed(12)};
};

TEST_F(ColumnScanTest, VisitsWhatSqliteFinds) {
  for (const int page_size : {512, 4096, 65536}) {
    Create(page_size);
    Fill(page_size == 65536 ? 20'000 : 3000, 60);
    const auto connection = Open();
    ASSERT_OK(BeginSnapshot(*connection));
    for (int round = 0; round < 30; ++round) {
      const size_t column = 1 + random_() % 3;
      const auto first = static_cast<uint32_t>(random_() % (last_ + 10));
      const auto last = first + static_cast<uint32_t>(random_() % (last_ + 10));
      uint64_t next = 0;
      EXPECT_EQ(Found(*connection, column, first, last, &next),
                Expected(*connection, column, first, last));
      EXPECT_EQ(next, uint64_t{last} + 1);
    }
  }
}

TEST_F(ColumnScanTest, AnEmptyTableHasNoRows) {
  Create(4096);
  const auto connection = Open();
  ASSERT_OK(BeginSnapshot(*connection));
  uint64_t next = 0;
  EXPECT_TRUE(Found(*connection, 3, 0, 100, &next).empty());
  EXPECT_EQ(next, 101u);
}

// Such a row ends the scan, which then continues behind it.
TEST_F(ColumnScanTest, LeavesOverflowPagesAndOtherValuesToSqlite) {
  Create(512);
  Fill(300, 40);
  {
    const auto writer = Open(ConnectionMode::kReadWrite);
    ASSERT_OK(writer->Execute("INSERT INTO item VALUES(90000, 1, 2, '" + std::string(2000, 'y') +
                              "'), (90001, 'text', 2, 'x'), (90002, 1, 2.5, 'x'), "
                              "(90003, 1, 2, x'00'), (90004, 1, 2, 'last')"));
    ASSERT_OK(writer->Execute("PRAGMA wal_checkpoint"));
  }
  const auto connection = Open();
  ASSERT_OK(BeginSnapshot(*connection));
  uint64_t next = 0;
  const Values before = Expected(*connection, 3, 0, 89999);
  EXPECT_EQ(Found(*connection, 3, 0, 95000, &next), before);
  for (const uint32_t odd : {90000u, 90001u, 90002u, 90003u}) {
    EXPECT_TRUE(Found(*connection, 3, odd, 95000, &next).empty());
    EXPECT_EQ(next, odd);
  }
  EXPECT_EQ(Found(*connection, 3, 90004, 95000, &next), (Values{{90004, "last"}}));
  EXPECT_EQ(next, 95001u);
}

TEST_F(ColumnScanTest, LeavesToSqliteWhatIsNotInTheMainFile) {
  Create(4096);
  Fill(100, 20);
  const auto writer = Open(ConnectionMode::kReadWrite);
  const auto reader = Open();
  ASSERT_OK(BeginSnapshot(*reader));
  uint64_t next = 0;
  EXPECT_FALSE(Found(*reader, 1, 0, last_, &next).empty());
  ASSERT_OK(writer->Execute("INSERT INTO item VALUES(80000, 1, 2, 'later')"));
  EXPECT_TRUE(Found(*reader, 1, 7, last_, &next).empty());
  EXPECT_EQ(next, 7u);
  ASSERT_OK(reader->Execute("COMMIT"));
}

TEST_F(ColumnScanTest, LeavesOtherTablesToSqlite) {
  Create(4096);
  Fill(100, 20);
  const auto connection = Open();
  ASSERT_OK(BeginSnapshot(*connection));
  uint64_t next = 0;
  EXPECT_TRUE(Found(*connection, 1, 3, 90, &next, {"unknown", kItems.sql}).empty());
  EXPECT_EQ(next, 3u);
  EXPECT_TRUE(Found(*connection, 1, 3, 90, &next, {"item", "CREATE TABLE item(id)"}).empty());
  EXPECT_EQ(next, 3u);
}

// Pages without checksums, so that damage reaches the scan: it must end, in whatever way, and visit
// each row at most once, in order.
TEST_F(ColumnScanTest, BearsAnyBytes) {
  Create(512);
  Fill(1500, 40);
  RunSql(path_, "PRAGMA journal_mode=DELETE");
  std::ifstream in(path_, std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  size_t complete = 0;
  for (int round = 0; round < 300; ++round) {
    std::string damaged = file;
    for (uint64_t count = 1 + random_() % 200; count > 0; --count) {
      damaged[1024 + random_() % (damaged.size() - 1024)] = static_cast<char>(random_());
    }
    std::ofstream(path_, std::ios::binary | std::ios::trunc)
        .write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
    const auto connection = Open();
    ASSERT_OK(BeginSnapshot(*connection));
    uint64_t next = 0;
    const Values found = Found(*connection, 1 + random_() % 3, 0, last_, &next);
    for (size_t i = 1; i < found.size(); ++i) ASSERT_LT(found[i - 1].first, found[i].first);
    if (!found.empty()) {
      EXPECT_LT(found.back().first, next);
    }
    complete += next == uint64_t{last_} + 1;
  }
  EXPECT_LT(complete, 300u);
}

}  // namespace
}  // namespace recall::testing
