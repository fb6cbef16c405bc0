#include "query/memory/git/repository.h"

#include <sys/stat.h>
#include <unistd.h>

#include <random>

#include "query/memory/git/branch_log.h"
#include "query/memory/git/session_commits.h"
#include "tests/git_sandbox.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using Strings = std::vector<std::string>;

UnixNanos TimeOf(const std::string& text) { return *ParseRfc3339(text); }

class GitRepositoryTest : public ::testing::Test {
 protected:
  GitRepositoryTest() {
    ::setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);
    ::setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    ::setenv("GIT_CEILING_DIRECTORIES", dir_.path().c_str(), 1);
    ::unsetenv("GIT_AUTHOR_EMAIL");
    base_ = std::filesystem::canonical(dir_.path()).string();
    repo_ = base_ + "/repo";
    MakeGitRepository(repo_);
  }

  GitRepository Find(const std::string& directory) {
    const auto found = FindRepository(directory);
    EXPECT_TRUE(found.has_value() && found->has_value()) << directory;
    return found && *found ? **found : GitRepository();
  }
  std::string Commit(const std::string& file, const std::string& time,
                     const std::string& message = "change",
                     const std::string& author = "ada@example.com") {
    WriteFileIn(repo_, file, time + message + author);
    return CommitAll(repo_, message, time, author);
  }

  TempDir dir_;
  std::string base_;
  std::string repo_;
};

TEST_F(GitRepositoryTest, SaysWhereItIs) {
  const std::string head = Commit("src/a.go", "2026-02-25T10:00:00Z");
  const GitRepository found = Find(repo_ + "/src");
  EXPECT_EQ(found.root, repo_);
  EXPECT_EQ(found.git_dir, repo_ + "/.git");
  EXPECT_EQ(found.common_dir, repo_ + "/.git");
  EXPECT_EQ(found.worktrees, (Strings{repo_}));
  EXPECT_EQ(found.email, "ada@example.com");
  EXPECT_EQ(found.branch, "main");
  EXPECT_EQ(found.head, head);
}

// The commits by one author ("": by anyone) that were written between two times, both included.
Result<std::vector<GitCommit>> CommitsBetween(const GitRepository& repository,
                                              const std::string& branch, const std::string& author,
                                              UnixNanos from, UnixNanos to) {
  return CommitsSince(repository, branch, from, [&](const GitCommit& commit) {
    return commit.at <= to && (author.empty() || IsSameEmail(commit.author, author));
  });
}

TEST_F(GitRepositoryTest, IsNothingWhereThereIsNone) {
  std::filesystem::create_directories(base_ + "/elsewhere");
  EXPECT_EQ(Must(FindRepository(base_ + "/elsewhere")), std::nullopt);
  EXPECT_EQ(Must(FindRepository(base_ + "/missing")), std::nullopt);
}

TEST_F(GitRepositoryTest, IsNothingWithoutGit) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", base_.c_str(), 1);
  const auto found = FindRepository(repo_);
  ::setenv("PATH", path.c_str(), 1);
  EXPECT_EQ(Must(found), std::nullopt);
}

TEST_F(GitRepositoryTest, IsNothingWhereGitRefusesTheOwner) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  Commit("a", "2026-02-25T10:00:00Z");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(repo_)) {
    ASSERT_EQ(::chown(entry.path().c_str(), 12345, 12345), 0);
  }
  ASSERT_EQ(::chown(repo_.c_str(), 12345, 12345), 0);
  EXPECT_EQ(Must(FindRepository(repo_)), std::nullopt);
}

TEST_F(GitRepositoryTest, KnowsARepositoryWithoutCommits) {
  const GitRepository found = Find(repo_);
  EXPECT_EQ(found.root, repo_);
  EXPECT_EQ(found.branch, "main");
  EXPECT_EQ(found.head, "");
  EXPECT_TRUE(Must(CommitsBetween(found, "main", "", 0, INT64_MAX)).empty());
  EXPECT_EQ(ReadCommit(found, "HEAD").error().code(), StatusCode::kInvalidArgument);
}

TEST_F(GitRepositoryTest, KnowsADetachedHead) {
  const std::string head = Commit("a", "2026-02-25T10:00:00Z");
  GitIn(repo_, {"checkout", "-q", "--detach"});
  const GitRepository found = Find(repo_);
  EXPECT_EQ(found.branch, "");
  EXPECT_EQ(found.head, head);
  EXPECT_EQ(Must(CommitsBetween(found, "", "", 0, INT64_MAX)).size(), 1U);
}

TEST_F(GitRepositoryTest, KnowsABareRepository) {
  const std::string head = Commit("a", "2026-02-25T10:00:00Z");
  GitIn(base_, {"clone", "-q", "--bare", repo_, base_ + "/bare.git"});
  const GitRepository found = Find(base_ + "/bare.git");
  EXPECT_EQ(found.root, "");
  EXPECT_EQ(found.git_dir, base_ + "/bare.git");
  EXPECT_TRUE(found.worktrees.empty());
  EXPECT_EQ(found.branch, "main");
  EXPECT_EQ(found.head, head);
  EXPECT_EQ(Must(ReadCommit(found, "HEAD")).sha, head);
}

TEST_F(GitRepositoryTest, KnowsLinkedWorkTrees) {
  Commit("src/a.go", "2026-02-25T10:00:00Z");
  const std::string linked = base_ + "/linked one\nü";
  GitIn(repo_, {"worktree", "add", "-q", "-b", "side", linked});
  const GitRepository from_main = Find(repo_);
  EXPECT_EQ(from_main.worktrees, (Strings{linked, repo_}));
  const GitRepository found = Find(linked + "/src");
  EXPECT_EQ(found.root, linked);
  EXPECT_EQ(found.common_dir, repo_ + "/.git");
  EXPECT_EQ(found.branch, "side");
  EXPECT_EQ(found.head, from_main.head);
  EXPECT_EQ(found.worktrees, (Strings{linked, repo_}));
  EXPECT_EQ(PathInRepository(from_main, linked + "/src/a.go"), "src/a.go");
}

TEST_F(GitRepositoryTest, KnowsSubmodules) {
  Commit("a", "2026-02-25T10:00:00Z");
  const std::string outer = base_ + "/outer";
  MakeGitRepository(outer);
  GitIn(outer, {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", repo_, "sub"});
  const GitRepository found = Find(outer + "/sub");
  EXPECT_EQ(found.root, outer + "/sub");
  EXPECT_EQ(found.git_dir, outer + "/.git/modules/sub");
  EXPECT_EQ(found.branch, "main");
}

TEST_F(GitRepositoryTest, ReadsRepositoriesOfSha256) {
  const std::string other = base_ + "/sha256";
  MakeGitRepository(other, "sha256");
  WriteFileIn(other, "x", "x");
  const std::string head = CommitAll(other, "first", "2026-02-25T10:00:00Z");
  ASSERT_EQ(head.size(), 64U);
  const GitRepository found = Find(other);
  EXPECT_EQ(found.head, head);
  EXPECT_EQ(Must(ReadCommit(found, head.substr(0, 10))).files, (Strings{"x"}));
}

TEST_F(GitRepositoryTest, IsNotMisledByTheVariablesOfAHook) {
  const std::string head = Commit("a", "2026-02-25T10:00:00Z");
  const std::string other = base_ + "/other";
  MakeGitRepository(other);
  ::setenv("GIT_DIR", (other + "/.git").c_str(), 1);
  ::setenv("GIT_WORK_TREE", other.c_str(), 1);
  ::setenv("GIT_INDEX_FILE", "/nowhere/index", 1);
  const GitRepository found = Find(repo_);
  const Result<GitCommit> commit = ReadCommit(found, "HEAD");
  ::unsetenv("GIT_DIR");
  ::unsetenv("GIT_WORK_TREE");
  ::unsetenv("GIT_INDEX_FILE");
  EXPECT_EQ(found.root, repo_);
  EXPECT_EQ(Must(commit).sha, head);
}

TEST_F(GitRepositoryTest, PrefersTheEmailOfTheAuthor) {
  GitIn(repo_, {"config", "author.email", "author@example.com"});
  EXPECT_EQ(Find(repo_).email, "author@example.com");
  GitIn(repo_, {"config", "--unset", "author.email"});
  GitIn(repo_, {"config", "--unset", "user.email"});
  EXPECT_EQ(Find(repo_).email, "");
}

TEST_F(GitRepositoryTest, PathsAreRelativeToTheWorkTree) {
  WriteFileIn(repo_, "src/a.go", "x");
  std::filesystem::create_directory_symlink(repo_, base_ + "/link");
  const GitRepository found = Find(repo_);
  EXPECT_EQ(PathInRepository(found, repo_), "");
  EXPECT_EQ(PathInRepository(found, repo_ + "/"), "");
  EXPECT_EQ(PathInRepository(found, repo_ + "/src/../src/gone.go"), "src/gone.go");
  EXPECT_EQ(PathInRepository(found, base_ + "/link/src/a.go"), "src/a.go");
  EXPECT_EQ(PathInRepository(found, repo_ + "2/src/a.go"), std::nullopt);
  EXPECT_EQ(PathInRepository(found, repo_ + "/../x"), std::nullopt);
  EXPECT_EQ(PathInRepository(found, "src/a.go"), std::nullopt);
}

TEST_F(GitRepositoryTest, ReadsAFirstCommitAndOneWithoutFiles) {
  WriteFileIn(repo_, "a b\nü.txt", "x");
  WriteFileIn(repo_, "\nb", "x");
  const std::string first = Commit("c", "2026-02-25T10:00:00Z", "first", "eve@example.com");
  const std::string empty = CommitAll(repo_, "empty", "2026-02-25T10:00:01+02:00");
  const GitRepository found = Find(repo_);
  const GitCommit commit = Must(ReadCommit(found, "HEAD~1"));
  EXPECT_EQ(commit.sha, first);
  EXPECT_EQ(commit.author, "eve@example.com");
  EXPECT_EQ(commit.at, TimeOf("2026-02-25T10:00:00Z"));
  EXPECT_EQ(commit.files, (Strings{"\nb", "a b\nü.txt", "c"}));
  const GitCommit second = Must(ReadCommit(found, empty));
  EXPECT_EQ(second.at, TimeOf("2026-02-25T08:00:01Z"));
  EXPECT_TRUE(second.files.empty());
}

TEST_F(GitRepositoryTest, ComparesAMergeWithItsFirstParent) {
  Commit("a", "2026-02-25T10:00:00Z");
  GitIn(repo_, {"checkout", "-q", "-b", "side"});
  Commit("b", "2026-02-25T10:00:01Z");
  GitIn(repo_, {"checkout", "-q", "main"});
  Commit("c", "2026-02-25T10:00:02Z");
  GitIn(repo_, {"merge", "-q", "--no-edit", "side"}, {"GIT_AUTHOR_EMAIL=ada@example.com"});
  const GitCommit merge = Must(ReadCommit(Find(repo_), "HEAD"));
  EXPECT_TRUE(merge.is_merge);
  EXPECT_EQ(merge.files, (Strings{"b"}));
}

TEST_F(GitRepositoryTest, RefusesWhatNamesNoCommit) {
  Commit("a", "2026-02-25T10:00:00Z");
  Commit("b", "2026-02-25T10:00:01Z");
  const GitRepository found = Find(repo_);
  for (const char* revision : {"nothing", "", "--all", "HEAD~1..HEAD", "^HEAD", "HEAD:a", "a"}) {
    const Result<GitCommit> commit = ReadCommit(found, revision);
    ASSERT_FALSE(commit.has_value()) << revision;
    EXPECT_EQ(commit.error().code(), StatusCode::kInvalidArgument) << revision;
  }
}

TEST_F(GitRepositoryTest, ReadsSessionsFromTrailersAndNotes) {
  Commit("a", "2026-02-25T10:00:00Z",
         "change\n\nSession: is no trailer here 11111111-aaaa\n\n"
         "Claude-Session: https://host/code/session_01R5HnfdYMw\nentire-session: "
         "2026-02-18-9f93d8d0-3b7d\nSession-Id: s1\nReviewed-by: 22222222-bbbb");
  GitIn(repo_,
        {"notes", "--ref=refs/notes/ai", "add", "-m",
         "a.go\n  abcd1234abcd1234 1-5\n---\n{\"prompts\":{\"agent_id\":"
         "{\"tool\":\"cursor\",\"id\":\"7f3a4b2c-9d1e-8a7b\"}}}",
         "HEAD"},
        {"GIT_AUTHOR_EMAIL=a@b"});
  const std::vector<std::string> ids = Must(ReadCommit(Find(repo_), "HEAD")).session_ids;
  const auto has = [&](const std::string& id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
  };
  EXPECT_TRUE(has("session_01R5HnfdYMw"));
  EXPECT_TRUE(has("9f93d8d0-3b7d"));
  EXPECT_TRUE(has("s1"));
  EXPECT_TRUE(has("7f3a4b2c-9d1e-8a7b"));
  EXPECT_FALSE(has("11111111-aaaa"));
  EXPECT_FALSE(has("22222222-bbbb"));
}

TEST_F(GitRepositoryTest, CommitsBetweenAreThoseOfBranchAuthorAndTime) {
  const std::string first = Commit("a", "2026-02-25T10:00:00Z");
  const std::string second = Commit("a", "2026-02-25T11:00:00Z");
  const std::string same_time = Commit("a", "2026-02-25T11:00:00Z", "again");
  Commit("a", "2026-02-25T11:30:00Z", "other", "bob@example.com");
  Commit("a", "2026-02-25T12:00:00Z");
  GitIn(repo_, {"checkout", "-q", "-b", "side", first});
  const std::string side = Commit("s", "2026-02-25T11:00:00Z");
  const GitRepository found = Find(repo_);
  const auto ids = [&](const std::string& branch, const char* from, const char* to) {
    std::vector<std::string> shas;
    for (const GitCommit& commit :
         Must(CommitsBetween(found, branch, "ADA@example.com", TimeOf(from), TimeOf(to)))) {
      shas.push_back(commit.sha);
    }
    return shas;
  };
  EXPECT_EQ(ids("main", "2026-02-25T10:00:00.9Z", "2026-02-25T11:59:59Z"),
            (Strings{first, second, same_time}));
  EXPECT_EQ(ids("main", "2026-02-25T10:00:01Z", "2026-02-25T11:00:00Z"),
            (Strings{second, same_time}));
  EXPECT_EQ(ids("side", "2026-02-25T10:00:01Z", "2026-02-25T12:00:00Z"), (Strings{side}));
  // A branch that is gone, and names that git would take for something else.
  for (const char* name : {"gone", "main..side", "side:s", "", "--all"}) {
    EXPECT_EQ(ids(name, "2026-02-25T10:00:01Z", "2026-02-25T12:00:00Z"), (Strings{side})) << name;
  }
}

TEST_F(GitRepositoryTest, ARebasedCommitKeepsItsTime) {
  Commit("a", "2026-02-25T10:00:00Z");
  Commit("b", "2026-02-25T11:00:00Z");
  GitIn(repo_, {"commit", "-q", "--amend", "--no-edit"},
        {"GIT_COMMITTER_DATE=2026-03-01T00:00:00Z"});
  EXPECT_EQ(Must(CommitsBetween(Find(repo_), "main", "", TimeOf("2026-02-25T10:30:00Z"),
                                TimeOf("2026-02-25T11:30:00Z")))
                .size(),
            1U);
}

// --- commits of sessions ---

SessionInGit SessionOf(const std::string& id, const char* from, const char* to,
                       std::vector<std::string> files) {
  return {id, "main", TimeOf(from), TimeOf(to), std::move(files)};
}

TEST_F(GitRepositoryTest, GivenCommitsAreTheCommits) {
  const std::string first = Commit("a", "2026-02-25T10:00:00Z");
  const std::string second = Commit("b", "2026-02-25T11:00:00Z");
  const GitRepository found = Find(repo_);
  SessionCommitFinder finder(found);
  const std::vector<GitCommit> given = {Must(ReadCommit(found, "HEAD~1"))};
  const SessionCommits commits = Must(
      finder.Find(SessionOf("s", "2026-02-25T10:30:00Z", "2026-02-25T11:30:00Z", {"b"}), given));
  EXPECT_EQ(commits.commits,
            (std::vector<SessionCommit>{SessionCommit{first, CommitGrade::kExplicit}}));
  EXPECT_EQ(commits.commit, first);
  EXPECT_EQ(commits.files, (Strings{"a"}));
}

TEST_F(GitRepositoryTest, ATrailerIsBetterThanWhatCanBeInferred) {
  Commit("a", "2026-02-25T10:00:00Z");
  const std::string named =
      Commit("x", "2026-02-25T11:00:00Z", "by the agent\n\nRecall-Session: s-1", "bot@example.com");
  const std::string inferred = Commit("a", "2026-02-25T11:10:00Z");
  const GitRepository found = Find(repo_);
  SessionCommitFinder finder(found);
  const SessionCommits commits = Must(
      finder.Find(SessionOf("s-1", "2026-02-25T10:30:00Z", "2026-02-25T12:00:00Z", {"a"}), {}));
  EXPECT_EQ(commits.commits,
            (std::vector<SessionCommit>{SessionCommit{named, CommitGrade::kTrailer}}));
  const SessionCommits other = Must(
      finder.Find(SessionOf("s-2", "2026-02-25T10:30:00Z", "2026-02-25T12:00:00Z", {"a"}), {}));
  EXPECT_EQ(other.commits,
            (std::vector<SessionCommit>{SessionCommit{inferred, CommitGrade::kInferred}}));
  EXPECT_EQ(other.commit, inferred);
  EXPECT_EQ(other.files, (Strings{"a"}));
}

TEST_F(GitRepositoryTest, NothingIsInferredWithoutACommonFileOrAnAuthor) {
  Commit("a", "2026-02-25T11:00:00Z");
  GitRepository found = Find(repo_);
  const SessionInGit session =
      SessionOf("s", "2026-02-25T10:30:00Z", "2026-02-25T12:00:00Z", {"a"});
  SessionInGit elsewhere = session;
  elsewhere.files = {"b"};
  SessionCommitFinder finder(found);
  EXPECT_EQ(Must(finder.Find(elsewhere, {})), SessionCommits());
  EXPECT_EQ(Must(finder.Find(session, {})).commits.size(), 1U);
  found.email = "";
  SessionCommitFinder without_author(found);
  EXPECT_EQ(Must(without_author.Find(session, {})), SessionCommits());
}

// The finder reads a branch in parts; the outcome is that of reading it for each session.
TEST_F(GitRepositoryTest, ManySessionsInAnyOrderGetTheCommitsThatEachWouldGetAlone) {
  std::mt19937 random(static_cast<uint32_t>(TestSeed(20260225)));
  const auto below = [&](uint32_t n) { return static_cast<int64_t>(random() % n); };
  std::string stream = "reset refs/heads/main\n";
  for (int i = 0; i < 200; ++i) {
    const std::string file = "f" + std::to_string(below(6));
    const std::string text = std::to_string(i);
    const std::string who = below(3) == 0 ? "bob@example.com" : "ada@example.com";
    const std::string when = std::to_string(1'700'000'000 + i * 400'000) + " +0000";
    const std::string message =
        below(10) == 0 ? "m\n\nSession-Id: s" + std::to_string(below(40)) : "m";
    stream += "commit refs/heads/main\nauthor A <" + who + "> " + when + "\ncommitter A <" + who +
              "> " + when + "\ndata " + std::to_string(message.size()) + "\n" + message +
              "\nM 100644 inline " + file + "\ndata " + std::to_string(text.size()) + "\n" + text +
              "\n";
  }
  WriteFileIn(base_, "stream", stream);
  OutputOf("git -C " + QuotedWord(repo_) + " fast-import --quiet < " +
           QuotedWord(base_ + "/stream"));
  const GitRepository found = Find(repo_);
  SessionCommitFinder finder(found);
  for (int i = 0; i < 40; ++i) {
    SessionInGit session;
    session.id = "s" + std::to_string(i);
    session.branch = "main";
    session.from = (1'700'000'000 + below(80'000'000)) * 1'000'000'000;
    session.to = session.from + below(4'000'000) * 1'000'000'000;
    session.files = {"f" + std::to_string(below(6)), "f" + std::to_string(below(6))};
    SessionCommitFinder alone(found);
    const SessionCommits actual = Must(finder.Find(session, {}));
    EXPECT_TRUE(actual == Must(alone.Find(session, {}))) << session.id;
    // What is inferred, by the plain rule.
    if (!actual.commits.empty() && actual.commits[0].grade == CommitGrade::kTrailer) continue;
    std::vector<std::string> plain;
    for (const GitCommit& commit :
         Must(CommitsBetween(found, "main", "ada@example.com", session.from, session.to))) {
      if (std::find(session.files.begin(), session.files.end(), commit.files[0]) !=
          session.files.end()) {
        plain.push_back(commit.sha);
      }
    }
    EXPECT_EQ(actual.commit, plain.empty() ? "" : plain.back());
    EXPECT_EQ(actual.commits.size(), plain.size());
  }
}

}  // namespace
}  // namespace recall
