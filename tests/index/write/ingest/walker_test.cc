#include "index/write/ingest/walker.h"

#include "index/base/glob/ignore_files.h"
#include "index/base/paths/doc_path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "tests/test_util.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using FoundPaths = std::vector<std::string>;

class WalkerTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, std::string_view text = "text") {
    const fs::path path = dir_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  WalkResult Walk(const FoundPaths& roots, const WalkOptions& options = {}) {
    return FindFiles(roots, dir_.path(), options);
  }
  WalkResult Walk() { return Walk({dir_.path()}); }

  static FoundPaths DocPaths(const WalkResult& result) {
    FoundPaths paths;
    for (const FoundFile& file : result.files) paths.push_back(file.doc_path);
    return paths;
  }

  TempDir dir_;
};

TEST_F(WalkerTest, FindsFilesInTheOrderOfTheirPaths) {
  for (const char* name : {"b", "a/z", "a.txt", "a/b/c", "a-b"}) Write(name);
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{"a-b", "a.txt", "a/b/c", "a/z", "b"}));
}

TEST_F(WalkerTest, HiddenFilesAreFoundOnlyIfAskedFor) {
  for (const char* name : {"a", ".env", ".cache/x", "b/.git/config", "b/.github/w", "b/.x"}) {
    Write(name);
  }
  const WalkResult plain = Walk();
  EXPECT_EQ(DocPaths(plain), (FoundPaths{"a"}));
  EXPECT_EQ(plain.left_out.hidden.files, 2);
  EXPECT_EQ(plain.left_out.hidden.directories, 2) << "not b/.git, which no option takes";
  EXPECT_EQ(plain.left_out.Total(), 4);
  WalkOptions options;
  options.hidden = true;
  const WalkResult all = Walk({dir_.path()}, options);
  EXPECT_EQ(DocPaths(all), (FoundPaths{".cache/x", ".env", "a", "b/.github/w", "b/.x"}));
  EXPECT_EQ(all.left_out.Total(), 0);
}

TEST_F(WalkerTest, HiddenRootsAreFound) {
  for (const char* name : {".config/notes/a", ".config/.secret", ".env", "b"}) Write(name);
  EXPECT_EQ(DocPaths(Walk({dir_ / ".env", dir_ / ".config"})),
            (FoundPaths{".config/notes/a", ".env"}));
  EXPECT_EQ(DocPaths(Walk({dir_ / ".config/notes"})), (FoundPaths{".config/notes/a"}));
}

TEST_F(WalkerTest, RecallignoreIncludesHiddenFiles) {
  Write(".recallignore", "!.github/\n!*.env\n");
  Write("repo/.git/config");
  Write("repo/.gitignore", "!.x\n");
  for (const char* name : {".github/w", ".github/.deep", "sub/.env", "repo/.x"}) Write(name);
  const WalkResult result = Walk();
  EXPECT_EQ(DocPaths(result), (FoundPaths{".github/w", "sub/.env"}))
      << "git's exceptions say what is committed, not what is searched";
  EXPECT_EQ(result.left_out.hidden.files, 4);
  Write(".recallignore", "!.*\n");
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{".github/.deep", ".github/w", ".recallignore",
                                          "repo/.gitignore", "repo/.x", "sub/.env"}));
}

TEST_F(WalkerTest, DescribesFiles) {
  Write("a.txt", "12345");
  struct timespec times[2] = {{1, 0}, {1700000000, 123456789}};
  ASSERT_EQ(::utimensat(AT_FDCWD, (dir_ / "a.txt").c_str(), times, 0), 0);
  const WalkResult result = Walk();
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(FilePathOf(result.files[0].doc_path, dir_.path()), dir_ / "a.txt");
  EXPECT_EQ(result.files[0].size, 5);
  EXPECT_EQ(result.files[0].mtime, 1700000000123456789);
}

TEST_F(WalkerTest, OverlappingRootsGiveEachFileOnce) {
  Write("a/b/c");
  Write("a/d");
  EXPECT_EQ(DocPaths(Walk({dir_ / "a", dir_ / "a/b", dir_ / "a/b/c", dir_ / "a/../a/b"})),
            (FoundPaths{"a/b/c", "a/d"}));
}

// What is named must be there; what is found in a directory may disappear again.
TEST_F(WalkerTest, FilesThatAreRootsAreNamed) {
  Write("a/b");
  Write("a/c.tar");
  const auto named = [](const WalkResult& result) {
    FoundPaths paths;
    for (const FoundFile& file : result.files) {
      if (file.named) paths.push_back(file.doc_path + (file.is_archive ? " opened" : ""));
    }
    return paths;
  };
  EXPECT_EQ(named(Walk()), FoundPaths{});
  for (const FoundPaths& roots : {FoundPaths{dir_.path(), dir_ / "a/b", dir_ / "a/c.tar"},
                                  FoundPaths{dir_ / "a/c.tar", dir_ / "a/b", dir_.path()}}) {
    EXPECT_EQ(named(Walk(roots)), (FoundPaths{"a/b", "a/c.tar opened"}));
  }
}

TEST_F(WalkerTest, TheSystemFindsEachFileUnderItsPath) {
  for (const char* name : {"x/a", "x/new\nline", "x/ü", "x/sp ace"}) Write(name);
  const WalkResult result = Walk({dir_ / "x/"});
  EXPECT_EQ(result.files.size(), 4u);
  for (const FoundFile& file : result.files) {
    EXPECT_TRUE(fs::exists(FilePathOf(file.doc_path, dir_.path())));
  }
}

TEST_F(WalkerTest, RootsThatDoNotExistAreReported) {
  Write("a");
  const WalkResult result = Walk({dir_ / "none", dir_ / "a", dir_ / "a/below"});
  EXPECT_EQ(result.missing, (FoundPaths{dir_ / "none", dir_ / "a/below"}));
  EXPECT_EQ(DocPaths(result), (FoundPaths{"a"}));
  EXPECT_TRUE(result.skipped.empty());
  EXPECT_TRUE(result.unreadable.empty());
}

TEST_F(WalkerTest, FollowsNoSymbolicLinksButRoots) {
  Write("real/a");
  fs::create_symlink("real", dir_ / "link");
  fs::create_symlink("a", dir_ / "real/file-link");
  fs::create_symlink("..", dir_ / "real/loop");
  fs::create_symlink("self", dir_ / "self");
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{"real/a"}));
  EXPECT_EQ(DocPaths(Walk({dir_ / "link"})), (FoundPaths{"link/a"}));
  EXPECT_EQ(DocPaths(Walk({dir_ / "real/file-link"})), (FoundPaths{"real/file-link"}));
  EXPECT_EQ(Walk({dir_ / "self"}).unreadable.size(), 1u);
}

TEST_F(WalkerTest, SkipsWhatIsNoFile) {
  Write("a");
  ASSERT_EQ(::mkfifo((dir_ / "fifo").c_str(), 0600), 0);
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{"a"}));
  const WalkResult result = Walk({dir_ / "fifo"});
  EXPECT_TRUE(result.files.empty());
  EXPECT_EQ(result.skipped.size(), 1u);
}

TEST_F(WalkerTest, NeverEntersGitDirectories) {
  Write(".git/config");
  Write("sub/.git", "gitdir: elsewhere");
  Write("sub/.github/a");
  Write(".recallignore", "!.git\n!.github\n");
  WalkOptions options;
  options.hidden = true;
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{"sub/.github/a"}));
  EXPECT_EQ(DocPaths(Walk({dir_.path()}, options)), (FoundPaths{".recallignore", "sub/.github/a"}));
}

TEST_F(WalkerTest, NeverFindsTheStoreItself) {
  for (const char* name : {"recall.db", "recall.db-wal", "recall.db-shm", "recall.db-journal",
                           "recall.db.txt", "sub/recall.db"}) {
    Write(name);
  }
  WalkOptions options;
  options.store_path = dir_ / "recall.db";
  options.globs = {"*"};
  EXPECT_EQ(DocPaths(Walk({dir_.path()}, options)), (FoundPaths{"recall.db.txt", "sub/recall.db"}));
  fs::create_directory_symlink(dir_.path(), dir_.path() + "/self");
  EXPECT_EQ(DocPaths(Walk({dir_ / "self/recall.db"}, options)), (FoundPaths{}));
}

TEST_F(WalkerTest, NamesThatAreNotUtf8AreSkipped) {
  Write("a");
  Write(
      "bad\xFF"
      "dir/x");
  Write("bad\x01\xFE");
  const WalkResult result = Walk();
  EXPECT_EQ(DocPaths(result), (FoundPaths{"a"}));
  ASSERT_EQ(result.skipped.size(), 2u);
  EXPECT_TRUE(result.skipped[0].path.ends_with("/bad\\x01\\xfe")) << result.skipped[0].path;
  EXPECT_TRUE(result.skipped[1].path.ends_with("/bad\\xffdir")) << result.skipped[1].path;
}

// Root can read everything; for other users the directory is reported. Nothing is silently skipped.
TEST_F(WalkerTest, UnreadableDirectoriesAreReported) {
  Write("closed/x");
  Write("open/y");
  fs::permissions(dir_ / "closed", fs::perms::none);
  const WalkResult result = Walk();
  fs::permissions(dir_ / "closed", fs::perms::owner_all);
  if (::geteuid() == 0) {
    EXPECT_EQ(DocPaths(result), (FoundPaths{"closed/x", "open/y"}));
    EXPECT_TRUE(result.unreadable.empty());
  } else {
    EXPECT_EQ(DocPaths(result), (FoundPaths{"open/y"}));
    ASSERT_EQ(result.unreadable.size(), 1u);
    EXPECT_EQ(result.unreadable[0].absolute, dir_ / "closed");
    EXPECT_EQ(result.unreadable[0].reason, "Permission denied");
  }
}

TEST_F(WalkerTest, GlobsKeepAndIgnoresDrop) {
  for (const char* name : {"a.md", "b.txt", "docs/a.md", "docs/old/a.md", "src/a.cc"}) Write(name);
  WalkOptions options;
  options.globs = {"*.md", "src/**"};
  EXPECT_EQ(DocPaths(Walk({dir_.path()}, options)),
            (FoundPaths{"a.md", "docs/a.md", "docs/old/a.md", "src/a.cc"}));
  options.ignores = {"docs/old/"};
  EXPECT_EQ(DocPaths(Walk({dir_.path()}, options)), (FoundPaths{"a.md", "docs/a.md", "src/a.cc"}));
  options.ignores = {"docs", "*.cc"};
  EXPECT_EQ(DocPaths(Walk({dir_.path()}, options)), (FoundPaths{"a.md"}));
  options.ignores = {"**/old/**"};
  EXPECT_EQ(DocPaths(Walk({dir_.path()}, options)), (FoundPaths{"a.md", "docs/a.md", "src/a.cc"}));
}

TEST_F(WalkerTest, GlobsMeanTheSameFromStoreAndRoot) {
  Write("proj/src/a.cc");
  Write("proj/doc/b");
  for (const char* glob : {"src/**", "proj/src/**", "./src/**", "src/"}) {
    WalkOptions options;
    options.globs = {glob};
    EXPECT_EQ(DocPaths(Walk({dir_ / "proj"}, options)), (FoundPaths{"proj/src/a.cc"})) << glob;
  }
}

TEST_F(WalkerTest, HonoursIgnoreFilesUnlessTold) {
  Write(".git/config");
  Write(".gitignore", "*.o\n");
  Write(".recallignore", "*.log\n!keep.o\n");
  for (const char* name : {"a.o", "keep.o", "x/b.log", "x/c"}) Write(name);
  const WalkResult result = Walk();
  EXPECT_EQ(DocPaths(result), (FoundPaths{"keep.o", "x/c"}));
  EXPECT_EQ(result.left_out.by_gitignore.files, 1);
  EXPECT_EQ(result.left_out.by_recallignore.files, 1);
  EXPECT_EQ(result.left_out.hidden.files, 2);
  WalkOptions options;
  options.ignore_files = false;
  EXPECT_EQ(Walk({dir_.path()}, options).files.size(), 4u);
}

// As Debian's unpacked kernel source.
TEST_F(WalkerTest, GitignoreCountsInsideARepositoryOnly) {
  Write(".gitignore", "*.o\n/*\n!/debian/\n");
  for (const char* name : {"kernel/a.c", "Makefile", "debian/rules"}) Write(name);
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{"Makefile", "debian/rules", "kernel/a.c"}));
  EXPECT_EQ(Walk().left_out.by_gitignore.Total(), 0);
  fs::create_directory(dir_ / ".git");
  const WalkResult result = Walk();
  EXPECT_EQ(DocPaths(result), (FoundPaths{"debian/rules"}));
  EXPECT_EQ(result.left_out.by_gitignore.files, 2) << "Makefile, .gitignore";
  EXPECT_EQ(result.left_out.by_gitignore.directories, 1) << "kernel";
}

// A repository in a directory of another one has rules of its own, wherever the walk begins.
TEST_F(WalkerTest, GitignoreEndsAtTheTopOfItsRepository) {
  for (const char* top : {"", "inner/"}) Write(std::string(top) + ".git/config");
  Write(".gitignore", "*.log\n");
  Write("inner/.gitignore", "*.o\n");
  for (const char* name : {"a.log", "b.o", "inner/a.log", "inner/b.o", "inner/x/a.log"})
    Write(name);
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{"b.o", "inner/a.log", "inner/x/a.log"}));
  EXPECT_EQ(DocPaths(Walk({dir_ / "inner"})), (FoundPaths{"inner/a.log", "inner/x/a.log"}));
  EXPECT_EQ(DocPaths(Walk({dir_ / "inner/x"})), (FoundPaths{"inner/x/a.log"}));
}

TEST_F(WalkerTest, RootsAreNotHiddenByIgnoreFiles) {
  Write(".git/config");
  Write(".gitignore", "build/\n*.o\n");
  Write("build/x");
  Write("build/y.o");
  Write("z.o");
  EXPECT_EQ(DocPaths(Walk({dir_ / "build", dir_ / "z.o"})), (FoundPaths{"build/x", "z.o"}));
  WalkOptions options;
  options.ignores = {"*.o"};
  EXPECT_TRUE(Walk({dir_ / "z.o"}, options).files.empty());
}

TEST_F(WalkerTest, IgnoreFilesOfTheRepositoryAroundARootCount) {
  Write(".gitignore", "c\n");  // outside the repository
  Write("repo/.git/config");
  Write("repo/.gitignore", "*.log\n/sub/a\n");
  for (const char* name : {"repo/sub/a", "repo/sub/b.log", "repo/sub/c"}) Write(name);
  for (const char* root : {"repo/sub", "repo"}) {
    WalkOptions options;
    options.ignores = {".gitignore"};
    EXPECT_EQ(DocPaths(FindFiles({dir_ / root}, "/elsewhere", options)),
              (FoundPaths{dir_ / "repo/sub/c"}))
        << root;
  }
}

TEST_F(WalkerTest, WithinAStoreEveryRootIgnoresTheSameFiles) {
  Write(".recallignore", "secret\n");
  Write("repo/.git/config");
  Write("repo/.gitignore", "*.o\n");
  for (const char* name : {"repo/secret", "repo/x/secret", "repo/x/b.o", "repo/x/c"}) Write(name);
  for (const char* root : {"", "repo", "repo/x"}) {
    WalkOptions options;
    options.ignores = {".gitignore", ".recallignore"};
    EXPECT_EQ(DocPaths(Walk({dir_ / root}, options)), (FoundPaths{"repo/x/c"})) << root;
  }
}

TEST_F(WalkerTest, WithoutARepositoryTheStoreIsTheTop) {
  Write(".recallignore", "secret\n");
  Write("sub/secret");
  Write("sub/a");
  EXPECT_EQ(DocPaths(Walk({dir_ / "sub"})), (FoundPaths{"sub/a"}));
}

TEST_F(WalkerTest, IgnoreFilesThatApplyTogetherMayHaveOneMebibyte) {
  const std::string comment(kMostIgnoreBytes / 2, '#');
  Write(".git/config");
  Write(".gitignore", "*.o\n");
  Write("a/.gitignore", "*.log\n" + comment);
  Write("a/b/.gitignore", "*.txt\n" + comment);
  Write("c/.recallignore", "*.log\n" + comment + comment);
  Write("d/.gitignore", "*.txt\n" + comment);
  for (const char* directory : {"", "a/", "a/b/", "c/", "d/"}) {
    for (const char* name : {"x.o", "x.log", "x.txt"}) Write(directory + std::string(name));
  }
  WalkOptions options;
  options.ignores = {".gitignore", ".recallignore"};
  const WalkResult result = Walk({dir_.path()}, options);
  EXPECT_EQ(DocPaths(result), (FoundPaths{"a/b/x.txt", "a/x.txt", "c/x.log", "c/x.txt", "d/x.log",
                                          "x.log", "x.txt"}));
  EXPECT_EQ(result.skipped_ignore_files,
            (FoundPaths{dir_ / "a/b/.gitignore", dir_ / "c/.recallignore"}));
}

TEST_F(WalkerTest, EndsWhenItIsCancelled) {
  Write(".gitignore", "*.o\n");
  for (const char* name : {"a", "b/c"}) Write(name);
  std::atomic<bool> cancel = false;
  WalkOptions options;
  options.cancel = &cancel;
  EXPECT_FALSE(Walk({dir_.path()}, options).cancelled);
  cancel = true;
  const WalkResult result = Walk({dir_.path()}, options);
  EXPECT_TRUE(result.cancelled);
  EXPECT_TRUE(result.files.empty());
}

TEST_F(WalkerTest, IgnoreFilesThatAreLinksOrDirectoriesHoldNoRules) {
  Write("a.o");
  Write("rules", "*.o\n");
  Write(".git/config");
  fs::create_symlink("rules", dir_ / ".gitignore");
  fs::create_directory(dir_ / ".recallignore");
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{"a.o", "rules"}));
}

TEST_F(WalkerTest, DeepTreesAreNoProblem) {
  std::string name;
  for (int i = 0; i < 100; ++i) name += "d/";
  Write(name + "f");
  EXPECT_EQ(DocPaths(Walk()), (FoundPaths{name + "f"}));
}

TEST_F(WalkerTest, RootsMayBeRelative) {
  Write("a/b");
  const fs::path before = fs::current_path();
  fs::current_path(dir_.path());
  const WalkResult here = Walk({"."});
  const WalkResult below = Walk({"./a"});
  fs::current_path(dir_ / "a");
  const WalkResult above = Walk({".."});
  fs::current_path(before);
  ASSERT_EQ(DocPaths(here), (FoundPaths{"a/b"}));
  EXPECT_EQ(DocPaths(below), (FoundPaths{"a/b"}));
  EXPECT_EQ(DocPaths(above), (FoundPaths{"a/b"}));
}

// The oracle is a whole walk: a limited one finds exactly its files at or below the wanted paths.
TEST_F(WalkerTest, FindsBelowSomePathsWhatAWholeWalkFinds) {
  std::mt19937_64 random(TestSeed(71));
  const auto pick = [&random](const FoundPaths& names) { return names[random() % names.size()]; };
  const FoundPaths names = {"a", "b.md", "c.txt", ".hidden", "build", "x.tar"};
  const auto random_path = [&] {
    std::string path = pick(names);
    for (uint64_t depth = random() % 4; depth > 0; --depth) path += "/" + pick(names);
    return path;
  };
  for (int round = 0; round < 60; ++round) {
    const std::string root = "tree" + std::to_string(round);
    fs::create_directory(dir_ / root);
    for (int i = 0; i < 40; ++i) {
      const std::string name = root + "/" + random_path();
      std::error_code occupied;  // a file may be where a directory is needed
      fs::create_directories(fs::path(dir_ / name).parent_path(), occupied);
      std::ofstream(dir_ / name) << "text";
    }
    if (round % 2 == 0) Write(root + "/.recallignore", "build\n!.hidden\n/a/c.txt\n");
    if (round % 3 == 0) std::ofstream(dir_ / (root + "/a/.recallignore")) << "!build\n*.md\n";
    WalkOptions options;
    options.hidden = random() % 2 == 0;
    options.ignore_files = random() % 4 != 0;
    if (random() % 3 == 0) options.ignores = {"build", "*.txt"};
    if (random() % 3 == 0) options.globs = {"*.md", "a/**"};
    FoundPaths roots = {dir_ / root};
    if (random() % 2 == 0) roots.push_back(dir_ / (root + "/a"));
    if (random() % 2 == 0) roots.push_back(dir_ / (root + "/b.md"));
    const WalkResult whole = Walk(roots, options);

    FoundPaths only;
    for (uint64_t count = random() % 5; count > 0; --count) {
      only.push_back(dir_ / (root + "/" + random_path()));
    }
    if (random() % 8 == 0) only.push_back(dir_ / root);
    if (random() % 20 == 0) only.push_back("/");
    options.only = &only;
    FoundPaths expected;
    for (const std::string& path : DocPaths(whole)) {
      const std::string absolute = dir_ / path;
      if (std::ranges::any_of(only, [&](const std::string& wanted) {
            return absolute == wanted || wanted == "/" || absolute.starts_with(wanted + "/");
          })) {
        expected.push_back(path);
      }
    }
    EXPECT_EQ(DocPaths(Walk(roots, options)), expected) << "round " << round;
  }
}

TEST_F(WalkerTest, ALimitedWalkListsNoOtherDirectories) {
  for (const char* name : {"a/b/c/x", "a/b/y", "a/z", "other/w"}) Write(name);
  const FoundPaths only = {dir_ / "a/b/c", dir_ / "gone/x"};
  FoundPaths visited;
  WalkOptions options;
  options.only = &only;
  options.on_directory = [&visited](const std::string& path) { visited.push_back(path); };
  EXPECT_EQ(DocPaths(Walk({dir_.path()}, options)), (FoundPaths{"a/b/c/x"}));
  EXPECT_EQ(visited, (FoundPaths{dir_.path(), dir_ / "a", dir_ / "a/b", dir_ / "a/b/c"}));
}

TEST_F(WalkerTest, SaysEachDirectoryBeforeItIsListed) {
  for (const char* name : {"a/x", "ignored/x", ".hidden/x"}) Write(name);
  Write(".recallignore", "ignored\n");
  WalkOptions options;
  FoundPaths visited;
  options.on_directory = [&](const std::string& path) {
    visited.push_back(path);
    if (path.ends_with("/a")) Write("a/late");
  };
  EXPECT_EQ(DocPaths(Walk({dir_.path()}, options)), (FoundPaths{"a/late", "a/x"}));
  EXPECT_EQ(visited, (FoundPaths{dir_.path(), dir_ / "a"}));
}

}  // namespace
}  // namespace recall
