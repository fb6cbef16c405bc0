// What the doctor does about pages that do not match their checksums. The oracle is the file from
// before the damage.

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>

#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

constexpr int64_t kPageBytes = 65536;

class DoctorPagesTest : public QueryFixture {
 protected:
  void SetUp() override {
    Create({.embedder = "hash", .dim = 64});
    WriteFile("a.md", "# Alpha\n\nmemory index vector\n");
    WriteFile("b.md", "# Beta\n\nsearch budget chunk\n");
    Add();
    ASSERT_OK(database_->Compact({.keep_nanos = 0}));  // everything is in the main file
    database_.reset();
    sound_ = ReadWhole(StorePath());
  }

  // The offset of a byte of the page that has the rows of a table.
  int64_t InTable(const std::string& table, int64_t at) {
    return (Number("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'") - 1) *
               kPageBytes +
           at;
  }

  void Flip(int64_t offset, int mask) {
    const char byte = static_cast<char>(sound_[static_cast<size_t>(offset)] ^ mask);
    OverwriteFile(StorePath(), offset, std::string(1, byte));
  }

  DoctorReport Doctor(bool fix, bool accept_pages = false) {
    DoctorRequest request;
    request.path = StorePath();
    request.fix = fix;
    request.accept_pages = accept_pages;
    const auto report = Database::Doctor(request);
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return report ? *report : DoctorReport();
  }

  StatusCode SearchCode() {
    const auto database = Database::Open(StorePath(), {.read_only = true});
    if (!database) return database.error().code();
    SearchRequest request;
    request.text = "memory";
    return internal::ToStatus((*database)->Search(request)).code();
  }

  std::string sound_;
};

TEST_F(DoctorPagesTest, FixRestoresAPageWithOneWrongBitAndKeepsTheStoreAsItWas) {
  Flip(InTable("doc", kPageBytes - 30), 1);  // rows are at the end of the page
  const std::string damaged = ReadWhole(StorePath());
  EXPECT_EQ(SearchCode(), StatusCode::kCorruption);
  EXPECT_GT(Doctor(false).errors, 0);
  EXPECT_EQ(ReadWhole(StorePath()), damaged);
  const DoctorReport report = Doctor(true);
  EXPECT_EQ(report.errors, 0);
  EXPECT_GT(report.fixed, 0);
  EXPECT_EQ(ReadWhole(StorePath()), sound_);
  EXPECT_EQ(report.kept_copy, StorePath() + ".before-fix");
  EXPECT_EQ(ReadWhole(report.kept_copy), damaged);
  EXPECT_EQ(SearchCode(), StatusCode::kOk);
}

TEST_F(DoctorPagesTest, FixRestoresTheFirstPageEvenIfSqliteCannotOpenTheFile) {
  const int64_t in_schema = static_cast<int64_t>(sound_.find("CREATE TABLE doc("));
  for (const int64_t offset : {int64_t{3}, int64_t{16}, int64_t{17}, int64_t{20}, int64_t{47},
                               int64_t{100}, in_schema, kPageBytes - 16, kPageBytes - 12}) {
    std::filesystem::remove(StorePath() + ".before-fix");
    OverwriteFile(StorePath(), 0, sound_);
    Flip(offset, 4);
    const std::string damaged = ReadWhole(StorePath());
    const auto found = Database::Doctor({.path = StorePath()});
    EXPECT_TRUE(!found || found->errors > 0) << offset;
    EXPECT_EQ(ReadWhole(StorePath()), damaged) << offset;
    const DoctorReport report = Doctor(true);
    EXPECT_EQ(report.errors, 0) << offset;
    EXPECT_EQ(ReadWhole(StorePath()), sound_) << offset;
    EXPECT_EQ(ReadWhole(StorePath() + ".before-fix"), damaged) << offset;
  }
}

TEST_F(DoctorPagesTest, RowsThatNothingConfirmsKeepThePageDamaged) {
  const int64_t at = InTable("doc", kPageBytes - 30);
  Flip(at, 1);
  Flip(at + 1, 1);
  const std::string damaged = ReadWhole(StorePath());
  EXPECT_GT(Doctor(true).errors, 0);
  EXPECT_EQ(ReadWhole(StorePath()), damaged);
  EXPECT_EQ(SearchCode(), StatusCode::kCorruption);
}

// Bytes between the cells of a page mean nothing. If the rest of the page is compared with what it
// is derived from, the page is right.
TEST_F(DoctorPagesTest, PagesThatAreComparedAsAWholeAreAccepted) {
  for (const char* const table : {"chunk_key", "text_block"}) {
    const int64_t at = InTable(table, 20'000);
    Flip(at, 1);
    Flip(at + 1, 1);
    EXPECT_GT(Doctor(false).errors, 0) << table;
    EXPECT_EQ(Doctor(true).errors, 0) << table;
    EXPECT_EQ(SearchCode(), StatusCode::kOk) << table;
  }
}

// A program that copies the WAL of a killed one leaves pages without checksums. Until a compaction
// has written them all, the doctor counts them; then a page without one has lost it.
TEST_F(DoctorPagesTest, PagesWithoutChecksumsAreDamagedOnceAllHadOne) {
  const auto without = [&](const DoctorReport& report, const std::string& code) {
    return std::ranges::count(report.findings, code, &DoctorFinding::code);
  };
  const int64_t trailer = InTable("doc", kPageBytes - 16);
  const std::string zeros(16, '\0');
  OverwriteFile(StorePath(), trailer, zeros);
  EXPECT_EQ(without(Doctor(false), "page_checksum"), 1);
  EXPECT_EQ(SearchCode(), StatusCode::kCorruption);

  OverwriteFile(StorePath(), kPageBytes - 16, zeros);  // page 1 has none either
  EXPECT_EQ(Doctor(false).errors, 0);
  EXPECT_EQ(without(Doctor(false), "page_unchecked"), 1);
  EXPECT_EQ(SearchCode(), StatusCode::kOk);

  WriteFile("c.md", "# Gamma\n\nmemory again\n");
  database_ = Must(Database::Open(StorePath(), {}));
  Add();
  database_.reset();
  // Now page 1 has a checksum, and some others still have none.
  OverwriteFile(StorePath(), trailer, zeros);
  EXPECT_EQ(Doctor(false).errors, 0);
  EXPECT_EQ(SearchCode(), StatusCode::kOk);

  database_ = Must(Database::Open(StorePath(), {}));
  ASSERT_OK(database_->Compact({.keep_nanos = 0}));
  database_.reset();
  EXPECT_EQ(without(Doctor(false), "page_unchecked"), 0);
  OverwriteFile(StorePath(), InTable("doc", kPageBytes - 16), zeros);
  EXPECT_EQ(without(Doctor(false), "page_checksum"), 1);
  EXPECT_EQ(SearchCode(), StatusCode::kCorruption);
}

TEST_F(DoctorPagesTest, ChangesOfAnotherProgramAreAcceptedOnlyOnRequest) {
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(StorePath().c_str(), &other), SQLITE_OK);
  const char* const sql = "UPDATE commit_log SET committed_at = committed_at + 1";
  EXPECT_EQ(sqlite3_exec(other, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  EXPECT_GT(Doctor(true).errors, 0);
  EXPECT_EQ(Doctor(true, true).errors, 0);
  EXPECT_EQ(Doctor(false).errors, 0);
}

}  // namespace
}  // namespace recall
