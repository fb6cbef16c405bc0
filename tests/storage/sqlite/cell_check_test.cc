#include "storage/sqlite/cell_check.h"

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "storage/base/bytes.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// A plain SQLite connection to a file that is not a store.
class Database final {
 public:
  explicit Database(const std::string& path) {
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
  }
  ~Database() { sqlite3_close(handle_); }
  int Execute(const std::string& sql) {
    return sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  }

 private:
  sqlite3* handle_ = nullptr;
};

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteFile(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<long>(bytes.size()));
}

// Writes tables and indexes with all kinds of b-tree pages; some rows have overflow pages. The file
// is the same in each run.
void MakeFile(const std::string& path, size_t page_bytes) {
  Database database(path);
  ASSERT_EQ(
      database.Execute("PRAGMA page_size=" + std::to_string(page_bytes) +
                       "; CREATE TABLE t(id INTEGER PRIMARY KEY, b); CREATE TABLE w(k PRIMARY "
                       "KEY, v) WITHOUT ROWID; CREATE INDEX i ON t(b); BEGIN"),
      SQLITE_OK);
  ASSERT_EQ(database.Execute(
                "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<3000)"
                "INSERT INTO t SELECT i*i*i, CAST(substr(replace(hex(zeroblob(30050)), '00', "
                "printf('%x', i * 40503 % 65521)), 1, i % 40 + (i % 97 = 0) * i * 20) AS BLOB) "
                "FROM n"),
            SQLITE_OK);
  ASSERT_EQ(database.Execute("INSERT INTO w SELECT id, b FROM t; COMMIT"), SQLITE_OK);
}

ByteSpan PageOf(const std::string& file, size_t page_bytes, size_t page) {
  return AsBytes(std::string_view(file).substr(page * page_bytes, page_bytes));
}

TEST(CellCheckTest, PagesOfSqliteAreSound) {
  const TempDir dir;
  for (const size_t page_bytes : {512, 4096, 65536}) {
    const std::string path = dir / std::to_string(page_bytes);
    MakeFile(path, page_bytes);
    const std::string file = ReadFile(path);
    ASSERT_GT(file.size(), 2 * page_bytes);
    for (size_t page = 0; page < file.size() / page_bytes; ++page) {
      EXPECT_TRUE(CellsLieOnPage(PageOf(file, page_bytes, page))) << page_bytes << " " << page;
    }
  }
}

// The oracle is SQLite's cell_size_check: what CellsLieOnPage rejects, SQLite rejects with it; what
// SQLite rejects only with it, CellsLieOnPage rejects.
TEST(CellCheckTest, RefusesWhatSqliteRefuses) {
  constexpr size_t kPageBytes = 1024;
  const TempDir dir;
  const std::string path = dir / "file";
  MakeFile(path, kPageBytes);
  const std::string file = ReadFile(path);
  const auto read_all = [&](const char* check) {
    Database database(path);
    EXPECT_EQ(database.Execute(std::string("PRAGMA cell_size_check=") + check), SQLITE_OK);
    const bool rows = database.Execute("SELECT sum(length(b)) FROM t NOT INDEXED") == SQLITE_OK;
    const bool index = database.Execute("SELECT count(b) FROM t INDEXED BY i") == SQLITE_OK;
    const bool keys = database.Execute("SELECT sum(length(v)) FROM w") == SQLITE_OK;
    return rows && index && keys;
  };
  std::vector<size_t> trees;  // b-tree pages, without overflow pages
  for (size_t page = 1; page < file.size() / kPageBytes; ++page) {
    if (PageOf(file, kPageBytes, page)[0] != 0) trees.push_back(page);
  }
  std::mt19937_64 random(TestSeed(5));
  int refused = 0;
  for (int round = 0; round < 700; ++round) {
    std::string damaged = file;
    const size_t page = trees[random() % trees.size()];
    // Damages the header, the cell pointers or the last cells.
    const size_t at = random() % 4 != 0 ? 3 + random() % 60 : kPageBytes - 1 - random() % 60;
    damaged[page * kPageBytes + at] ^= static_cast<char>(1 << random() % 8);
    WriteFile(path, damaged);
    const bool sound = CellsLieOnPage(PageOf(damaged, kPageBytes, page));
    refused += !sound;
    const bool sqlite_refuses = !read_all("ON");
    if (!sound) {
      EXPECT_TRUE(sqlite_refuses) << page << " " << at;
    } else if (sqlite_refuses) {
      EXPECT_FALSE(read_all("OFF")) << page << " " << at;
    }
  }
  EXPECT_GT(refused, 100);
}

TEST(CellCheckTest, AnyBytesMayBeGiven) {
  std::mt19937_64 random(TestSeed(7));
  for (int round = 0; round < 20'000; ++round) {
    // A heap block of the exact size, so that the address sanitizer detects a read past its end.
    std::vector<uint8_t> page(512);
    for (uint8_t& byte : page) byte = static_cast<uint8_t>(random() >> 7);
    constexpr uint8_t kFlags[] = {2, 5, 10, 13};
    page[0] = kFlags[random() % 4];
    page[3] = 0;
    if (random() % 2) page[4] = static_cast<uint8_t>(random() % 4);
    // Cells that start near the end of the page.
    for (size_t i = 8; i < 20; i += 2)
      page[i] = 1, page[i + 1] = static_cast<uint8_t>(random() | 0xF0);
    static_cast<void>(CellsLieOnPage(page));
  }
}

}  // namespace
}  // namespace recall
