#include "storage/overflow/page_layout.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "storage/overflow/page_map.h"
#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {
namespace {

std::vector<uint8_t> ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

PageLayout Layout(uint32_t page_size) { return Must(PageLayout::Make(page_size, page_size)); }

// The expected byte at `index` of row `id`.
uint8_t RowByte(int64_t id, uint64_t index) {
  return static_cast<uint8_t>((static_cast<uint64_t>(id) * 0x9E37'79B9 + index * 0x85EB'CA6B) >>
                              13);
}

class RealRowsTest : public ::testing::TestWithParam<uint32_t> {};

// SQLite writes rows of many lengths; the chain that FindChain finds must have exactly the bytes at
// the positions that the formulas give.
TEST_P(RealRowsTest, BytesLieWhereTheFormulasSay) {
  const uint32_t page_size = GetParam();
  const PageLayout layout = Layout(page_size);
  TempDir dir;
  const std::string path = dir / "rows.db";
  std::mt19937_64 random(TestSeed(page_size));
  std::vector<uint64_t> lengths;
  for (uint32_t pages = 1; pages <= 40; ++pages) lengths.push_back(*layout.BlobLength(pages));
  for (int i = 0; i < 60; ++i) lengths.push_back(page_size + random() % (page_size * 6));

  CreateSegmentFile(path, {.page_size = static_cast<int>(page_size), .journal = "DELETE"});
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, "BEGIN", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(handle, "INSERT INTO vec_data VALUES(?, ?)", -1, &insert, nullptr);
  for (size_t row = 0; row < lengths.size(); ++row) {
    const auto id = static_cast<int64_t>(row * 977 + 1);
    std::vector<uint8_t> data(lengths[row]);
    for (size_t i = 0; i < data.size(); ++i) data[i] = RowByte(id, i);
    sqlite3_bind_int64(insert, 1, id);
    sqlite3_bind_blob64(insert, 2, data.data(), data.size(), SQLITE_TRANSIENT);
    ASSERT_EQ(sqlite3_step(insert), SQLITE_DONE);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  ASSERT_EQ(sqlite3_exec(handle, "COMMIT", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(handle);

  const auto root = static_cast<uint32_t>(
      RunSql(path, "SELECT rootpage FROM sqlite_schema WHERE name='vec_data'"));
  const std::vector<uint8_t> bytes = ReadFile(path);
  const FilePages file{bytes, layout};
  const auto close_file = [](const int* descriptor) { ::close(*descriptor); };
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(descriptor, 0);
  const std::unique_ptr<const int, decltype(close_file)> closing(&descriptor, close_file);
  const FilePages by_descriptor{bytes, layout, descriptor};
  for (size_t row = 0; row < lengths.size(); ++row) {
    const auto id = static_cast<int64_t>(row * 977 + 1);
    const uint64_t length = lengths[row];
    const uint64_t payload = length + PageLayout::RecordHeaderBytes(length);
    ASSERT_OK_AND_ASSIGN(const PageMap map, FindChain(file, root, id, length));
    EXPECT_EQ(Must(FindChain(by_descriptor, root, id, length)), map);
    ASSERT_EQ(map.size(), layout.ChainPages(payload));
    uint64_t at = layout.LocalBytes(payload) - PageLayout::RecordHeaderBytes(length);
    if (row < 40) {
      ASSERT_EQ(map.size(), row + 1);
      ASSERT_EQ(at, layout.PrefixBytes(length));
      ASSERT_EQ(length, at + map.size() * layout.chain_bytes()) << "pages are not full";
    }
    for (const uint32_t number : map) {
      const uint8_t* page = file.page(number) + PageLayout::kPointerBytes;
      for (uint32_t i = 0; i < layout.chain_bytes() && at < length; ++i, ++at) {
        ASSERT_EQ(page[i], RowByte(id, at)) << "row " << id << " byte " << at;
      }
    }
    ASSERT_EQ(at, length);
  }
}

INSTANTIATE_TEST_SUITE_P(PageSizes, RealRowsTest,
                         ::testing::Values(512, 1024, 2048, 4096, 8192, 16384, 32768, 65536));

TEST(PageLayoutTest, EveryNumberOfPagesHasALength) {
  for (uint32_t page_size = 512; page_size <= 65536; page_size *= 2) {
    const PageLayout layout = Layout(page_size);
    for (uint32_t pages = 1; uint64_t{pages} * page_size < 1'000'000'000; ++pages) {
      const std::optional<uint64_t> length = layout.BlobLength(pages);
      ASSERT_TRUE(length.has_value()) << page_size << " x " << pages;
      const uint64_t payload = *length + PageLayout::RecordHeaderBytes(*length);
      ASSERT_EQ(layout.LocalBytes(payload), layout.min_local());
      ASSERT_EQ(layout.ChainPages(payload), pages);
      ASSERT_EQ(layout.PrefixBytes(*length) + uint64_t{pages} * layout.chain_bytes(), *length);
    }
  }
}

TEST(PageLayoutTest, KnowsThePublishedFigures) {
  EXPECT_EQ(Layout(4096).min_local(), 489u);
  EXPECT_EQ(Layout(65536).min_local(), 8199u);
  EXPECT_EQ(Layout(65536).max_local(), 65501u);
  EXPECT_EQ(Layout(65536).PrefixBytes(*Layout(65536).BlobLength(100)), 8193u);
}

TEST(PageLayoutTest, RefusesWhatNoDatabaseHas) {
  for (const auto& [page_size, usable] : {std::pair{0u, 0u},
                                          {256u, 256u},
                                          {131072u, 131072u},
                                          {1000u, 1000u},
                                          {4096u, 4097u},
                                          {512u, 479u}}) {
    EXPECT_EQ(PageLayout::Make(page_size, usable).error().code(), StatusCode::kCorruption)
        << page_size << " " << usable;
  }
}

// A file with one segment, and the position of its row.
struct SmallFile {
  std::vector<uint8_t> bytes;
  uint32_t root;
  uint64_t length;
};

SmallFile MakeSmallFile(const TempDir& dir) {
  const std::string path = dir / "small.db";
  CreateSegmentFile(path, {.page_size = 2048, .journal = "DELETE"});
  RunSql(path,
         "INSERT INTO vec_data WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM c "
         "WHERE i<30) SELECT i, zeroblob(11000) FROM c");
  return {ReadFile(path),
          static_cast<uint32_t>(
              RunSql(path, "SELECT rootpage FROM sqlite_schema WHERE name='vec_data'")),
          11000};
}

TEST(PageMapTest, FindsOnlyRowsThatExist) {
  TempDir dir;
  const SmallFile small = MakeSmallFile(dir);
  const FilePages file{small.bytes, Layout(2048)};
  for (int64_t id = -3; id <= 40; ++id) {
    EXPECT_EQ(FindChain(file, small.root, id, small.length).has_value(), id >= 1 && id <= 30) << id;
  }
  EXPECT_FALSE(FindChain(file, small.root, 5, small.length + 1).has_value());
  EXPECT_FALSE(FindChain(file, small.root, 5, uint64_t{1} << 60).has_value());
  EXPECT_FALSE(FindChain(file, 0, 5, small.length).has_value());
  EXPECT_FALSE(FindChain(file, 1u << 31, 5, small.length).has_value());
}

// Any damaged byte gives a map inside the file or an error, never a crash or an endless loop.
TEST(PageMapTest, SurvivesDamagedAndShortenedFiles) {
  TempDir dir;
  SmallFile small = MakeSmallFile(dir);
  const PageLayout layout = Layout(2048);
  for (size_t at = 0; at < small.bytes.size(); ++at) {
    const bool pointer = at % 2048 < 4;
    const bool tree = at / 2048 + 1 <= small.root || small.bytes[at / 2048 * 2048] == 0x0d;
    if (!pointer && !tree && at % 37 != 0) continue;
    for (const uint8_t damage : {uint8_t{0xFF}, uint8_t{0x80}, uint8_t{0x01}}) {
      small.bytes[at] ^= damage;
      const auto map = FindChain({small.bytes, layout}, small.root, 17, small.length);
      if (map) {
        EXPECT_EQ(map->size(), layout.ChainPages(small.length + 5));
        for (const uint32_t page : *map) EXPECT_LE(uint64_t{page} * 2048, small.bytes.size());
      }
      small.bytes[at] ^= damage;
    }
  }
  for (size_t size = 0; size < small.bytes.size(); size += 1000) {
    const std::vector<uint8_t> shorter(small.bytes.begin(),
                                       small.bytes.begin() + static_cast<ptrdiff_t>(size));
    const auto map = FindChain({shorter, layout}, small.root, 30, small.length);
    EXPECT_FALSE(map.has_value()) << size;
  }
}

}  // namespace
}  // namespace recall::testing
