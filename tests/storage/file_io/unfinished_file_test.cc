#include "storage/file_io/unfinished_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "storage/file_io/new_file.h"
#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

const std::string kDatabaseHead("SQLite format 3\0 and more", 25);

class UnfinishedFileTest : public ::testing::Test {
 protected:
  std::unique_ptr<UnfinishedFile> Make() {
    auto file = UnfinishedFile::Create(target_, 0644);
    EXPECT_TRUE(file.has_value()) << file.error().ToString();
    return *std::move(file);
  }
  void Put(const std::string& name, const std::string& content) {
    std::ofstream(dir_ / name, std::ios::binary) << content;
  }
  bool Exists(const std::string& name) const { return fs::exists(dir_ / name); }
  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_.path())) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }

  TempDir dir_;
  std::string target_ = dir_ / "recall.db";
};

// A child process that does `work`, reports, and then waits to be killed.
class Bystander final {
 public:
  explicit Bystander(const std::function<void()>& work) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      work();
      [[maybe_unused]] const auto sent = ::write(ends[1], "x", 1);
      for (;;) ::pause();
    }
    char ready = 0;
    EXPECT_EQ(::read(ends[0], &ready, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
  }
  ~Bystander() { Kill(); }
  void Kill() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
};

TEST_F(UnfinishedFileTest, IsEmptyBesideItsTargetAndGoesWithItsScope) {
  {
    const auto file = Make();
    EXPECT_TRUE(file->path().starts_with(target_ + ".new-"));
    EXPECT_EQ(fs::file_size(file->path()), 0u);
    for (const char* suffix : {"-wal", "-shm", "-journal"}) {
      std::ofstream(file->path() + suffix) << "x";
    }
  }
  EXPECT_EQ(Names(), std::set<std::string>());
  {
    const auto file = Make();
    ASSERT_OK(MoveIntoPlace(file->path(), target_));
  }
  EXPECT_EQ(Names(), std::set<std::string>{"recall.db"});
}

TEST_F(UnfinishedFileTest, HasThePermissionsLessTheMask) {
  const mode_t before = ::umask(027);
  auto file = UnfinishedFile::Create(target_, 0666);
  ::umask(before);
  ASSERT_TRUE(file.has_value());
  struct stat info {};
  ASSERT_EQ(::stat((*file)->path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST_F(UnfinishedFileTest, ADirectoryThatCannotBeWrittenIsNamed) {
  const auto file = UnfinishedFile::Create(dir_ / "none/recall.db", 0644);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code(), StatusCode::kIoError);
  EXPECT_NE(file.error().message().find(dir_ / "none/recall.db.new-"), std::string::npos);
  EXPECT_NE(file.error().message().find("No such file or directory"), std::string::npos);
}

// What killed processes left goes, and nothing else.
TEST_F(UnfinishedFileTest, TheNextOneRemovesWhatWasAbandoned) {
  const std::set<std::string> abandoned = {"recall.db.new-0123abcd",
                                           "recall.db.new-0123abcd-wal",
                                           "recall.db.new-0123abcd-shm",
                                           "recall.db.new-0123abcd-journal",
                                           "recall.db.new-00000000",
                                           "recall.db.new-11111111",
                                           "recall.db.new-22222222-wal",
                                           "recall.db.new-33333333.new-44444444",
                                           "recall.db.new-33333333.new-44444444-wal"};
  for (const std::string& name : abandoned) Put(name, kDatabaseHead);
  Put("recall.db.new-00000000", "");
  Put("recall.db.new-11111111", std::string(70'000, '\0'));
  const std::set<std::string> others = {
      "recall.db",
      "recall.db-wal",
      "recall.db.new-0123abc",
      "recall.db.new-0123ABCD",
      "recall.db.new-0123abcd.txt",
      "recall.db.new-0123abcd-wal2",
      "recall.db.new-0123abcdef",
      "recall.db.old.new-0123abcd",
      "other.db.new-0123abcd",
      "xrecall.db.new-0123abcd",
  };
  for (const std::string& name : others) Put(name, kDatabaseHead);
  std::set<std::string> kept = others;
  Put("recall.db.new-55555555", "text that somebody exports");
  fs::create_directory(dir_ / "recall.db.new-66666666");
  fs::create_symlink("recall.db", dir_ / "recall.db.new-77777777");
  ASSERT_EQ(::mkfifo((dir_ / "recall.db.new-88888888").c_str(), 0600), 0);
  for (const char* name : {"recall.db.new-55555555", "recall.db.new-66666666",
                           "recall.db.new-77777777", "recall.db.new-88888888"}) {
    kept.insert(name);
  }
  Make();
  EXPECT_EQ(Names(), kept);
}

TEST_F(UnfinishedFileTest, AFileOfALivingProcessStays) {
  std::string name;
  {
    Bystander maker([&] {
      auto file = UnfinishedFile::Create(target_, 0644);
      if (!file) ::_exit(1);
      std::ofstream((*file)->path()) << kDatabaseHead;
      std::ofstream((*file)->path() + "-wal") << "x";
      file->release();
    });
    const std::set<std::string> names = Names();
    ASSERT_EQ(names.size(), 2u);
    name = *names.begin();
    Make();
    EXPECT_EQ(Names(), names);
    EXPECT_EQ(fs::file_size(dir_ / name), kDatabaseHead.size());
    maker.Kill();
    EXPECT_EQ(Names(), names);
  }
  Make();
  EXPECT_EQ(Names(), std::set<std::string>());
}

// A program that makes no claims, such as an older version, has locks of SQLite on its file.
TEST_F(UnfinishedFileTest, AFileThatSqliteHasOpenElsewhereStays) {
  Put("recall.db.new-0123abcd", kDatabaseHead);
  Bystander reader([&] {
    const int file = ::open((dir_ / "recall.db.new-0123abcd").c_str(), O_RDWR | O_CLOEXEC);
    struct flock shared = {};
    shared.l_type = F_RDLCK;
    shared.l_whence = SEEK_SET;
    shared.l_start = 0x40000000 + 2;
    shared.l_len = 510;
    if (::fcntl(file, F_SETLK, &shared) != 0) ::_exit(1);
  });
  Make();
  EXPECT_TRUE(Exists("recall.db.new-0123abcd"));
  reader.Kill();
  Make();
  EXPECT_FALSE(Exists("recall.db.new-0123abcd"));
}

TEST_F(UnfinishedFileTest, AFileOfAnotherUserStays) {
  if (::getuid() != 0) GTEST_FAIL() << "this test changes owners and runs as root";
  Put("recall.db.new-0123abcd", kDatabaseHead);
  ASSERT_EQ(::chown((dir_ / "recall.db.new-0123abcd").c_str(), 65534, 65534), 0);
  Make();
  EXPECT_TRUE(Exists("recall.db.new-0123abcd"));
}

// Opening and closing a file would drop the locks that SQLite has on it in this process.
TEST_F(UnfinishedFileTest, TheLocksOfThisProcessOnItsOwnFilesStay) {
  const auto first = Make();
  const int file = ::open(first->path().c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(file, 0);
  struct flock lock = {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0x40000000 + 2;
  lock.l_len = 510;
  ASSERT_EQ(::fcntl(file, F_SETLK, &lock), 0);
  const auto second = Make();
  EXPECT_TRUE(fs::exists(first->path()));
  EXPECT_TRUE(fs::exists(second->path()));
  const pid_t child = ::fork();
  if (child == 0) {
    struct flock asked = lock;
    asked.l_type = F_WRLCK;
    const int other = ::open(first->path().c_str(), O_RDWR);
    ::_exit(::fcntl(other, F_GETLK, &asked) == 0 && asked.l_type == F_RDLCK ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << "the lock was dropped";
  ::close(file);
}

// Processes that make files of one target at the same time never remove each other's.
TEST_F(UnfinishedFileTest, ManyMakersKeepTheirFiles) {
  constexpr int kMakers = 4;
  std::vector<pid_t> makers;
  for (int maker = 0; maker < kMakers; ++maker) {
    makers.push_back(::fork());
    if (makers.back() != 0) continue;
    for (int round = 0; round < 300; ++round) {
      const auto file = UnfinishedFile::Create(target_, 0644);
      if (!file) ::_exit(1);
      std::ofstream((*file)->path()) << kDatabaseHead;
      ::usleep(static_cast<useconds_t>(round % 5 * 100));
      std::ifstream again((*file)->path());
      std::ostringstream text;
      text << again.rdbuf();
      if (text.str() != kDatabaseHead) ::_exit(2);
    }
    ::_exit(0);
  }
  for (const pid_t maker : makers) {
    int status = -1;
    ::waitpid(maker, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Names(), std::set<std::string>());
}

}  // namespace
}  // namespace recall
