#include "storage/btree/index_scan.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {
namespace {

constexpr IndexDefinition kIndex = {"by_name", "CREATE INDEX by_name ON item(name, a, b)", 3};

std::string ReadIndexFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteIndexFile(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

bool TakeAll(std::string_view, const IndexNumbers&) { return true; }

struct Wanted {
  std::string low = "";
  std::optional<std::string> high = std::nullopt;
  std::string part = "";  // texts that contain it
};

using Rows = std::vector<std::array<int64_t, 3>>;  // a, b, id

class IndexScanTest : public ::testing::Test {
 protected:
  void Create(int page_size, const std::string& journal) {
    std::filesystem::remove(path_);
    RunSql(path_, "PRAGMA page_size=" + std::to_string(page_size) +
                      "; PRAGMA journal_mode=" + journal +
                      "; CREATE TABLE item(id INTEGER PRIMARY KEY, name, a, b);" + kIndex.sql);
  }

  // Names like paths, so that many share their beginning.
  std::string Name() {
    std::string name;
    for (uint64_t depth = random_() % 4; depth > 0; --depth) {
      name += std::string(1, static_cast<char>('a' + random_() % 5)) + "m/";
    }
    return name + std::string(random_() % 3 == 0 ? random_() % 40 : random_() % 3, 'x') +
           (random_() % 5 == 0 ? "é" : "") + std::to_string(random_() % 1000);
  }

  void Insert(Connection& connection, const std::string& name, int64_t a, int64_t b) {
    Statement insert = Must(connection.Prepare("INSERT INTO item(name, a, b) VALUES(?, ?, ?)"));
    insert.BindText(1, name);
    insert.BindInt(2, a);
    insert.BindInt(3, b);
    ASSERT_OK(insert.Run());
  }

  void Fill(int rows) {
    constexpr int64_t kNumbers[] = {0,          1,         -1,        127,       -128,     40'000,
                                    -8'000'000, 1LL << 31, 1LL << 45, INT64_MIN, INT64_MAX};
    const auto connection = Open();
    ASSERT_OK(connection->Execute("BEGIN"));
    for (int i = 0; i < rows; ++i) {
      Insert(*connection, Name(), kNumbers[random_() % std::size(kNumbers)],
             static_cast<int64_t>(random_()) >> random_() % 64);
    }
    ASSERT_OK(
        connection->Execute("UPDATE item SET a = NULL WHERE id % 17 = 0;"
                            "UPDATE item SET name = NULL WHERE id % 31 = 0;"
                            "UPDATE item SET name = id WHERE id % 37 = 0;"
                            "UPDATE item SET name = x'FF' WHERE id % 41 = 0;"
                            "DELETE FROM item WHERE id % 7 = 0; COMMIT"));
    ASSERT_OK(connection->Execute("PRAGMA wal_checkpoint"));
  }

  std::unique_ptr<Connection> Open(ConnectionMode mode = ConnectionMode::kReadWrite) {
    return Must(Connection::Open(path_, {.mode = mode}));
  }

  // What SQLite finds.
  static Rows Expected(Connection& connection, const Wanted& wanted) {
    Statement select = Must(connection.Prepare(
        "SELECT ifnull(a, 0), ifnull(b, 0), id, name FROM item WHERE typeof(name) = 'text' "
        "ORDER BY name, a, b, id"));
    Rows rows;
    while (Must(select.Step())) {
      const std::string_view name = select.ColumnText(3);
      if (name >= wanted.low && (!wanted.high || name < *wanted.high) &&
          name.find(wanted.part) != name.npos) {
        rows.push_back({select.ColumnInt(0), select.ColumnInt(1), select.ColumnInt(2)});
      }
    }
    return rows;
  }

  // Nothing if SQLite has to do it.
  static std::optional<Rows> Scanned(Connection& connection, const Wanted& wanted, bool find,
                                     const IndexDefinition& index = kIndex) {
    IndexQuestion question;
    question.low = wanted.low;
    question.high = wanted.high;
    question.test = [&](std::string_view text) { return text.find(wanted.part) != text.npos; };
    if (find) {
      question.find = [&](ByteSpan bytes, size_t from) {
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return text.find(wanted.part, from);
      };
    }
    Rows rows;
    const bool complete = Must(
        ScanIndex(connection, index, question, [&](std::string_view, const IndexNumbers& numbers) {
          rows.push_back({numbers[0], numbers[1], numbers[2]});
          return true;
        }));
    return complete ? std::optional(rows) : std::nullopt;
  }

  TempDir dir_;
  const std::string path_ = dir_ / "index.db";
  std::mt19937_64 random_{TestSeed(8)};
};

TEST_F(IndexScanTest, ReadsIndexesOfNumbers) {
  constexpr IndexDefinition kNumbers = {"by_number", "CREATE INDEX by_number ON item(a, b)", 3,
                                        /*has_text=*/false};
  for (const int page_size : {1024, 65536}) {
    Create(page_size, "WAL");
    RunSql(path_, kNumbers.sql);
    Fill(1500);
    const auto connection = Open();
    const auto scan = [&](Rows* rows) {
      return Must(ScanIndex(*connection, kNumbers, {},
                            [&](std::string_view text, const IndexNumbers& numbers) {
                              EXPECT_EQ(text, "");
                              rows->push_back({numbers[0], numbers[1], numbers[2]});
                              return true;
                            }));
    };
    ASSERT_OK(BeginSnapshot(*connection));
    Rows expected;
    Statement select = Must(
        connection->Prepare("SELECT ifnull(a, 0), ifnull(b, 0), id FROM item ORDER BY a, b, id"));
    while (Must(select.Step())) {
      expected.push_back({select.ColumnInt(0), select.ColumnInt(1), select.ColumnInt(2)});
    }
    select.Reset();
    Rows rows;
    EXPECT_TRUE(scan(&rows));
    EXPECT_EQ(rows, expected);
    ASSERT_OK(connection->Execute("ROLLBACK"));
    for (const char* value : {"'text'", "0.5", "x'00'"}) {
      ASSERT_OK(connection->Execute(std::string("UPDATE item SET a = ") + value +
                                    " WHERE id = 8; PRAGMA wal_checkpoint; BEGIN"));
      rows.clear();
      EXPECT_FALSE(scan(&rows)) << value;
      ASSERT_OK(connection->Execute("ROLLBACK"));
    }
  }
}

TEST_F(IndexScanTest, FindsWhatSqliteFinds) {
  for (const int page_size : {1024, 4096, 65536}) {
    for (const char* journal : {"WAL", "DELETE"}) {
      Create(page_size, journal);
      Fill(page_size == 65536 ? 6000 : 1500);
      for (const auto mode : {ConnectionMode::kReadOnly, ConnectionMode::kReadWrite}) {
        const auto connection = Open(mode);
        ASSERT_OK(BeginSnapshot(*connection));
        for (int round = 0; round < 40; ++round) {
          Wanted wanted;
          if (round % 2 == 1) wanted.low = Name();
          if (round % 3 == 1) wanted.high = Name();
          if (round % 5 != 0) wanted.part = round % 5 == 1 ? "/" : Name().substr(0, 3);
          const Rows expected = Expected(*connection, wanted);
          EXPECT_EQ(Scanned(*connection, wanted, false), expected) << wanted.low;
          if (wanted.part.empty()) continue;
          EXPECT_EQ(Scanned(*connection, wanted, true), expected) << wanted.part;
        }
      }
    }
  }
}

TEST_F(IndexScanTest, ReadsAnEmptyIndex) {
  Create(4096, "WAL");
  const auto connection = Open();
  ASSERT_OK(BeginSnapshot(*connection));
  EXPECT_EQ(Scanned(*connection, {}, false), Rows());
}

TEST_F(IndexScanTest, LeavesToSqliteWhatIsNotInTheMainFile) {
  Create(4096, "WAL");
  Fill(100);
  const auto writer = Open();
  const auto reader = Open(ConnectionMode::kReadOnly);
  ASSERT_OK(BeginSnapshot(*reader));
  EXPECT_TRUE(Scanned(*reader, {}, false));
  Insert(*writer, "later", 1, 2);
  EXPECT_FALSE(Scanned(*reader, {}, false)) << "the WAL has a frame that the file lacks";
  const auto late_reader = Open(ConnectionMode::kReadOnly);
  ASSERT_OK(BeginSnapshot(*late_reader));
  EXPECT_FALSE(Scanned(*late_reader, {}, false));
  ASSERT_OK(reader->Execute("COMMIT"));
  ASSERT_OK(writer->Execute("PRAGMA wal_checkpoint"));
  EXPECT_EQ(Scanned(*late_reader, {}, false), Expected(*late_reader, {}));
  ASSERT_OK(writer->Execute("BEGIN IMMEDIATE"));
  EXPECT_FALSE(Scanned(*writer, {}, false)) << "a write transaction";
}

TEST_F(IndexScanTest, LeavesOtherIndexesToSqlite) {
  Create(4096, "WAL");
  Fill(100);
  const auto connection = Open();
  ASSERT_OK(BeginSnapshot(*connection));
  const IndexDefinition others[] = {
      {"by_name", "CREATE INDEX by_name ON item(name, a)", 3},
      {"unknown", kIndex.sql, 3},
      {"by_name", kIndex.sql, 2},
  };
  for (const IndexDefinition& other : others) {
    EXPECT_FALSE(Scanned(*connection, {}, false, other)) << other.sql << other.numbers;
  }
}

TEST_F(IndexScanTest, LeavesTextsWithOverflowPagesToSqlite) {
  Create(1024, "WAL");
  Fill(300);
  {
    const auto writer = Open();
    Insert(*writer, "am/" + std::string(2000, 'y') + "needle", 1, 2);
    ASSERT_OK(writer->Execute("PRAGMA wal_checkpoint"));
  }
  const auto connection = Open();
  ASSERT_OK(BeginSnapshot(*connection));
  EXPECT_FALSE(Scanned(*connection, {}, false));
  EXPECT_FALSE(Scanned(*connection, {.part = "needle"}, true));
}

TEST_F(IndexScanTest, EndsWhenTheVisitorSaysSo) {
  Create(4096, "WAL");
  Fill(100);
  const auto connection = Open();
  ASSERT_OK(BeginSnapshot(*connection));
  const Rows expected = Expected(*connection, {});
  Rows visited;
  const auto take = [&](std::string_view, const IndexNumbers& numbers) {
    visited.push_back({numbers[0], numbers[1], numbers[2]});
    return visited.size() < 3;
  };
  EXPECT_TRUE(Must(ScanIndex(*connection, kIndex, {}, take)));
  EXPECT_EQ(visited, Rows(expected.begin(), expected.begin() + 3));
}

TEST_F(IndexScanTest, CanBeInterrupted) {
  Create(4096, "WAL");
  Fill(1000);
  const auto connection = Open();
  ASSERT_OK(BeginSnapshot(*connection));
  IndexQuestion question;
  question.test = [&](std::string_view) {
    connection->Interrupt();
    return true;
  };
  const auto scanned = ScanIndex(*connection, kIndex, question, TakeAll);
  ASSERT_FALSE(scanned);
  EXPECT_EQ(scanned.error().code(), StatusCode::kCancelled);
  const auto later = ScanIndex(*connection, kIndex, {}, TakeAll);
  EXPECT_FALSE(later && *later);
}

// Pages without checksums, so that damage reaches the scan: it must end, in whatever way.
TEST_F(IndexScanTest, BearsAnyBytes) {
  Create(1024, "DELETE");
  Fill(600);
  const std::string file = ReadIndexFile(path_);
  for (int round = 0; round < 400; ++round) {
    std::string damaged = file;
    for (int i = 0; i < 30; ++i) {
      damaged[1024 + random_() % (damaged.size() - 1024)] = static_cast<char>(random_());
    }
    WriteIndexFile(path_, damaged);
    const auto opened = Connection::Open(path_, {.mode = ConnectionMode::kReadOnly});
    if (!opened) continue;
    if (!BeginSnapshot(**opened)) continue;
    IndexQuestion question;
    question.test = [](std::string_view text) { return text.size() % 2 == 0; };
    ScanIndex(**opened, kIndex, question, TakeAll).has_value();
  }
}

}  // namespace
}  // namespace recall::testing
