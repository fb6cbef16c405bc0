#include "storage/sqlite/page_vfs.h"

#include <sqlite3.h>

#include <filesystem>
#include <fstream>

#include "storage/base/split_mix.h"
#include "storage/sqlite/connection.h"
#include "storage/sqlite/online_backup.h"
#include "storage/sqlite/page_checksum.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

constexpr size_t kPageBytes = 65536;

std::string FileBytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

void WriteFileBytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// The pages of a file that are in a state.
std::vector<uint32_t> PagesThatAre(PageState state, const std::string& bytes) {
  std::vector<uint32_t> found;
  for (size_t at = 0; at + kPageBytes <= bytes.size(); at += kPageBytes) {
    const auto number = static_cast<uint32_t>(at / kPageBytes + 1);
    const ByteSpan page(reinterpret_cast<const uint8_t*>(bytes.data()) + at, kPageBytes);
    if (CheckPageTrailer(page, number) == state) found.push_back(number);
  }
  return found;
}

// As another program would, without our VFS.
void RunPlainSql(const std::string& path, const char* sql) {
  sqlite3* plain = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &plain), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(plain, sql, nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(plain);
  sqlite3_close(plain);
}

// A table of small rows, one of rows with overflow pages, and an index.
void MakeDatabase(const std::string& path) {
  ASSERT_OK_AND_ASSIGN(const auto connection,
                       Connection::Open(path, {.mode = ConnectionMode::kCreate}));
  ASSERT_OK(connection->Execute(
      "CREATE TABLE small(id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX small_a ON small(a);"
      "CREATE TABLE large(id INTEGER PRIMARY KEY, a BLOB);"
      "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 4000)"
      " INSERT INTO small SELECT i, hex(i * 7919) FROM n;"
      "INSERT INTO large SELECT id, printf('%.*c', 200000, 'x') FROM small WHERE id <= 4"));
}

constexpr const char* kQuestions[] = {
    "SELECT count(*) FROM small NOT INDEXED WHERE a > '3'",
    "SELECT sum(id) FROM small INDEXED BY small_a WHERE a > '3'",
    "SELECT sum(length(replace(a, 'x', ''))) FROM large",
};

// The answers to all questions, or the error.
std::string Answers(const std::string& path, const ConnectionOptions& options) {
  const auto connection = Connection::Open(path, options);
  if (!connection) return connection.error().ToString();
  std::string answers;
  for (const char* question : kQuestions) {
    const auto answer = (*connection)->QueryInt(question);
    if (!answer) return answer.error().ToString();
    answers += std::to_string(*answer) + " ";
  }
  return answers;
}

std::string NotItsChecksum(const std::string& path, size_t page) {
  return "corruption: " + path + ": page " + std::to_string(page) + " does not match its checksum";
}

class PageVfsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(MakeDatabase(path_));
    intact_ = FileBytesOf(path_);
  }
  TempDir dir_;
  const std::string path_ = dir_ / "recall.db";
  std::string intact_;
};

TEST_F(PageVfsTest, AllPagesHaveChecksums) {
  EXPECT_EQ(PagesThatAre(PageState::kIntact, intact_).size(), intact_.size() / kPageBytes);
  EXPECT_GT(intact_.size() / kPageBytes, 15u);
}

TEST_F(PageVfsTest, OtherProgramsReadTheFile) {
  RunPlainSql(path_, "PRAGMA integrity_check; SELECT count(*) FROM small");
  EXPECT_EQ(FileBytesOf(path_), intact_);
}

// Through the mapping and by copy.
TEST_F(PageVfsTest, ADamagedPageGivesAnErrorThatNamesIt) {
  const ConnectionOptions kWays[] = {
      {}, {.enable_mapping = false}, {.verify_pages = PageVerification::kAlways}};
  const std::string answers = Answers(path_, {});
  SplitMix64 random(1);
  for (size_t page = 1; page < intact_.size() / kPageBytes; ++page) {
    std::string damaged = intact_;
    damaged[page * kPageBytes + random.Next() % kPageBytes] ^= 4;
    WriteFileBytes(path_, damaged);
    for (const ConnectionOptions& way : kWays) {
      EXPECT_EQ(Answers(path_, way), NotItsChecksum(path_, page + 1));
    }
  }
}

TEST_F(PageVfsTest, ADamagedPageIsReadWhereThatIsAskedFor) {
  const std::string before = Answers(path_, {});
  std::string damaged = intact_;
  damaged[damaged.size() - 1] ^= 1;  // in the trailer
  WriteFileBytes(path_, damaged);
  EXPECT_EQ(Answers(path_, {.verify_pages = PageVerification::kNever}), before);
  EXPECT_NE(Answers(path_, {}), before);
}

// SQLite 3.45 and later read the data of an overflow page without the rest of the page.
TEST_F(PageVfsTest, APartOfAPageIsReadOnlyIfThePageIsIntact) {
  constexpr size_t kPage = 9;
  constexpr size_t kFrom = kPage * kPageBytes + 4;
  constexpr size_t kPart = 100;
  std::string damaged = intact_;
  damaged[kFrom + 5 * kPart] ^= 1;  // elsewhere on the page
  for (const std::string& bytes : {intact_, damaged}) {
    WriteFileBytes(path_, bytes);
    ASSERT_OK_AND_ASSIGN(const auto connection, Connection::Open(path_, {}));
    sqlite3_file* file = nullptr;
    ASSERT_EQ(sqlite3_file_control(connection->handle(), "main", SQLITE_FCNTL_FILE_POINTER, &file),
              SQLITE_OK);
    std::string part(kPart, '\0');
    const int code = file->pMethods->xRead(file, part.data(), kPart, kFrom);
    EXPECT_EQ(code, bytes == intact_ ? SQLITE_OK : SQLITE_CORRUPT);
    EXPECT_EQ(part, bytes == intact_ ? intact_.substr(kFrom, kPart) : std::string(kPart, '\0'));
  }
}

TEST_F(PageVfsTest, AChangeByAnotherProgramIsDamage) {
  RunPlainSql(path_, "UPDATE small SET a = 'x' WHERE id = 1");
  EXPECT_FALSE(PagesThatAre(PageState::kDamaged, FileBytesOf(path_)).empty());
}

// The end of a page with its checksum, of a disk's sector or more, or all of it.
TEST_F(PageVfsTest, AnEndOfZerosIsDamage) {
  for (const size_t size : {size_t{512}, size_t{4096}, kPageBytes}) {
    for (size_t page = 2; page <= intact_.size() / kPageBytes; ++page) {
      std::string damaged = intact_;
      damaged.replace(page * kPageBytes - size, size, size, '\0');
      WriteFileBytes(path_, damaged);
      EXPECT_EQ(Answers(path_, {}), NotItsChecksum(path_, page));
      EXPECT_EQ(Answers(path_, {.enable_mapping = false}), NotItsChecksum(path_, page));
    }
  }
}

// Page 1 has the schema at its end.
TEST_F(PageVfsTest, AnEndOfZerosOfTheFirstPageIsAnError) {
  for (const size_t size : {size_t{512}, size_t{4096}}) {
    std::string damaged = intact_;
    damaged.replace(kPageBytes - size, size, size, '\0');
    WriteFileBytes(path_, damaged);
    EXPECT_TRUE(Answers(path_, {}).starts_with("corruption: ")) << Answers(path_, {});
  }
}

// A transaction that changes every page of the small rows, but does not let the file grow.
constexpr const char* kChange = "UPDATE small SET a = 'x' WHERE id % 2 = 0";

// Frames of a WAL have no checksums yet; whoever closes the file last copies them into it.
TEST_F(PageVfsTest, ACheckpointByAnotherProgramIsAccepted) {
  const std::string copy = dir_ / "copy.db";
  {
    ASSERT_OK_AND_ASSIGN(const auto writer,
                         Connection::Open(path_, {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(writer->BeginImmediate());
    ASSERT_OK(writer->Execute(kChange));
    ASSERT_OK(writer->Execute("COMMIT"));
    // As a crash would leave them.
    std::filesystem::copy_file(path_, copy);
    std::filesystem::copy_file(path_ + "-wal", copy + "-wal");
  }
  RunPlainSql(copy, "PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string bytes = FileBytesOf(copy);
  EXPECT_TRUE(PagesThatAre(PageState::kDamaged, bytes).empty());
  const std::vector<uint32_t> unsealed = PagesThatAre(PageState::kUnsealed, bytes);
  ASSERT_GT(unsealed.size(), 1u);
  EXPECT_EQ(unsealed.front(), 1u);
  EXPECT_EQ(Answers(copy, {}), Answers(path_, {}));
  {
    // Page 1 has a checksum again, the others have none.
    ASSERT_OK_AND_ASSIGN(const auto writer,
                         Connection::Open(copy, {.mode = ConnectionMode::kReadWrite}));
    for (int i = 0; i < 2; ++i) {
      ASSERT_OK(writer->BeginImmediate());
      ASSERT_OK(writer->Execute("INSERT INTO large VALUES(NULL, 'z'); COMMIT"));
      ASSERT_OK(writer->Execute("DELETE FROM large WHERE a = 'z'"));
      ASSERT_OK(writer->Execute("PRAGMA wal_checkpoint(TRUNCATE)"));
    }
    EXPECT_TRUE(writer->page_file()->AcceptsUnsealed());
  }
  EXPECT_EQ(PagesThatAre(PageState::kUnsealed, FileBytesOf(copy)),
            std::vector<uint32_t>(unsealed.begin() + 1, unsealed.end()));
  EXPECT_EQ(Answers(copy, {}), Answers(path_, {}));
}

// A large transaction that was killed has replaced pages of the file; its journal has them without
// checksums.
TEST_F(PageVfsTest, ARollbackByAnotherProgramIsAccepted) {
  const std::string copy = dir_ / "copy.db";
  const std::string before = Answers(path_, {});
  {
    ASSERT_OK_AND_ASSIGN(const auto writer,
                         Connection::Open(path_, {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(writer->Execute("PRAGMA journal_mode=DELETE; PRAGMA cache_size=2"));
    ASSERT_OK(writer->BeginImmediate());
    ASSERT_OK(writer->Execute(kChange));
    std::filesystem::copy_file(path_, copy);
    std::filesystem::copy_file(path_ + "-journal", copy + "-journal");
    ASSERT_OK(writer->Execute("ROLLBACK"));
  }
  ASSERT_NE(FileBytesOf(copy), FileBytesOf(path_)) << "the transaction has replaced no page";
  RunPlainSql(copy, "SELECT * FROM small");
  ASSERT_FALSE(std::filesystem::exists(copy + "-journal"));
  const std::vector<uint32_t> unsealed = PagesThatAre(PageState::kUnsealed, FileBytesOf(copy));
  EXPECT_GT(unsealed.size(), 1u);
  EXPECT_EQ(unsealed.front(), 1u);
  EXPECT_EQ(Answers(copy, {}), before);
}

// SQLite does not write a free page that was never used, and a backup reads it.
TEST_F(PageVfsTest, AFreePageThatWasNeverWrittenIsNotDamaged) {
  {
    ASSERT_OK_AND_ASSIGN(const auto writer,
                         Connection::Open(path_, {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(writer->Execute("PRAGMA journal_mode=DELETE"));
    ASSERT_OK(writer->BeginImmediate());
    ASSERT_OK(writer->Execute("INSERT INTO large SELECT id + 10, a FROM large"));
    ASSERT_OK(writer->Execute("DELETE FROM large WHERE id > 10; COMMIT"));
  }
  const std::string answers = Answers(path_, {});
  const std::string bytes = FileBytesOf(path_);
  const std::vector<uint32_t> unsealed = PagesThatAre(PageState::kUnsealed, bytes);
  ASSERT_FALSE(unsealed.empty());
  ASSERT_NE(unsealed.front(), 1u);
  const auto back_up = [&](const std::string& to) {
    const auto source = Must(Connection::Open(path_, {}));
    WriteFileBytes(to, "");
    return CopyDatabase(*source, to, nullptr, nullptr);
  };
  ASSERT_OK(back_up(dir_ / "copy.db"));
  EXPECT_EQ(Answers(dir_ / "copy.db", {}), answers);
  // A used one is damaged.
  std::string damaged = bytes;
  damaged.replace(9 * kPageBytes, kPageBytes, kPageBytes, '\0');
  WriteFileBytes(path_, damaged);
  EXPECT_EQ(back_up(dir_ / "other.db").code(), StatusCode::kCorruption);
}

TEST_F(PageVfsTest, PagesOfARollbackJournalHaveChecksumsToo) {
  ASSERT_OK_AND_ASSIGN(const auto writer,
                       Connection::Open(path_, {.mode = ConnectionMode::kReadWrite}));
  ASSERT_OK(writer->Execute("PRAGMA journal_mode=DELETE; UPDATE small SET a = 'x' WHERE id > 9"));
  const std::string bytes = FileBytesOf(path_);
  EXPECT_NE(bytes, intact_);
  EXPECT_EQ(PagesThatAre(PageState::kIntact, bytes).size(), bytes.size() / kPageBytes);
}

// A repair of one row does not vouch for the others on its page.
TEST_F(PageVfsTest, APageThatIsKnownToBeDamagedStaysSo) {
  ASSERT_OK_AND_ASSIGN(const auto writer,
                       Connection::Open(path_, {.mode = ConnectionMode::kReadWrite}));
  ASSERT_OK_AND_ASSIGN(const int64_t root,
                       writer->QueryInt("SELECT rootpage FROM sqlite_schema WHERE name = 'large'"));
  writer->page_file()->KeepDamaged({static_cast<uint32_t>(root)});
  ASSERT_OK(writer->Execute("UPDATE large SET a = 'y'; PRAGMA wal_checkpoint(TRUNCATE)"));
  EXPECT_EQ(PagesThatAre(PageState::kDamaged, FileBytesOf(path_)),
            std::vector<uint32_t>{static_cast<uint32_t>(root)});
}

// Versions of Recall before checksums made files without room for them.
TEST(PageVfsOlderFileTest, AFileWithoutReservedBytesReceivesNone) {
  const TempDir dir;
  const std::string path = dir / "old.db";
  RunPlainSql(path, "PRAGMA page_size=65536; PRAGMA journal_mode=WAL; CREATE TABLE t(a)");
  {
    ASSERT_OK_AND_ASSIGN(const auto writer,
                         Connection::Open(path, {.mode = ConnectionMode::kReadWrite}));
    ASSERT_OK(writer->Execute("INSERT INTO t VALUES(printf('%.*c', 70000, 'x'))"));
    EXPECT_EQ(*writer->ReservedBytes(), 0u);
  }
  RunPlainSql(path, "PRAGMA integrity_check");
  const std::string bytes = FileBytesOf(path);
  EXPECT_TRUE(PagesThatAre(PageState::kIntact, bytes).empty());
  // The next rebuilding gives them room.
  ASSERT_OK_AND_ASSIGN(const auto writer,
                       Connection::Open(path, {.mode = ConnectionMode::kReadWrite}));
  ASSERT_OK(writer->ReserveForChecksums());
  ASSERT_OK(writer->Execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)"));
  EXPECT_EQ(*writer->ReservedBytes(), kPageTrailerBytes);
  EXPECT_EQ(*writer->QueryInt("SELECT length(a) FROM t"), 70'000);
  const std::string rebuilt = FileBytesOf(path);
  EXPECT_EQ(PagesThatAre(PageState::kIntact, rebuilt).size(), rebuilt.size() / kPageBytes);
}

}  // namespace
}  // namespace recall
