// The files that change together with a file, as sessions of a store and commits of a repository
// say.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "query/memory/git/work_tree.h"
#include "query/memory/related/co_changes.h"
#include "tests/git_sandbox.h"
#include "tests/query/query_fixture.h"

namespace recall {
namespace {

using Names = std::vector<std::string>;

Names PathsOf(const CoChanges& sum) {
  Names paths;
  for (const CoChange& change : sum.changes) paths.push_back(change.path);
  return paths;
}

TEST(CoChangesTest, EachSetHasOneVote) {
  const CoChanges sum = SumUpChanges(std::vector<ChangeSet>{
      {"c3", true, {"b", "c", "d", "e"}}, {"c2", true, {"b", "c"}}, {"c1", true, {}}});
  EXPECT_EQ(PathsOf(sum), (Names{"b", "c", "d", "e"}));
  EXPECT_DOUBLE_EQ(sum.changes[0].score, 0.25 + 0.5);
  EXPECT_DOUBLE_EQ(sum.changes[2].score, 0.25);
  EXPECT_EQ(sum.changes[0].commits, 2);
  EXPECT_EQ(sum.changes[0].commit_ids, (Names{"c3", "c2"}));
  EXPECT_EQ(sum.commits, 3) << "that the file changed alone counts, too";
  EXPECT_EQ(sum.sessions, 0);
}

TEST(CoChangesTest, FewFilesSayMoreThanMany) {
  Names many;
  for (char c = 'b'; c <= 'k'; ++c) many.push_back(std::string(1, c));
  const CoChanges sum = SumUpChanges(
      std::vector<ChangeSet>{{"c3", true, many}, {"c2", true, many}, {"s1", false, {"z"}}});
  ASSERT_FALSE(sum.changes.empty());
  EXPECT_EQ(sum.changes[0].path, "z");
  EXPECT_EQ(sum.changes[0].sessions, 1);
  EXPECT_EQ(sum.changes[0].session_paths, Names{"s1"});
  EXPECT_EQ(sum.changes[1].path, "b") << "equal scores are ordered by path";
}

TEST(CoChangesTest, LargeSetsDoNotCount) {
  Names others;
  for (int i = 0; i < 49; ++i) others.push_back("f" + std::to_string(100 + i));
  CoChanges sum = SumUpChanges(std::vector<ChangeSet>{{"c1", true, others}});
  EXPECT_EQ(sum.commits, 1);
  EXPECT_EQ(sum.changes.size(), 49u);
  others.push_back("f200");
  sum = SumUpChanges(std::vector<ChangeSet>{{"c1", true, others}});
  EXPECT_EQ(sum.commits, 0);
  EXPECT_EQ(sum.too_large, 1);
  EXPECT_TRUE(sum.changes.empty());
}

class RelatedTest : public QueryFixture {
 protected:
  void SetUp() override {
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::setenv("GIT_CEILING_DIRECTORIES", dir_.path().c_str(), 1);
    ::unsetenv("GIT_AUTHOR_EMAIL");
    QueryFixture::SetUp();
    base_ = std::filesystem::canonical(dir_.path()).string();
    repo_ = base_ + "/repo";
    MakeGitRepository(repo_);
  }

  // Changes files in a commit of a day of January 2026.
  std::string Commit(int day, const Names& files, const std::string& directory = "") {
    const std::string root = directory.empty() ? repo_ : directory;
    char time[32];
    std::snprintf(time, sizeof(time), "2026-01-%02dT10:00:00Z", day);
    for (const std::string& file : files) WriteFileIn(root, file, file + time);
    return CommitAll(root, "change", time);
  }

  // A session of a day, after all commits unless another month is given, that edits and reads.
  void Capture(const std::string& id, const std::string& directory, const Names& edited,
               const Names& read = {}, const std::string& day = "2026-02-20") {
    const auto line = [&](nlohmann::json fields) {
      fields["session"] = id;
      return fields.dump() + "\n";
    };
    std::string lines = line({{"role", "human"},
                              {"text", "Please change it."},
                              {"at", day + "T10:00:00Z"},
                              {"cwd", directory}});
    for (const std::string& file : edited) lines += line({{"tool", "Edit"}, {"path", file}});
    for (const std::string& file : read) lines += line({{"tool", "Read"}, {"path", file}});
    WriteFile("transcripts/" + id + ".jsonl", lines);
    CaptureRequest request;
    request.paths = {dir_ / ("transcripts/" + id + ".jsonl")};
    request.agents = {"jsonl"};
    request.project = directory;
    ASSERT_OK(database_->Capture(request));
  }

  RelatedResponse Related(RelatedRequest request) {
    auto found = database_->Related(request);
    EXPECT_TRUE(found.has_value()) << found.error().ToString();
    if (!found) return {};
    EXPECT_EQ(found->files.empty(), !found->warnings.empty());
    return *found;
  }
  RelatedResponse RelatedTo(const std::string& file) {
    return Related({.file = repo_ + "/" + file});
  }
  static Names PathsOf(const RelatedResponse& found) {
    Names paths;
    for (const RelatedFile& file : found.files) paths.push_back(file.path);
    return paths;
  }

  std::string base_;
  std::string repo_;
};

TEST_F(RelatedTest, CommitsSayWhatChangesTogether) {
  Commit(1, {"src/a.cc", "src/b.cc"});
  const std::string second = Commit(2, {"src/a.cc", "tests/a_test.cc"});
  const std::string third = Commit(3, {"src/a.cc", "tests/a_test.cc", "docs/a.md"});
  Commit(4, {"src/b.cc", "docs/a.md"});
  Commit(5, {"src/a.cc"});
  const RelatedResponse found = RelatedTo("src/a.cc");
  EXPECT_EQ(found.path, "src/a.cc");
  EXPECT_EQ(PathsOf(found), (Names{"tests/a_test.cc", "src/b.cc", "docs/a.md"}));
  EXPECT_EQ(found.commits, 4);
  EXPECT_EQ(found.sessions, 0);
  const RelatedFile& test = found.files[0];
  EXPECT_DOUBLE_EQ(test.score, 1.5);
  EXPECT_EQ(test.commits, 2);
  EXPECT_DOUBLE_EQ(test.share, 0.5);
  EXPECT_EQ(test.commit_ids, (Names{third, second}));

  const RelatedResponse newest = Related({.file = repo_ + "/src/a.cc", .newest = 2});
  EXPECT_EQ(PathsOf(newest), (Names{"docs/a.md", "tests/a_test.cc"}));
  EXPECT_EQ(newest.commits, 2);
  const RelatedResponse one = Related({.file = repo_ + "/src/a.cc", .limit = 1});
  EXPECT_EQ(PathsOf(one), Names{"tests/a_test.cc"});
  EXPECT_EQ(one.total_hits, 3);
  EXPECT_EQ(PathsOf(Related({.file = repo_ + "/src/a.cc", .git = false})), Names());
}

TEST_F(RelatedTest, MergesAndFilesThatAreGoneDoNotCount) {
  Commit(1, {"a.cc", "old.cc", "b.cc"});
  GitIn(repo_, {"checkout", "-q", "-b", "side"});
  Commit(2, {"side.cc"});
  GitIn(repo_, {"checkout", "-q", "main"});
  Commit(3, {"main.cc"});
  GitIn(repo_, {"merge", "-q", "--no-ff", "-m", "merge", "side"});
  std::filesystem::remove(repo_ + "/old.cc");
  EXPECT_EQ(PathsOf(RelatedTo("a.cc")), Names{"b.cc"});
  EXPECT_EQ(RelatedTo("side.cc").commits, 1);
  // A file that is gone may be asked for.
  EXPECT_EQ(PathsOf(RelatedTo("old.cc")), (Names{"a.cc", "b.cc"}));
}

TEST_F(RelatedTest, NamesAreNoPatterns) {
  Commit(1, {"[id].ts", "page.ts"});
  Commit(2, {"i.ts", "other.ts"});
  Commit(3, {"it's.ts", "quote.ts"});
  EXPECT_EQ(PathsOf(RelatedTo("[id].ts")), Names{"page.ts"});
  EXPECT_EQ(PathsOf(RelatedTo("it's.ts")), Names{"quote.ts"});
}

TEST_F(RelatedTest, SessionsSayWhatTheirToolsChanged) {
  Commit(1, {"src/a.cc", "src/b.cc", "src/c.cc", "docs/a.md"});
  Capture("s1", repo_, {repo_ + "/src/a.cc", "src/b.cc"}, {"docs/a.md"});
  Capture("s2", repo_ + "/src", {repo_ + "/src/a.cc", repo_ + "/src/b.cc", repo_ + "/src/c.cc"}, {},
          "2026-02-21");
  Capture("s3", repo_, {"src/c.cc"}, {"src/a.cc"});
  const RelatedResponse found = Related({.file = repo_ + "/src/a.cc", .git = false});
  EXPECT_EQ(PathsOf(found), (Names{"src/b.cc", "src/c.cc"})) << "what was read does not count";
  EXPECT_EQ(found.sessions, 2);
  EXPECT_DOUBLE_EQ(found.files[0].score, 1.5);
  EXPECT_EQ(found.files[0].session_paths, (Names{"sessions/jsonl/s2", "sessions/jsonl/s1"}));

  const RelatedResponse all = RelatedTo("src/a.cc");
  EXPECT_EQ(all.sessions, 2);
  EXPECT_EQ(all.commits, 1);
  EXPECT_EQ(all.files[0].path, "src/b.cc");
  EXPECT_EQ(all.files[0].sessions + all.files[0].commits, 3);

  RelatedRequest request{.file = repo_ + "/src/a.cc", .git = false};
  request.scope.filter = "doc.session.id = 's1'";
  const RelatedResponse some = Related(request);
  EXPECT_EQ(PathsOf(some), Names{"src/b.cc"});
  EXPECT_FALSE(some.filter.empty());
}

TEST_F(RelatedTest, SessionsOfOtherRepositoriesDoNotCount) {
  Commit(1, {"a.cc", "b.cc", "c.cc", "d.cc", "e.cc"});
  const std::string other = base_ + "/other";
  MakeGitRepository(other);
  Commit(1, {"a.cc", "b.cc"}, other);
  GitIn(repo_, {"worktree", "add", "-q", base_ + "/linked", "-b", "side"});
  Capture("other", other, {"a.cc", "b.cc"});
  Capture("outside", base_, {"a.cc", "c.cc"});
  Capture("linked", base_ + "/linked", {"a.cc", "d.cc"});
  Capture("gone", "/nowhere/that/is/here", {"a.cc", "e.cc"});
  RelatedRequest request{.file = repo_ + "/a.cc", .git = false};
  EXPECT_EQ(PathsOf(Related(request)), (Names{"d.cc", "e.cc"}));
  request.file = base_ + "/linked/a.cc";
  EXPECT_EQ(PathsOf(Related(request)), (Names{"d.cc", "e.cc"}));
  request.file = other + "/a.cc";
  EXPECT_EQ(PathsOf(Related(request)), (Names{"b.cc"}));
}

TEST_F(RelatedTest, OutsideOfGitTheDirectoryTellsTheFile) {
  const std::string one = base_ + "/one";
  const std::string two = base_ + "/two";
  std::filesystem::create_directories(one + "/src");
  std::filesystem::create_directories(two);
  Capture("s1", one, {one + "/src/a.cc", one + "/src/b.cc"});
  Capture("s2", one + "/src", {"a.cc", "c.cc"});
  Capture("s3", two, {"src/a.cc", "src/d.cc"});
  Capture("s4", two, {one + "/src/a.cc", "e.cc"});
  Names paths = PathsOf(Related({.file = one + "/src/a.cc"}));
  std::ranges::sort(paths);
  EXPECT_EQ(paths, (Names{"c.cc", "e.cc", "src/b.cc"}));
  EXPECT_EQ(PathsOf(Related({.file = two + "/src/a.cc"})), Names{"src/d.cc"});
}

// The commit tells the same as the session that led to it.
TEST_F(RelatedTest, ASessionWithinItsCommitCountsOnce) {
  Commit(1, {"a.cc", "b.cc", "c.cc"});
  const std::string commit = Commit(20, {"a.cc", "b.cc"});
  Capture("s1", repo_, {"a.cc", "b.cc"}, {}, "2026-01-19");
  Capture("s2", repo_, {"a.cc", "b.cc", "c.cc"}, {}, "2026-01-19");
  const auto meta = database_->Get({.target = "sessions/jsonl/s1"})->doc.meta_json.value_or("");
  ASSERT_NE(meta.find(commit), std::string::npos) << meta;
  const RelatedResponse found = RelatedTo("a.cc");
  EXPECT_EQ(found.commits, 2);
  EXPECT_EQ(found.sessions, 1);
  EXPECT_EQ(found.files[0].session_paths, Names{"sessions/jsonl/s2"});
  EXPECT_EQ(Related({.file = repo_ + "/a.cc", .git = false}).sessions, 2);
}

// Commands of a shell change files that no tool names; the commits have them.
TEST_F(RelatedTest, WithoutEditsTheFilesOfCommitsCount) {
  Commit(1, {"a.cc"});
  Commit(20, {"a.cc", "b.cc"});
  Capture("s1", repo_, {}, {"a.cc"}, "2026-01-19");
  const RelatedResponse found = Related({.file = repo_ + "/a.cc", .git = false});
  EXPECT_EQ(PathsOf(found), Names{"b.cc"});
  EXPECT_EQ(found.sessions, 1);
}

TEST_F(RelatedTest, WithoutAnAnswerItSaysWhy) {
  Commit(1, {"a.cc"});
  const auto warning = [&](const RelatedRequest& request) {
    const RelatedResponse found = Related(request);
    return found.warnings.empty() ? "" : found.warnings.back();
  };
  EXPECT_EQ(warning({.file = repo_ + "/a.cc"}),
            "nothing that is still there changed together with a.cc");
  EXPECT_EQ(warning({.file = repo_ + "/none.cc"}), "no session and no commit changed none.cc");
  EXPECT_EQ(warning({.file = repo_ + "/a.cc", .git = false}), "no session changed a.cc");
  EXPECT_EQ(database_->Related({.file = repo_ + "/a.cc", .limit = 0}).error().code(),
            StatusCode::kInvalidArgument);
  RelatedRequest request{.file = repo_ + "/a.cc"};
  request.scope.filter = "doc.path =";
  EXPECT_EQ(database_->Related(request).error().code(), StatusCode::kInvalidArgument);
}

// What the files of git say is what git says.
TEST_F(RelatedTest, WorkTreesAreFoundWithoutGit) {
  Commit(1, {"src/a.cc"});
  GitIn(repo_, {"worktree", "add", "-q", base_ + "/linked", "-b", "side"});
  const auto tree = FindWorkTree(repo_ + "/src/none/b.cc");
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->root, repo_);
  EXPECT_EQ(tree->git_dir, repo_ + "/.git");
  EXPECT_EQ(tree->common_dir, repo_ + "/.git");
  EXPECT_EQ(BranchOfWorkTree(*tree), "main");
  const auto linked = FindWorkTree(base_ + "/linked");
  ASSERT_TRUE(linked);
  EXPECT_EQ(linked->root, base_ + "/linked");
  EXPECT_EQ(linked->git_dir, GitIn(base_ + "/linked", {"rev-parse", "--absolute-git-dir"}));
  EXPECT_EQ(linked->common_dir, repo_ + "/.git");
  EXPECT_EQ(BranchOfWorkTree(*linked), "side");
  EXPECT_FALSE(FindWorkTree("repo/src"));
}

}  // namespace
}  // namespace recall
