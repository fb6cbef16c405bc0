#include "index/write/ingest/missing_files.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using PathSet = std::set<std::string>;

class MissingFilesTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& text = "text") {
    const fs::path path = dir_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  PathSet Found(const std::vector<std::string>& roots, const WalkOptions& options) {
    PathSet paths;
    for (const FoundFile& file : FindFiles(roots, dir_.path(), options).files) {
      paths.insert(file.doc_path);
    }
    return paths;
  }

  TempDir dir_;
};

// The oracle is the walk itself: the missing files are those that it found before some were deleted
// and does not find afterwards.
TEST_F(MissingFilesTest, IsMissingWhatAWalkFoundBeforeAndAfterwardsNot) {
  std::mt19937_64 random(TestSeed(61));
  // A file named .git makes its directory a repository, so none is deleted: the rules must stay.
  const std::vector<std::string> names = {"d", "b.md", "c.txt", ".git", "build", "x y", ".hidden"};
  int64_t gone_count = 0;
  for (int round = 0; round < 60; ++round) {
    for (const auto& entry : fs::directory_iterator(dir_.path())) fs::remove_all(entry.path());
    Write("keep/.gitignore", round % 2 ? "build/\n*.txt\n" : "/d\n!b.md\n");
    if (round % 3 == 0) Write(".recallignore", "x y\n.hidden/\n!keep\n");
    if (round % 3 == 1) Write(".recallignore", "!.hidden\n");
    if (round % 5 < 3) Write("keep/.git/config");
    std::vector<std::string> all;
    for (int i = 0; i < 60; ++i) {
      std::string path = random() % 2 ? "keep" : random() % 2 ? "other/root" : "other";
      const size_t depth = 1 + random() % 4;
      for (size_t level = 0; level < depth; ++level) path += "/" + names[random() % names.size()];
      std::error_code error;
      fs::create_directories(fs::path(dir_ / path).parent_path(), error);
      if (error || fs::exists(dir_ / path)) continue;
      Write(path);
      all.push_back(path);
    }
    WalkOptions options;
    if (round % 4 == 1) options.globs = {"*.md", "d/**"};
    if (round % 4 == 2) options.ignores = {"d", "keep/build/"};
    options.ignore_files = round % 7 != 6;
    options.hidden = round % 4 == 3;
    const std::vector<std::string> roots =
        round % 2 ? std::vector<std::string>{dir_.path()}
                  : std::vector<std::string>{dir_ / "keep", dir_ / "other/root"};
    for (const std::string& root : roots) fs::create_directories(root);

    const PathSet before = Found(roots, options);
    for (const std::string& path : all) {
      if (random() % 3 == 0 && !path.ends_with("/.git")) fs::remove(dir_ / path);
    }
    if (fs::exists(dir_ / "other/b.md")) fs::remove_all(dir_ / "other/b.md");
    for (const std::string& root : roots) fs::create_directories(root);
    MissingFiles gone(roots, dir_.path(), options, FindFiles(roots, dir_.path(), options));
    for (const std::string& path : all) {
      const bool expected = before.contains(path) && !fs::exists(dir_ / path);
      EXPECT_EQ(gone.IsMissing(path), expected) << path << " in round " << round;
      gone_count += expected;
    }
  }
  EXPECT_GT(gone_count, 100);
}

TEST_F(MissingFilesTest, PathsThatNoWalkGivesAreNeverMissing) {
  Write("docs/a");
  const std::vector<std::string> roots = {dir_.path()};
  MissingFiles gone(roots, dir_.path(), {}, FindFiles(roots, dir_.path(), {}));
  EXPECT_TRUE(gone.IsMissing("docs/b"));
  EXPECT_TRUE(gone.IsMissing("no/such/directory"));
  std::string deep = "d";
  for (int i = 0; i < 100'000; ++i) deep += "/d";
  for (const std::string& path :
       {std::string(""), std::string("."), std::string("docs/../b"), std::string("docs//b"),
        std::string("b/"), std::string("bad\xff"), dir_ / "docs/b", std::string("/else/b"),
        std::string(".git/b"), std::string("x/.git"), std::string(5000, 'x'), deep}) {
    EXPECT_FALSE(gone.IsMissing(path)) << path.substr(0, 60);
  }
}

}  // namespace
}  // namespace recall
