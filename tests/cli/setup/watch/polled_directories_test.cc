#include "cli/setup/watch/polled_directories.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using Paths = std::vector<std::string>;

class PolledDirectoriesTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(dir_ / name, std::ios::binary) << text;
  }
  Paths Changes() {
    Paths paths = polled_.FindChanges();
    std::ranges::sort(paths);
    return paths;
  }

  TempDir dir_;
  PolledDirectories polled_;
};

TEST_F(PolledDirectoriesTest, FindsWhatAppearsChangesAndDisappears) {
  Write("kept", "text");
  Write("gone", "text");
  Write("edited", "text");
  fs::create_directory(dir_ / "sub");
  polled_.Watch(dir_.path());
  fs::remove(dir_ / "gone");
  Write("edited", "longer text");
  Write("new", "text");
  fs::rename(dir_ / "sub", dir_ / "moved");
  const Paths changes = Changes();
  for (const char* name : {"gone", "edited", "new", "sub", "moved"}) {
    EXPECT_TRUE(std::ranges::binary_search(changes, dir_ / name)) << name;
  }
}

// Two changes within one step of the clock of the file system leave the same times and size.
TEST_F(PolledDirectoriesTest, AChangeJustBeforeTheListingIsReportedAgain) {
  Write("a", "text");
  polled_.Watch(dir_.path());
  EXPECT_EQ(Changes(), Paths{dir_ / "a"});
}

TEST_F(PolledDirectoriesTest, ANewFileInADirectoryIsNoChangeOfTheDirectory) {
  fs::create_directory(dir_ / "sub");
  polled_.Watch(dir_.path());
  polled_.Watch(dir_ / "sub");
  Write("sub/a", "text");
  EXPECT_EQ(Changes(), Paths{dir_ / "sub/a"});
}

TEST_F(PolledDirectoriesTest, ADirectoryThatDisappearsIsReportedItself) {
  fs::create_directory(dir_ / "sub");
  polled_.Watch(dir_ / "sub");
  EXPECT_EQ(Changes(), Paths());
  fs::remove(dir_ / "sub");
  EXPECT_EQ(Changes(), Paths{dir_ / "sub"});
  polled_.Forget(dir_ / "sub");
  EXPECT_EQ(Changes(), Paths());
}

TEST_F(PolledDirectoriesTest, PermissionsOfDirectoriesAreCompared) {
  fs::create_directory(dir_ / "sub");
  polled_.Watch(dir_.path());
  ::chmod((dir_ / "sub").c_str(), 0700);
  ::chmod((dir_ / "sub").c_str(), 0750);
  EXPECT_EQ(Changes(), Paths{dir_ / "sub"});
  EXPECT_EQ(Changes(), Paths());
}

}  // namespace
}  // namespace recall
