// A backup is complete or absent, and contains exactly one commit, whatever other processes do.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "storage/sqlite/connection.h"
#include "tests/query/maintenance/store_faults.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class BackupTest : public QueryFixture {
 protected:
  std::string CopyPath() const { return dir_ / "copies/copy.db"; }

  void SetUp() override {
    QueryFixture::SetUp();
    fs::create_directories(dir_ / "copies");
    std::mt19937_64 random(5);
    for (int i = 0; i < 30; ++i) {
      WriteFile("docs/" + std::to_string(i) + ".txt", RandomText(random, 4000));
    }
    AddDocs();
  }

  void AddDocs() {
    AddRequest request;
    request.paths = {dir_ / "docs"};
    Add(request);
  }

  Result<BackupReport> Copy(const UpkeepProgressFn& progress = {}, bool force = false,
                            const std::atomic<bool>* cancel = nullptr) {
    BackupRequest request;
    request.path = StorePath();
    request.to = CopyPath();
    request.force = force;
    return Database::Backup(request, progress, cancel);
  }

  std::string Answers(Database& database) {
    std::ostringstream out;
    out << std::hexfloat << database.Stats()->store.snapshot << '\n';
    for (const char* text : {"alpha", "memory thread", "omega*"}) {
      SearchRequest request;
      request.text = text;
      request.k = 50;
      const auto response = database.Search(request);
      EXPECT_TRUE(response.has_value());
      if (!response) continue;
      for (const SearchHit& hit : response->hits) {
        out << hit.score << ' ' << hit.chunk.id << ' ' << hit.chunk.text << '\n';
      }
    }
    return out.str();
  }

  std::string AnswersOfCopy() {
    auto copy = Database::Open(CopyPath(), {.read_only = true});
    EXPECT_TRUE(copy.has_value()) << copy.error().ToString();
    return copy ? Answers(**copy) : "";
  }

  std::vector<std::string> Copies() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_ / "copies")) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  void ExpectHealthyCopy() {
    const auto report = Database::Doctor({.path = CopyPath()});
    ASSERT_TRUE(report.has_value()) << report.error().ToString();
    EXPECT_EQ(report->findings.size(), 0u);
  }
};

TEST_F(BackupTest, IsOneCommitAlthoughOthersWriteMeanwhile) {
  const std::string before = Answers(*database_);
  int commits = 0;
  int64_t steps = 0;
  ASSERT_OK_AND_ASSIGN(const BackupReport report, Copy([&](std::string_view) {
                         ++steps;
                         WriteFile("docs/0.txt", "alpha memory " + std::to_string(steps));
                         AddDocs();
                         ++commits;
                       }));
  EXPECT_GE(commits, 1);
  EXPECT_EQ(report.to, CopyPath());
  EXPECT_EQ(report.bytes, static_cast<int64_t>(fs::file_size(CopyPath())));
  EXPECT_EQ(Copies(), std::vector<std::string>{"copy.db"}) << "one file, at rest";
  EXPECT_EQ(AnswersOfCopy(), before);
  EXPECT_EQ(before.substr(0, before.find('\n')), report.snapshot);
  EXPECT_NE(Answers(*database_), before);
  ExpectHealthyCopy();
  // The copy is independent of the original.
  ASSERT_OK_AND_ASSIGN(const auto copy, Database::Open(CopyPath()));
  RemoveRequest remove;
  remove.targets = {"docs/1.txt", "../docs/1.txt"};
  ASSERT_OK(copy->Remove(remove));
}

TEST_F(BackupTest, HasWhatIsOnlyInTheLog) {
  const auto reader = Connection::Open(StorePath(), {});
  ASSERT_TRUE(reader.has_value());
  ASSERT_OK((*reader)->Execute("BEGIN; SELECT count(*) FROM doc"));
  WriteFile("docs/new.txt", "quinquireme of nineveh");
  AddDocs();
  ASSERT_GT(fs::file_size(StorePath() + "-wal"), 0u);
  ASSERT_OK(Copy());
  EXPECT_EQ(AnswersOfCopy(), Answers(*database_));
  ExpectHealthyCopy();
}

TEST_F(BackupTest, LeavesAFileThatIsThereUnlessForced) {
  WriteFile("copies/copy.db", "precious");
  const auto refused = Copy();
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(fs::file_size(CopyPath()), 8u);
  ASSERT_OK(Copy({}, true));
  EXPECT_EQ(AnswersOfCopy(), Answers(*database_));
  EXPECT_EQ(Copies(), std::vector<std::string>{"copy.db"});
}

// As root, renaming a copy over a device would delete the device for the whole machine.
TEST_F(BackupTest, NeverReplacesWhatIsNotARegularFile) {
  fs::create_directories(fs::path(CopyPath()).parent_path());
  ASSERT_EQ(::mkfifo(CopyPath().c_str(), 0600), 0);
  const std::string link = CopyPath() + ".link";
  fs::create_symlink(CopyPath(), link);
  for (const std::string& to : {CopyPath(), link}) {
    const auto refused = Database::Backup({.path = StorePath(), .to = to, .force = true});
    ASSERT_FALSE(refused.has_value()) << to;
    EXPECT_EQ(refused.error().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(refused.error().message().find("not a regular file"), std::string::npos);
  }
  EXPECT_TRUE(fs::is_fifo(CopyPath()));
  EXPECT_TRUE(fs::is_symlink(link));
}

TEST_F(BackupTest, DoesNotReplaceAStoreThatIsOpen) {
  ASSERT_OK(Copy());
  const std::string then = AnswersOfCopy();
  WriteFile("docs/0.txt", "alpha memory");
  AddDocs();
  {
    ASSERT_OK_AND_ASSIGN(const auto open, Database::Open(CopyPath()));
    const auto refused = Copy({}, true);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code(), StatusCode::kBusy) << refused.error().ToString();
    EXPECT_EQ(Answers(*open), then);
  }
  EXPECT_EQ(Copies(), std::vector<std::string>{"copy.db"});
  ASSERT_OK(Copy({}, true));
  EXPECT_EQ(AnswersOfCopy(), Answers(*database_));
}

TEST_F(BackupTest, NeverTakesTheStoreItself) {
  const std::string link = dir_ / "copies/link.db";
  fs::create_symlink(StorePath(), link);
  const std::string before = Answers(*database_);
  for (const std::string& to : {StorePath(), StorePath() + "-wal", link}) {
    const auto refused = Database::Backup({.path = StorePath(), .to = to, .force = true});
    ASSERT_FALSE(refused.has_value()) << to;
    EXPECT_EQ(refused.error().code(), StatusCode::kInvalidArgument) << refused.error().ToString();
  }
  EXPECT_EQ(Answers(*database_), before);
  const auto directory = Database::Backup({.path = StorePath(), .to = dir_ / "copies"});
  ASSERT_FALSE(directory.has_value());
  EXPECT_EQ(directory.error().code(), StatusCode::kInvalidArgument);
  const auto nowhere = Database::Backup({.path = StorePath(), .to = dir_ / "no/such/copy.db"});
  ASSERT_FALSE(nowhere.has_value());
  EXPECT_EQ(nowhere.error().code(), StatusCode::kIoError);
}

TEST_F(BackupTest, InterruptedItLeavesNothing) {
  std::atomic<bool> cancel = false;
  const auto stopped = Copy([&](std::string_view) { cancel = true; }, false, &cancel);
  ASSERT_FALSE(stopped.has_value());
  EXPECT_EQ(stopped.error().code(), StatusCode::kCancelled);
  EXPECT_TRUE(Copies().empty());
}

TEST_F(BackupTest, KeepsPermissions) {
  ASSERT_EQ(::chmod(StorePath().c_str(), 0600), 0);
  ASSERT_OK(Copy());
  struct stat info {};
  ASSERT_EQ(::stat(CopyPath().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

// A damaged store can be copied, so that the copy can be repaired without risk.
TEST_F(BackupTest, CopiesADamagedStore) {
  database_.reset();
  RunSql(StorePath(), "DELETE FROM meta WHERE key IN ('uuid', 'docs'); DELETE FROM tombstone");
  ASSERT_OK_AND_ASSIGN(const BackupReport report, Copy());
  EXPECT_EQ(report.snapshot, "");
  WriteFile("other.db", "");
  RunSql(dir_ / "other.db", "CREATE TABLE t(x)");
  const auto other = Database::Backup({.path = dir_ / "other.db", .to = dir_ / "copies/o.db"});
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code(), StatusCode::kCorruption);
}

}  // namespace
}  // namespace recall
