#include "storage/file_io/kept_copy.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class KeptCopyTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(dir_ / name, std::ios::binary) << bytes;
  }

  std::string Read(const std::string& name) const {
    std::ifstream in(dir_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::set<std::string> Names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(dir_.path())) {
      names.insert(entry.path().filename());
    }
    return names;
  }

  Result<KeptCopy> Keep() const {
    const int descriptor = ::open((dir_ / "recall.db").c_str(), O_RDWR | O_CLOEXEC);
    auto kept = KeepCopyOf(dir_ / "recall.db", descriptor);
    ::close(descriptor);
    return kept;
  }

  TempDir dir_;
};

TEST_F(KeptCopyTest, WithoutAWalThereIsNoneOfTheCopy) {
  Write("recall.db", "first");
  Write("recall.db-wal", "");
  EXPECT_EQ(Must(Keep()).wal, "");
  EXPECT_EQ(Names(), (std::set<std::string>{"recall.db", "recall.db-wal", "recall.db.before-fix"}));
}

TEST_F(KeptCopyTest, CopiesTheFileAndItsWalToANewName) {
  Write("recall.db", "first");
  Write("recall.db-wal", "log");
  const KeptCopy first = Must(Keep());
  EXPECT_EQ(first.file, dir_ / "recall.db.before-fix");
  EXPECT_EQ(first.wal, first.file + "-wal");
  EXPECT_EQ(Read("recall.db.before-fix"), "first");
  EXPECT_EQ(Read("recall.db.before-fix-wal"), "log");
  Write("recall.db", "second");
  EXPECT_EQ(Must(Keep()).file, dir_ / "recall.db.before-fix-2");
  EXPECT_EQ(Read("recall.db.before-fix"), "first");
  EXPECT_EQ(Read("recall.db.before-fix-2"), "second");
}

TEST_F(KeptCopyTest, HasThePermissionsOfTheFile) {
  Write("recall.db", "bytes");
  fs::permissions(dir_ / "recall.db", fs::perms(0640));
  EXPECT_EQ(fs::status(Must(Keep()).file).permissions(), fs::perms(0640));
}

// A process was killed between the copy of the WAL and that of the file.
TEST_F(KeptCopyTest, AWalWithoutItsFileIsReplacedOrRemoved) {
  Write("recall.db", "bytes");
  Write("recall.db.before-fix-wal", "of another time");
  Write("recall.db-wal", "log");
  EXPECT_EQ(Must(Keep()).file, dir_ / "recall.db.before-fix");
  EXPECT_EQ(Read("recall.db.before-fix-wal"), "log");

  Write("recall.db.before-fix-2-wal", "of another time");
  Write("recall.db-wal", "");
  EXPECT_EQ(Must(Keep()).file, dir_ / "recall.db.before-fix-2");
  EXPECT_FALSE(fs::exists(dir_ / "recall.db.before-fix-2-wal"));
}

// Without its WAL, a copy would lack commits.
TEST_F(KeptCopyTest, FailsIfTheWalCannotBeRead) {
  Write("recall.db", "bytes");
  fs::create_symlink("elsewhere", dir_ / "recall.db-wal");
  EXPECT_EQ(Keep().error().code(), StatusCode::kIoError);
  EXPECT_EQ(Names(), (std::set<std::string>{"recall.db", "recall.db-wal"}));
}

TEST_F(KeptCopyTest, RemovesWhatAKilledProcessLeft) {
  Write("recall.db", "bytes");
  Write("recall.db.new-0123abcd", std::string("SQLite format 3\0 and more", 25));
  Write("recall.db.new-0123abcd-wal", "log");
  Must(Keep());
  EXPECT_EQ(Names(), (std::set<std::string>{"recall.db", "recall.db.before-fix"}));
}

}  // namespace
}  // namespace recall
