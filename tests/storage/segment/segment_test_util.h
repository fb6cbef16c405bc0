#pragma once

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "storage/segment/segment_catalog.h"
#include "storage/segment/segment_header.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/page_vfs.h"
#include "tests/test_util.h"

namespace recall::testing {

// Runs SQL like the sqlite3 shell, but changed pages receive new checksums, as if Recall had
// written them. Returns: the first column of the last row.
inline int64_t RunSql(const std::string& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  int64_t value = 0;
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  EXPECT_EQ(sqlite3_open_v2(path.c_str(), &handle, kFlags, PageVfs()), SQLITE_OK);
  sqlite3_busy_timeout(handle, 10'000);
  const auto keep = [](void* out, int, char** columns, char**) {
    if (columns[0] != nullptr) *static_cast<int64_t*>(out) = std::atoll(columns[0]);
    return 0;
  };
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), keep, &value, &error), SQLITE_OK)
      << sql << ": " << (error ? error : "");
  sqlite3_free(error);
  EXPECT_EQ(sqlite3_close(handle), SQLITE_OK);
  return value;
}

struct FileShape {
  int page_size = 4096;
  const char* journal = "WAL";
  int auto_vacuum = 0;
};

// Creates a file with a store's segment tables and a table for other rows.
inline void CreateSegmentFile(const std::string& path, const FileShape& shape) {
  RunSql(path, "PRAGMA page_size=" + std::to_string(shape.page_size) + "; PRAGMA auto_vacuum=" +
                   std::to_string(shape.auto_vacuum) + "; PRAGMA journal_mode=" + shape.journal +
                   "; CREATE TABLE vec_segment(id INTEGER PRIMARY KEY AUTOINCREMENT,"
                   "  vectors INTEGER NOT NULL, min_chunk INTEGER NOT NULL,"
                   "  max_chunk INTEGER NOT NULL, pages INTEGER NOT NULL,"
                   "  header_crc INTEGER NOT NULL);"
                   "CREATE TABLE vec_data(id INTEGER PRIMARY KEY, data BLOB);"
                   "CREATE TABLE other(id INTEGER PRIMARY KEY, body TEXT)");
}

// A segment determined by `seed`. Its chunk rowids start at seed * 100'000.
inline SegmentContent MakeContent(uint32_t seed, uint32_t vectors, uint32_t dim = 64) {
  SegmentContent content{.vectors = vectors,
                         .dim = dim,
                         .min_chunk = seed * 100'000,
                         .max_chunk = seed * 100'000 + vectors - 1,
                         .space_hash = uint64_t{0x1234'5678'9abc'def0} + seed,
                         .signature_bits = dim,
                         .signature_seed = 42,
                         .sections = {}};
  const uint32_t row_bytes = (dim + 63) / 64 * 64;
  const std::pair<SectionKind, uint32_t> kinds[] = {{SectionKind::kSignatures, 4 * dim},
                                                    {SectionKind::kChunkIds, 4},
                                                    {SectionKind::kVectors, row_bytes},
                                                    {SectionKind::kScales, 4},
                                                    {SectionKind::kTokenCounts, 4}};
  std::mt19937_64 random(seed);
  for (const auto& [kind, item_bytes] : kinds) {
    const size_t items = kind == SectionKind::kSignatures ? (vectors + 31) / 32 : vectors;
    std::vector<uint8_t> bytes(items * item_bytes);
    for (size_t i = 0; i < bytes.size(); i += 4) {
      const auto word = static_cast<uint32_t>(random());
      std::memcpy(bytes.data() + i, &word, 4);
    }
    content.sections.push_back({kind, item_bytes, std::move(bytes)});
  }
  return content;
}

// True if the view has exactly these bytes.
inline ::testing::AssertionResult Shows(const SectionView& view,
                                        const SegmentContent::Section& section) {
  const auto name = static_cast<int>(section.kind);
  if (view.item_bytes() != section.item_bytes ||
      size_t{view.items()} * view.item_bytes() != section.bytes.size()) {
    return ::testing::AssertionFailure() << "section " << name << " has another size";
  }
  // First some items in any order, then all.
  for (uint32_t i = view.items(); i > 0; i -= std::min(i, 97u)) {
    const uint32_t some[] = {i - 1, (i - 1) / 2, i - 1};
    const Status found = view.Need(some);
    if (!found.ok()) return ::testing::AssertionFailure() << found.ToString();
    const size_t at = size_t{i - 1} * view.item_bytes();
    if (std::memcmp(view.item(i - 1), section.bytes.data() + at, view.item_bytes()) != 0) {
      return ::testing::AssertionFailure() << "section " << name << " item " << i - 1 << " differs";
    }
  }
  const Status found = view.NeedRange(0, view.items());
  if (!found.ok()) return ::testing::AssertionFailure() << found.ToString();
  std::vector<uint8_t> item(view.item_bytes());
  for (uint32_t i = 0; view.reads_faster() && i < view.items(); ++i) {
    if (!view.Read(i, item.data()) ||
        std::memcmp(item.data(), section.bytes.data() + size_t{i} * item.size(), item.size()) !=
            0) {
      return ::testing::AssertionFailure()
             << "section " << name << " item " << i << " is read wrongly";
    }
  }
  const uint8_t* expected = section.bytes.data();
  for (uint32_t page = 0; page < view.pages(); ++page) {
    const size_t bytes = size_t{view.items_on_page(page)} * view.item_bytes();
    if (reinterpret_cast<uintptr_t>(view.page(page)) % 64 != 0) {
      return ::testing::AssertionFailure() << "page " << page << " is not aligned";
    }
    if (std::memcmp(view.page(page), expected, bytes) != 0) {
      return ::testing::AssertionFailure() << "section " << name << " page " << page << " differs";
    }
    expected += bytes;
  }
  if (expected == section.bytes.data() + section.bytes.size()) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "section " << name << " has other pages";
}

// True if the reader has exactly these bytes.
inline ::testing::AssertionResult Shows(const SegmentReader& reader,
                                        const SegmentContent& content) {
  const SegmentInfo& info = reader.info();
  if (info.vectors != content.vectors || info.dim != content.dim ||
      info.min_chunk != content.min_chunk || info.max_chunk != content.max_chunk) {
    return ::testing::AssertionFailure() << "segment " << info.id << " describes itself wrongly";
  }
  for (const SegmentContent::Section& section : content.sections) {
    const Result<const SectionView*> view = reader.Section(section.kind);
    if (!view) return ::testing::AssertionFailure() << view.error().ToString();
    ::testing::AssertionResult shown = Shows(**view, section);
    if (!shown) return shown << " in segment " << info.id;
  }
  return ::testing::AssertionSuccess();
}

// A segment catalog and its connection.
class Handle final {
 public:
  explicit Handle(const std::string& path, bool enable_mapping = true,
                  ConnectionMode mode = ConnectionMode::kReadWrite)
      : catalog_(Must(SegmentCatalog::Open(path, enable_mapping))),
        connection_(Must(Connection::Open(path, {.mode = mode}))) {}

  SegmentCatalog& catalog() { return *catalog_; }
  Connection& connection() { return *connection_; }
  const SegmentAccessCounters& counters() const { return catalog_->counters(); }

  int64_t Insert(const SegmentContent& content) {
    EXPECT_OK(connection_->Execute("BEGIN IMMEDIATE"));
    const int64_t id = Must(catalog_->Insert(*connection_, content));
    EXPECT_OK(connection_->Execute("COMMIT"));
    return id;
  }

  void Delete(int64_t id) {
    EXPECT_OK(connection_->Execute("BEGIN IMMEDIATE"));
    EXPECT_OK(catalog_->Delete(*connection_, id));
    EXPECT_OK(connection_->Execute("COMMIT"));
  }

  void Checkpoint() { EXPECT_OK(connection_->QueryInt("PRAGMA wal_checkpoint(TRUNCATE)")); }

  // Opens the segments in a read transaction, which stays open until End.
  std::vector<std::unique_ptr<SegmentReader>> Begin() {
    EXPECT_OK(catalog_->BeginRead(*connection_));
    return Must(catalog_->OpenSegments(*connection_));
  }
  void End() { EXPECT_OK(connection_->Execute("COMMIT")); }

  // Reads all segments in one transaction and compares them. Returns: the number of mapped ones.
  int64_t ExpectContents(const std::vector<SegmentContent>& contents) {
    const int64_t before = counters().mapped;
    const auto readers = Begin();
    EXPECT_EQ(readers.size(), contents.size());
    for (size_t i = 0; i < readers.size() && i < contents.size(); ++i) {
      EXPECT_TRUE(Shows(*readers[i], contents[i]));
    }
    End();
    return counters().mapped - before;
  }

 private:
  std::unique_ptr<SegmentCatalog> catalog_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace recall::testing
