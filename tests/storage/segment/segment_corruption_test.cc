// Damaged files: reads through the mapping and by copy give the right bytes or Corruption, and
// `check` detects every damaged byte of a segment.

#include <fstream>
#include <functional>
#include <iterator>

#include "tests/storage/segment/segment_test_util.h"

namespace recall::testing {
namespace {

constexpr size_t kFilePageSize = 4096;

class SegmentCorruptionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    CreateSegmentFile(path_, {.page_size = kFilePageSize, .journal = "DELETE"});
    Handle writer(path_);
    id_ = writer.Insert(content_);
    std::ifstream file(path_, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  // Requires: no open connection, because this would drop its locks.
  void Patch(size_t at, char byte) {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }

  void WithDamage(size_t at, const std::function<void()>& look) {
    Patch(at, static_cast<char>(bytes_[at] ^ 0x40));
    look();
    Patch(at, bytes_[at]);
  }

  void Restore() { std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes_; }

  size_t HeaderOffset() const { return bytes_.find("RECALSEG"); }
  std::vector<size_t> PageOffsets() const {
    std::vector<size_t> pages;
    for (size_t at = 0; at < bytes_.size(); at += kFilePageSize) {
      if (bytes_.compare(at + 4, 4, "RVPG") == 0) pages.push_back(at);
    }
    return pages;
  }

  // OK if all bytes of the segment are right.
  Status Read(bool enable_mapping) {
    Handle handle(path_, enable_mapping);
    RECALL_TRY(handle.catalog().BeginRead(handle.connection()));
    RECALL_ASSIGN(const auto readers, handle.catalog().OpenSegments(handle.connection()));
    EXPECT_EQ(readers.size(), 1u);
    for (const SegmentContent::Section& section : content_.sections) {
      RECALL_ASSIGN(const SectionView* view, readers[0]->Section(section.kind));
      RECALL_TRY(view->NeedRange(0, view->items()));
      if (!Shows(*view, section)) return Status::Internal("other bytes");
    }
    return Status::Ok();
  }

  Status Check(bool enable_mapping) {
    Handle handle(path_, enable_mapping);
    RECALL_TRY(handle.catalog().BeginRead(handle.connection()));
    return handle.catalog().Check(handle.connection());
  }

  TempDir dir_;
  const std::string path_ = dir_ / "recall.db";
  const SegmentContent content_ = MakeContent(1, 200);
  int64_t id_ = 0;
  std::string bytes_;
};

TEST_F(SegmentCorruptionTest, SoundFileReadsAndChecks) {
  for (const bool mapping : {true, false}) {
    EXPECT_OK(Read(mapping));
    EXPECT_OK(Check(mapping));
  }
}

TEST_F(SegmentCorruptionTest, DamagedSegmentHeaderIsReported) {
  const size_t start = HeaderOffset();
  ASSERT_NE(start, std::string::npos);
  for (size_t at = start; at < start + 204; ++at) {
    WithDamage(at, [&] {
      const Status read = Read(true);
      EXPECT_FALSE(read.ok()) << at - start;
      EXPECT_TRUE(read.code() == StatusCode::kCorruption || read.code() == StatusCode::kUnsupported)
          << read.ToString();
    });
  }
  // Only `check` verifies the zeros after the header.
  WithDamage(start + 300, [&] {
    EXPECT_OK(Read(true));
    EXPECT_EQ(Check(true).code(), StatusCode::kCorruption);
  });
}

TEST_F(SegmentCorruptionTest, DamagedPageHeaderIsReported) {
  for (const size_t page : PageOffsets()) {
    for (size_t at = page + 4; at < page + 64; at += 3) {
      WithDamage(at, [&] {
        EXPECT_EQ(Read(true).code(), StatusCode::kCorruption) << at - page;
        EXPECT_EQ(Check(true).code(), StatusCode::kCorruption) << at - page;
      });
    }
  }
}

// Queries do not verify checksums of mapped pages, because that would take longer than the scan.
// Reads by copy and `check` verify them.
TEST_F(SegmentCorruptionTest, DamagedPayloadIsFoundByCopyAndByCheck) {
  const std::vector<size_t> pages = PageOffsets();
  ASSERT_GT(pages.size(), 5u);
  for (const size_t page : pages) {
    for (const size_t at : {page + 64, page + 1000, page + kFilePageSize - 1}) {
      WithDamage(at, [&] {
        EXPECT_EQ(Read(false).code(), StatusCode::kCorruption);
        const Status check = Check(true);
        EXPECT_EQ(check.code(), StatusCode::kCorruption);
        EXPECT_NE(check.message().find("segment " + std::to_string(id_) + ": page "),
                  std::string::npos);
      });
    }
  }
}

// SQLite also follows the damaged pointer, but the page that it reads has a wrong header.
TEST_F(SegmentCorruptionTest, DamagedChainIsReported) {
  for (const size_t page : PageOffsets()) {
    for (size_t at = page; at < page + 4; ++at) {
      WithDamage(at, [&] {
        EXPECT_FALSE(Check(true).ok()) << at;
        const Status read = Read(true);
        EXPECT_TRUE(read.ok() || read.code() == StatusCode::kCorruption) << read.ToString();
      });
    }
  }
}

TEST_F(SegmentCorruptionTest, AnyByteOfTheFileMayBeWrong) {
  for (size_t at = 100; at < bytes_.size(); at += 211) {
    WithDamage(at, [&] {
      sqlite3* probe = nullptr;  // skip if SQLite itself rejects the schema
      sqlite3_open(path_.c_str(), &probe);
      const bool opens =
          sqlite3_exec(probe, "SELECT * FROM vec_segment", nullptr, nullptr, nullptr) == SQLITE_OK;
      sqlite3_close(probe);
      if (!opens) return;
      const Status copied = Read(false);
      EXPECT_TRUE(copied.ok() || copied.code() == StatusCode::kCorruption) << copied.ToString();
      Read(true).IgnoreError();  // must not crash
    });
  }
}

TEST_F(SegmentCorruptionTest, ShorterFileIsReported) {
  for (const size_t cut :
       {size_t{1}, size_t{100}, kFilePageSize, 3 * kFilePageSize, bytes_.size() / 2}) {
    std::filesystem::resize_file(path_, bytes_.size() - cut);
    const Result<std::unique_ptr<Connection>> opened = Connection::Open(path_, {});
    if (opened) {  // SQLite reads the missing part of the last page as zeros
      EXPECT_LT(cut, kFilePageSize);
      const Status read = Read(true);
      EXPECT_TRUE(read.ok() || read.code() == StatusCode::kCorruption) << read.ToString();
    } else {
      EXPECT_EQ(opened.error().code(), StatusCode::kCorruption) << opened.error().ToString();
    }
    Restore();
  }
}

TEST_F(SegmentCorruptionTest, RowsThatDisagreeAreReported) {
  const std::string id = std::to_string(id_);
  for (const std::string change :
       {"UPDATE vec_segment SET vectors = vectors + 1", "UPDATE vec_segment SET min_chunk = 0",
        "UPDATE vec_segment SET max_chunk = -5", "UPDATE vec_segment SET pages = 1",
        "UPDATE vec_segment SET header_crc = 1", "UPDATE vec_segment SET id = id + 1",
        "DELETE FROM vec_data", "UPDATE vec_data SET data = NULL", "UPDATE vec_data SET data = 'x'",
        "UPDATE vec_data SET data = substr(data, 1, 100)",
        "UPDATE vec_data SET data = substr(data, 1, 10000)",
        "UPDATE vec_data SET data = data || x'00'"}) {
    RunSql(path_, change);
    EXPECT_EQ(Read(true).code(), StatusCode::kCorruption) << change;
    EXPECT_EQ(Check(true).code(), StatusCode::kCorruption) << change;
    Restore();
  }
  RunSql(path_, "INSERT INTO vec_data VALUES(99, x'00')");
  EXPECT_OK(Read(true));
  EXPECT_EQ(Check(true).code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace recall::testing
