// .gitignore rules, compared with git itself.

#include "index/base/glob/ignore_rules.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "index/write/ingest/walker.h"
#include "tests/test_util.h"

namespace recall {
namespace {

void WriteFile(const std::string& path, std::string_view text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// Runs a command in `directory` without the user's git settings. Returns: its output.
std::string RunIn(const std::string& directory, const std::string& command) {
  const std::string line =
      "unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE; "
      "export GIT_CONFIG_NOSYSTEM=1 HOME=/nonexistent XDG_CONFIG_HOME=/nonexistent; cd '" +
      directory + "' && " + command;
  FILE* pipe = ::popen(line.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string output;
  char buffer[4096];
  while (const size_t count = std::fread(buffer, 1, sizeof(buffer), pipe)) {
    output.append(buffer, count);
  }
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return output;
}

std::set<std::string> SplitAtNuls(std::string_view listed) {
  std::set<std::string> files;
  for (size_t start = 0; start < listed.size();) {
    const size_t end = listed.find('\0', start);
    files.emplace(listed.substr(start, end - start));
    start = end + 1;
  }
  return files;
}

// Paths and texts of ignore files.
using IgnoreFiles = std::vector<std::pair<std::string, std::string>>;

// A repository with a fixed tree that the patterns can match.
class GitOracle : public ::testing::Test {
 protected:
  void SetUp() override {
    RunIn(dir_.path(), "mkdir cases repository && cd repository && git init -q .");
    for (const char* file : kTree) WriteFile(repository_ + file, "");
  }

  std::set<std::string> RecallFiles() {
    std::set<std::string> files;
    WalkOptions options;
    options.hidden = true;  // git lists hidden files
    const WalkResult found = FindFiles({repository_}, repository_, options);
    EXPECT_TRUE(found.unreadable.empty());
    for (const FoundFile& file : found.files) files.insert(file.doc_path);
    return files;
  }

  void ExpectSameAsGit(const IgnoreFiles& ignore_files) {
    for (const auto& [path, text] : ignore_files) WriteFile(repository_ + path, text);
    EXPECT_EQ(RecallFiles(), SplitAtNuls(RunIn(repository_, kListFiles + " --exclude-standard")))
        << ::testing::PrintToString(ignore_files);
    for (const auto& [path, text] : ignore_files) std::filesystem::remove(repository_ + path);
  }

  // Uses each text as the top .gitignore. Runs one shell for all, because starting processes is
  // slow.
  void ExpectSameAsGit(const std::vector<std::string>& gitignores) {
    for (size_t i = 0; i < gitignores.size(); ++i) {
      WriteFile(dir_ / "cases/" + std::to_string(i), gitignores[i]);
    }
    const std::string last = std::to_string(gitignores.size() - 1);
    const std::string listed =
        RunIn(repository_, "for i in $(seq 0 " + last + "); do " + kListFiles +
                               " --exclude-from=../cases/$i; printf \"//\"; done");
    size_t start = 0;
    for (const std::string& text : gitignores) {
      const size_t end = listed.find("//", start);
      ASSERT_NE(end, std::string::npos);
      WriteFile(repository_ + ".gitignore", text);
      std::set<std::string> ours = RecallFiles();
      ours.erase(".gitignore");  // git does not see this file in this run
      EXPECT_EQ(ours, SplitAtNuls(listed.substr(start, end - start)))
          << ::testing::PrintToString(text);
      start = end + 2;
    }
  }

 private:
  const std::string kListFiles = "git ls-files -z --others";

  TempDir dir_;
  const std::string repository_ = dir_ / "repository/";

  static constexpr const char* kTree[] = {"a.o",
                                          "b.txt",
                                          "foo",
                                          "foo.c",
                                          "#hash",
                                          "!bang",
                                          "space ",
                                          "a b",
                                          "[x]",
                                          "x",
                                          "star*",
                                          "back\\slash",
                                          "build/out.o",
                                          "build/keep.txt",
                                          "src/a.o",
                                          "src/b.c",
                                          "src/build/x",
                                          "src/foo/bar",
                                          "src/foo/deep/bar",
                                          "doc/foo.txt",
                                          "doc/a/foo.txt",
                                          "doc/a/b/foo.txt",
                                          "deep/a/b/c/d.txt",
                                          "deep/foo/x",
                                          "foo1/x",
                                          "foo2/foo",
                                          "tmp/.keep",
                                          ".hidden/x",
                                          "abc/def/ghi",
                                          "abc/xdef/ghi",
                                          "dir.o/in",
                                          "A.O",
                                          "new\nline"};
};

TEST_F(GitOracle, SinglePatterns) {
  std::vector<std::string> patterns = {"*.o",
                                       "/*.o",
                                       "foo",
                                       "foo/",
                                       "/foo",
                                       "/foo/",
                                       "src/foo",
                                       "/src/foo",
                                       "src/foo/",
                                       "foo/bar",
                                       "**/foo",
                                       "**/foo/",
                                       "foo/**",
                                       "src/**",
                                       "src/**/bar",
                                       "**/foo/bar",
                                       "deep/**/d.txt",
                                       "a/**/b",
                                       "**",
                                       "**/",
                                       "*",
                                       "/*",
                                       "*/",
                                       "/*/",
                                       "doc/*.txt",
                                       "doc/**/*.txt",
                                       "doc/*/foo.txt",
                                       "foo?",
                                       "foo[0-9]",
                                       "foo[!1]",
                                       "foo[^2]",
                                       "[x]",
                                       "\\[x\\]",
                                       "[[]x]",
                                       "\\#hash",
                                       "#hash",
                                       "\\!bang",
                                       "!bang",
                                       "space\\ ",
                                       "space ",
                                       "space",
                                       "a b",
                                       "a\\ b",
                                       "star\\*",
                                       "star*",
                                       "back\\\\slash",
                                       "back\\slash",
                                       "foo\\",
                                       "[",
                                       "[a",
                                       "[]",
                                       "a[",
                                       "{a,b}.o",
                                       "*.{o,c}",
                                       "a**",
                                       "**a",
                                       "src/f**",
                                       "src/**o/bar",
                                       "abc/**def/ghi",
                                       "abc/**/ghi",
                                       "***",
                                       "src/***/bar",
                                       "/",
                                       "//",
                                       "./foo",
                                       "foo//bar",
                                       "build",
                                       "build/*",
                                       "build/**",
                                       "/build/",
                                       ".*",
                                       ".hidden",
                                       "tmp/.*",
                                       "[[:upper:]].O",
                                       "[[:alpha:]].o",
                                       "*.[oO]",
                                       "[a-c].*",
                                       "[c-a].*",
                                       "[a-].o",
                                       "foo/*",
                                       "*/foo",
                                       "*/*/foo.txt",
                                       "dir.o/",
                                       "*.o/",
                                       "x*",
                                       "?",
                                       "??",
                                       "\\x",
                                       "fo\\o",
                                       " foo",
                                       "\tfoo",
                                       "foo\t",
                                       "/src/build",
                                       "src/build/x",
                                       "new*",
                                       "?ew?line",
                                       "foo/**/bar",
                                       "src/foo/**",
                                       "**/deep/**",
                                       "**/**/foo",
                                       "/**",
                                       "/**/foo",
                                       "foo.c/",
                                       "abc/d*f/",
                                       "*bc/def"};
  for (std::string& pattern : patterns) pattern += '\n';
  ExpectSameAsGit(patterns);
}

TEST_F(GitOracle, SeveralLines) {
  ExpectSameAsGit(std::vector<std::string>{
      "*.o\n!a.o\n",
      "!a.o\n*.o\n",
      "build/\n!build/keep.txt\n",
      "build/*\n!build/keep.txt\n",
      "/*\n!/src/\n/src/*\n!/src/foo/\n",
      "*\n!*/\n!*.txt\n",
      "# comment\n\n  \n*.o\n",
      "*.o\r\nfoo\r\n",
      "foo",
      "\xEF\xBB\xBF"
      "foo\n",
      "foo   \nbar\\ \\ \n",
      "src\n!src/b.c\n",
      "src/foo/*\n!src/foo/bar\n",
      "**/foo\n!deep/foo\n",
      "*.txt\n!doc/**/foo.txt\ndoc/a/b/\n",
      "!!bang\n\\!bang\n",
      "!\n!/\n/\n",
      ".gitignore\n",
  });
}

TEST_F(GitOracle, NestedFiles) {
  const std::vector<IgnoreFiles> cases = {
      {{".gitignore", "*.o\n"}, {"src/.gitignore", "!a.o\n"}},
      {{".gitignore", "!a.o\n"}, {"src/.gitignore", "*.o\n/foo/bar\n"}},
      {{"src/.gitignore", "/foo\n"}, {"doc/.gitignore", "a/foo.txt\n"}},
      {{".gitignore", "doc/\n"}, {"doc/.gitignore", "!*\n"}},
      {{"doc/.gitignore", "*\n!a/\n"}, {"doc/a/.gitignore", "!b/\n!foo.txt\n"}},
      {{"deep/a/.gitignore", "b/c\n"}, {"deep/.gitignore", "/b\n/a/b/c/d.txt\n"}},
  };
  for (const IgnoreFiles& ignore_files : cases) ExpectSameAsGit(ignore_files);
}

TEST_F(GitOracle, RandomPatterns) {
  std::mt19937_64 random(TestSeed(11));
  constexpr const char* kPieces[] = {"foo", "a", "b", "src", "doc", "*",     "**",   "/",
                                     "/",   "/", "?", ".o",  "o",   "[a-f]", ".txt", "deep"};
  std::vector<std::string> texts(200);
  for (std::string& text : texts) {
    for (size_t lines = 1 + random() % 4; lines > 0; --lines) {
      if (random() % 4 == 0) text += '!';
      for (size_t pieces = 1 + random() % 5; pieces > 0; --pieces) {
        text += kPieces[random() % std::size(kPieces)];
      }
      text += '\n';
    }
  }
  ExpectSameAsGit(texts);
}

TEST(IgnoreRules, RecallignoreDecidesBeforeGitignore) {
  const auto scope = std::make_shared<const IgnoreScope>(
      IgnoreScope{nullptr, 3, IgnoreRules("*.log\n"), IgnoreRules("!keep.log\n*.md\n"), 0});
  EXPECT_TRUE(DecideIgnored(scope.get(), "/r/a.log", false).ignores());
  EXPECT_FALSE(DecideIgnored(scope.get(), "/r/keep.log", false).ignores());
  EXPECT_TRUE(DecideIgnored(scope.get(), "/r/x/a.md", false).ignores());
  EXPECT_FALSE(DecideIgnored(scope.get(), "/r/a.txt", false).ignores());
  // A .recallignore of an outer directory takes precedence over a .gitignore of an inner one.
  const IgnoreScope inner{scope, 5, IgnoreRules("keep.log\n"), IgnoreRules(""), 0};
  EXPECT_FALSE(DecideIgnored(&inner, "/r/x/keep.log", false).ignores());
}

// "Ignored" neither adds a file nor reports it as missing.
TEST(IgnoreRules, EverythingIsIgnoredOnceCancelled) {
  const IgnoreScope scope{nullptr, 3, IgnoreRules("!a\n"), IgnoreRules(""), 0};
  std::atomic<bool> cancel = false;
  EXPECT_FALSE(DecideIgnored(&scope, "/r/a", false, &cancel).ignores());
  cancel = true;
  EXPECT_TRUE(DecideIgnored(&scope, "/r/a", false, &cancel).ignores());
}

TEST(IgnoreRules, QuestionMarksAreCharacters) {
  const IgnoreRules rules("?.txt\n");
  EXPECT_EQ(rules.Check("é.txt", false), IgnoreVerdict::kIgnore);
  EXPECT_EQ(rules.Check("éé.txt", false), IgnoreVerdict::kUndecided);
}

}  // namespace
}  // namespace recall
