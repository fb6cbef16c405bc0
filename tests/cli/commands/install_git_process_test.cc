// `recall install git` and `recall uninstall git`: the hooks of real repositories, run by git.

#include <fcntl.h>
#include <poll.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/cli/recall_process.h"
#include "tests/git_sandbox.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

class InstallGitTest : public RecallTest {
 protected:
  InstallGitTest() {
    work_ = Path("work tree");
    MakeGitRepository(work_);
    EXPECT_EQ(At({"init"}).exit, 0);
  }

  std::map<std::string, std::string> Variables() {
    std::map<std::string, std::string> variables(GitSandboxVariables().begin(),
                                                 GitSandboxVariables().end());
    variables["PATH"] = fs::path(RecallBinary()).parent_path().string() + ":/usr/bin:/bin";
    return variables;
  }
  RunResult At(std::vector<std::string> args, std::string directory = {}) {
    if (directory.empty()) directory = work_;
    return Run(std::move(args), {.directory = std::move(directory), .env = Variables()});
  }

  std::string Hook(const std::string& name) { return work_ + "/.git/hooks/" + name; }
  void WriteHook(const std::string& name, const std::string& text, mode_t mode = 0755) {
    WriteFileIn(work_, ".git/hooks/" + name, text);
    ASSERT_EQ(::chmod(Hook(name).c_str(), mode), 0);
  }
  static std::string Bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static mode_t ModeOf(const std::string& path) {
    struct stat info {};
    EXPECT_EQ(::stat(path.c_str(), &info), 0) << path;
    return info.st_mode & 07777;
  }
  // The files of the repository but its objects, references and logs.
  std::map<std::string, std::string> Settings() {
    std::map<std::string, std::string> files;
    for (const char* place : {"/.git/hooks", "/.git/info"}) {
      for (const auto& entry : fs::recursive_directory_iterator(work_ + place)) {
        if (!entry.is_regular_file()) continue;
        files[entry.path()] = Bytes(entry.path()) + std::to_string(ModeOf(entry.path()));
      }
    }
    files["config"] = Bytes(work_ + "/.git/config");
    return files;
  }

  // Puts a program `recall` before all others that says what it is given: its arguments, and its
  // standard input, into the file that Said reads; that of `add` is another one.
  std::string Recorder() {
    Write("bin/recall", "#!/bin/sh\ncase $1 in add) to=" + QuotedWord(Path("added")) +
                            ";; *) to=" + QuotedWord(Path("said")) +
                            ";; esac\n{ printf '%s\\n' \"$@\"; cat; } > \"$to\"\n");
    EXPECT_EQ(::chmod(Path("bin/recall").c_str(), 0755), 0);
    for (const char* fifo : {"said", "added"}) {
      EXPECT_EQ(::mkfifo(Path(fifo).c_str(), 0600), 0);
    }
    return "PATH=" + Path("bin") + ":/usr/bin:/bin";
  }
  // Waits for the program in the background, for twenty seconds at most.
  std::string Said(const std::string& name = "said") {
    const int fifo = ::open(Path(name).c_str(), O_RDONLY | O_NONBLOCK);
    std::string said;
    pollfd polled = {fifo, POLLIN, 0};
    char buffer[4096];
    while (::poll(&polled, 1, 20'000) > 0) {
      const ssize_t count = ::read(fifo, buffer, sizeof(buffer));
      if (count <= 0) break;
      said.append(buffer, static_cast<size_t>(count));
    }
    ::close(fifo);
    return said;
  }

  std::string Commit(const std::string& message, const std::vector<std::string>& more,
                     const std::vector<std::string>& variables) {
    std::vector<std::string> arguments = {"commit", "-q", "--allow-empty", "-m", message};
    arguments.insert(arguments.end(), more.begin(), more.end());
    std::vector<std::string> all = {"GIT_AUTHOR_EMAIL=ada@example.com"};
    all.insert(all.end(), variables.begin(), variables.end());
    return GitIn(work_, arguments, all);
  }
  std::string Head() { return GitIn(work_, {"rev-parse", "HEAD"}); }

  std::string work_;
};

TEST_F(InstallGitTest, ASecondTimeChangesNothingAndUninstallRestoresEverything) {
  WriteHook("post-commit", "#!/bin/bash\necho mine\nexit 0", 0700);
  const auto before = Settings();
  const RunResult dry = At({"install", "git", "--push", "--dry-run"});
  EXPECT_EQ(dry.exit, 0) << dry;
  EXPECT_NE(dry.out.find("+# >>> recall install git >>>"), std::string::npos) << dry.out;
  EXPECT_EQ(Settings(), before);

  EXPECT_EQ(At({"install", "git", "--push"}).exit, 0);
  const auto installed = Settings();
  EXPECT_EQ(ModeOf(Hook("post-commit")), 0700U);
  EXPECT_EQ(ModeOf(Hook("post-rewrite")) & 0100U, 0100U);
  const RunResult again = At({"install", "git", "--push"});
  EXPECT_EQ(again.exit, 0) << again;
  EXPECT_NE(again.out.find("has the lines already"), std::string::npos) << again.out;
  EXPECT_EQ(Settings(), installed);
  // Without --push the hook that is there stays.
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  EXPECT_EQ(Settings(), installed);

  EXPECT_EQ(At({"uninstall", "git"}).exit, 0);
  EXPECT_EQ(Settings(), before);
  const RunResult nothing = At({"uninstall", "git"});
  EXPECT_EQ(nothing.exit, 0) << nothing;
  EXPECT_EQ(Settings(), before);
}

TEST_F(InstallGitTest, HooksOfTheUserAreRestoredToTheByte) {
  for (const std::string hook :
       {"#!/bin/sh\n", "#!/bin/sh", "", "echo no line of its own\n",
        "#!/usr/bin/env -S bash -e\r\n", "#!/bin/sh\r\necho crlf\r\nexit 0\r\n",
        "#! /bin/dash -e\n\n\nexit 1", "\n"}) {
    WriteHook("post-commit", hook);
    const auto before = Settings();
    EXPECT_EQ(At({"install", "git"}).exit, 0) << hook;
    EXPECT_NE(Settings(), before);
    EXPECT_EQ(At({"uninstall", "git"}).exit, 0) << hook;
    EXPECT_EQ(Settings(), before) << hook;
  }
}

TEST_F(InstallGitTest, WhatWasAddedToAFileOfOursStays) {
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  std::ofstream(Hook("post-commit"), std::ios::app) << "echo mine\n";
  EXPECT_EQ(At({"uninstall", "git"}).exit, 0);
  EXPECT_EQ(Bytes(Hook("post-commit")), "#!/bin/sh\necho mine\n");
  EXPECT_FALSE(fs::exists(Hook("post-rewrite")));
}

TEST_F(InstallGitTest, HooksThatAreNoShellScriptsAreRefused) {
  const auto refused = [&](const std::string& why) {
    const auto before = Settings();
    const RunResult result = At({"install", "git"});
    EXPECT_EQ(result.exit, 4) << result;
    EXPECT_NE(result.err.find(why), std::string::npos) << result;
    EXPECT_EQ(Settings(), before);
  };
  WriteHook("post-rewrite", "#!/usr/bin/env python3\nprint('mine')\n");
  refused("is no shell script (#!/usr/bin/env python3)");
  WriteHook("post-rewrite", std::string("\x7f"
                                        "ELF\0\0",
                                        6));
  refused("is a program");
  WriteHook("post-rewrite", "#!/bin/sh\n", 0644);
  refused("is not executable");
  fs::remove(Hook("post-rewrite"));
  WriteFileIn(work_, "tools/hook", "#!/bin/sh\n");
  fs::create_symlink(work_ + "/tools/hook", Hook("post-rewrite"));
  refused("is a link");
  EXPECT_EQ(Bytes(work_ + "/tools/hook"), "#!/bin/sh\n");
}

TEST_F(InstallGitTest, TheStoreIsExcluded) {
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  WriteFileIn(work_, "recall.db-wal", "x");
  EXPECT_EQ(GitIn(work_, {"status", "--porcelain"}), "");
  // A name with characters that mean something in a list of patterns.
  const std::string other = Path("other");
  MakeGitRepository(other);
  EXPECT_EQ(At({"init", "a [b] *.db"}, other).exit, 0);
  EXPECT_EQ(At({"install", "git", "--store", "a [b] *.db"}, other).exit, 0);
  WriteFileIn(other, "a b c.db", "x");
  EXPECT_EQ(GitIn(other, {"status", "--porcelain"}), "?? \"a b c.db\"");
}

TEST_F(InstallGitTest, AStoreElsewhereIsNotExcluded) {
  EXPECT_EQ(At({"init", Path("elsewhere.db")}).exit, 0);
  const std::string exclude = Bytes(work_ + "/.git/info/exclude");
  EXPECT_EQ(At({"install", "git", "--store", Path("elsewhere.db")}).exit, 0);
  EXPECT_EQ(Bytes(work_ + "/.git/info/exclude"), exclude);
  EXPECT_NE(Bytes(Hook("post-commit")).find("--store " + Path("elsewhere.db")), std::string::npos);
}

TEST_F(InstallGitTest, TheDirectoryOfTheSettingsIsRespected) {
  GitIn(work_, {"config", "core.hooksPath", ".myhooks"});
  EXPECT_EQ(At({"install", "git"}, work_).exit, 0);
  EXPECT_TRUE(fs::exists(work_ + "/.myhooks/post-commit"));
  EXPECT_FALSE(fs::exists(Hook("post-commit")));
  EXPECT_EQ(At({"uninstall", "git"}).exit, 0);
  EXPECT_FALSE(fs::exists(work_ + "/.myhooks/post-commit"));
  // From a linked work tree the hooks are the same.
  GitIn(work_, {"config", "--unset", "core.hooksPath"});
  Commit("first", {}, {});
  GitIn(work_, {"worktree", "add", "-q", Path("linked")});
  EXPECT_EQ(At({"install", "git", "--store", work_ + "/recall.db"}, Path("linked")).exit, 0);
  EXPECT_TRUE(fs::exists(Hook("post-commit")));
}

// A directory of hooks outside of the repository may serve other ones.
TEST_F(InstallGitTest, HooksThatMayBeSharedAreNamed) {
  fs::create_directories(Path("shared"));
  GitIn(work_, {"config", "core.hooksPath", Path("shared")});
  const RunResult by_setting = At({"install", "git", "--dry-run"}, work_);
  EXPECT_NE(by_setting.err.find(Path("shared") + " (core.hooksPath) may serve other"),
            std::string::npos)
      << by_setting;
  GitIn(work_, {"config", "--unset", "core.hooksPath"});
  EXPECT_EQ(At({"install", "git", "--dry-run"}, work_).err.find("may serve"), std::string::npos);
  fs::remove_all(work_ + "/.git/hooks");
  fs::create_directory_symlink(Path("shared"), work_ + "/.git/hooks");
  const RunResult by_link = At({"install", "git", "--dry-run"}, work_);
  EXPECT_NE(by_link.err.find(" is a link to it) may serve other"), std::string::npos) << by_link;
}

TEST_F(InstallGitTest, ACommitIsCaptured) {
  const std::string path = Recorder();
  // Ours comes first, so that the hook may end anywhere, and what it is left with is as before.
  WriteHook("post-commit", "#!/bin/sh -eu\nprintf '%s.' \"$#\" > ran\nexit 7\n");
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  EXPECT_EQ(Commit("first", {}, {path}), "");
  EXPECT_EQ(Said(), "capture\n--quiet\n--commit\n" + Head() + "\n");
  EXPECT_EQ(Bytes(work_ + "/ran"), "0.");
}

TEST_F(InstallGitTest, AnAmendedCommitIsMapped) {
  WriteHook("post-rewrite", "#!/bin/sh\necho \"$1\" > ran\ncat >> ran\n");
  Commit("first", {}, {});
  const std::string before = Head();
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  fs::remove(Hook("post-commit"));
  const std::string path = Recorder();
  Commit("second", {"--amend"}, {path});
  const std::string pairs = before + " " + Head() + "\n";
  EXPECT_EQ(Said(), "capture\n--quiet\n--rewritten\n" + pairs);
  // The hook of the user reads the same.
  EXPECT_EQ(Bytes(work_ + "/ran"), "amend\n" + pairs);
}

TEST_F(InstallGitTest, ARebaseIsMappedAtItsEndOnly) {
  WriteFileIn(work_, "a", "a");
  CommitAll(work_, "first", "2026-02-25T10:00:00Z");
  GitIn(work_, {"checkout", "-q", "-b", "side"});
  WriteFileIn(work_, "b", "b");
  CommitAll(work_, "second", "2026-02-25T10:00:01Z");
  const std::string before = Head();
  GitIn(work_, {"checkout", "-q", "main"});
  WriteFileIn(work_, "c", "c");
  CommitAll(work_, "third", "2026-02-25T10:00:02Z");
  GitIn(work_, {"checkout", "-q", "side"});
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  const std::string path = Recorder();
  GitIn(work_, {"rebase", "-q", "main"}, {path});
  EXPECT_EQ(Said(), "capture\n--quiet\n--rewritten\n" + before + " " + Head() + "\n");
  EXPECT_EQ(Said("added"), "add\n--quiet\n--known\n.\n");
}

TEST_F(InstallGitTest, APushPushesSessionsUnlessRecallPushes) {
  GitIn(Path(""), {"init", "-q", "--bare", "remote.git"});
  GitIn(work_, {"remote", "add", "upstream", Path("remote.git")});
  Commit("first", {}, {});
  EXPECT_EQ(At({"install", "git", "--push"}).exit, 0);
  const std::string path = Recorder();
  GitIn(work_, {"push", "-q", "upstream", "main"}, {path});
  EXPECT_EQ(Said(), "push\n--quiet\n--remote\nupstream\n");
  // Nobody reads what the program says now: it would wait for ever if it were started.
  GitIn(work_, {"push", "-q", "upstream", "main:other"}, {path, "RECALL_PUSH=1"});
}

// The whole way: an agent's transcript, a commit, the session with the commit; then the commit is
// amended.
TEST_F(InstallGitTest, TheSessionOfACommitGetsIt) {
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  Write("home/.claude/projects/work/5f3c.jsonl",
        nlohmann::json({{"type", "user"},
                        {"uuid", "1"},
                        {"sessionId", "5f3c"},
                        {"timestamp", "2026-02-25T10:00:00Z"},
                        {"cwd", work_},
                        {"message", {{"role", "user"}, {"content", "Why does the login fail?"}}}})
                .dump() +
            "\n");
  Write("bin/recall", "#!/bin/sh\n" + QuotedWord(RecallBinary()) + " \"$@\"\necho $? > " +
                          QuotedWord(Path("said")) + "\n");
  EXPECT_EQ(::chmod(Path("bin/recall").c_str(), 0755), 0);
  EXPECT_EQ(::mkfifo(Path("said").c_str(), 0600), 0);
  const std::vector<std::string> variables = {"PATH=" + Path("bin") + ":/usr/bin:/bin",
                                              "HOME=" + Path("home")};
  const auto commits = [&] { return At({"query", "SELECT doc.session.commits FROM doc"}).out; };
  Commit("first", {}, variables);
  EXPECT_EQ(Said(), "0\n");
  EXPECT_NE(commits().find(Head()), std::string::npos) << commits();
  const std::string before = Head();
  Commit("second", {"--amend"}, variables);
  EXPECT_EQ(Said() + Said(), "0\n0\n");
  EXPECT_NE(commits().find(Head()), std::string::npos) << commits();
  EXPECT_EQ(commits().find(before), std::string::npos) << commits();
}

// From a linked work tree the store is that of the main one, unless it has its own.
TEST_F(InstallGitTest, LinkedWorkTreesHaveTheStoreOfTheMainOne) {
  Commit("first", {}, {});
  const std::string linked = Path("linked");
  GitIn(work_, {"worktree", "add", "-q", linked});
  fs::create_directories(linked + "/below");
  const RunResult found = At({"stats"}, linked + "/below");
  EXPECT_EQ(found.exit, 0) << found;
  EXPECT_EQ(At({"install", "git"}, linked).exit, 0);
  EXPECT_TRUE(fs::exists(Hook("post-commit")));
  // A file .git that came from elsewhere is not believed: the repository does not know it.
  WriteFileIn(Path("foreign"), ".git", Bytes(linked + "/.git"));
  EXPECT_EQ(At({"stats"}, Path("foreign")).exit, 3);
  EXPECT_EQ(At({"init"}, linked).exit, 0);
  WriteFileIn(linked, "a.txt", "alpha\n");
  EXPECT_EQ(At({"add", "a.txt"}, linked).exit, 0);
  EXPECT_EQ(At({"ls"}, work_).out, "");
}

TEST_F(InstallGitTest, ACommitSucceedsWithoutRecall) {
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  EXPECT_EQ(Commit("first", {}, {"PATH=/usr/bin:/bin"}), "");
  EXPECT_EQ(Commit("second", {"--amend"}, {"PATH=/usr/bin:/bin"}), "");
}

TEST_F(InstallGitTest, ACommitSucceedsWhileTheStoreIsLocked) {
  Write("work tree/recall.toml", "busy_timeout_ms = 1\n");
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  sqlite3* store = nullptr;
  ASSERT_EQ(sqlite3_open((work_ + "/recall.db").c_str(), &store), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(store, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  EXPECT_EQ(Commit("first", {}, {"PATH=" + Variables()["PATH"]}), "");
  EXPECT_EQ(GitIn(work_, {"log", "--format=%s"}), "first");
  sqlite3_close(store);
}

// A store that is brought up to date with the files of the branch. The hooks of the user wait for
// what ours have started, so that git ends after it.
class FilesOfBranchTest : public InstallGitTest {
 protected:
  FilesOfBranchTest() {
    WriteFileIn(work_, ".git/info/exclude", "/recall.db*\n");
    WriteFileIn(work_, "kept.md", "The heron stands.\n");
    WriteFileIn(work_, "changed.md", "The heron flies.\n");
    WriteFileIn(work_, "old/deleted.md", "The heron eats.\n");
    CommitAll(work_, "main", "2026-02-25T10:00:00Z");
    Git({"checkout", "-q", "-b", "side"});
    WriteFileIn(work_, "changed.md", "The crane flies.\n");
    fs::remove_all(work_ + "/old");
    WriteFileIn(work_, "fresh/new.md", "The stork nests.\n");
    CommitAll(work_, "side", "2026-02-25T10:00:01Z");
    Git({"checkout", "-q", "main"});
    for (const char* name : {"post-checkout", "post-merge", "post-rewrite", "post-commit"}) {
      WriteHook(name, "#!/bin/sh\nwait\n");
    }
  }
  void InstallAndAdd() {
    EXPECT_EQ(At({"install", "git"}).exit, 0);
    EXPECT_EQ(At({"add", "."}).exit, 0);
  }
  std::string Git(const std::vector<std::string>& arguments) {
    return GitIn(work_, arguments, {"PATH=" + Variables()["PATH"], "HOME=" + Path("home")});
  }
  // The text of the store, whatever the file says.
  std::string Text(const std::string& path) { return At({"get", "--no-check", path}).out; }

  void ExpectMain() {
    EXPECT_EQ(Text("kept.md"), "The heron stands.\n");
    EXPECT_EQ(Text("changed.md"), "The heron flies.\n");
    EXPECT_EQ(Text("old/deleted.md"), "The heron eats.\n");
    EXPECT_EQ(Text("fresh/new.md"), "");
  }
  void ExpectSide() {
    EXPECT_EQ(Text("kept.md"), "The heron stands.\n");
    EXPECT_EQ(Text("changed.md"), "The crane flies.\n");
    EXPECT_EQ(Text("old/deleted.md"), "");
    EXPECT_EQ(Text("fresh/new.md"), "The stork nests.\n");
  }
};

TEST_F(FilesOfBranchTest, ACheckoutBringsTheStoreUpToDate) {
  InstallAndAdd();
  ExpectMain();
  EXPECT_EQ(Git({"checkout", "-q", "side"}), "");
  ExpectSide();
  EXPECT_EQ(Git({"switch", "-q", "main"}), "");
  ExpectMain();
}

// A branch that has none of the files empties the store, and the next one fills it again.
TEST_F(FilesOfBranchTest, ABranchWithoutTheFilesIsNoEnd) {
  Git({"checkout", "-q", "--orphan", "pages"});
  Git({"rm", "-rqf", "."});
  WriteFileIn(work_, "index.txt", "Nothing here.\n");
  CommitAll(work_, "pages", "2026-02-25T10:00:02Z");
  Git({"checkout", "-q", "main"});
  InstallAndAdd();
  Git({"checkout", "-q", "pages"});
  EXPECT_EQ(At({"ls"}).out, "");
  Git({"checkout", "-q", "main"});
  ExpectMain();
}

TEST_F(FilesOfBranchTest, AMergeBringsTheStoreUpToDate) {
  InstallAndAdd();
  EXPECT_EQ(Git({"merge", "-q", "side"}), "");
  ExpectSide();
}

TEST_F(FilesOfBranchTest, APullBringsTheStoreUpToDate) {
  GitIn(Path(""), {"clone", "-q", "--bare", work_, "remote.git"});
  Git({"remote", "add", "origin", Path("remote.git")});
  InstallAndAdd();
  Git({"pull", "-q", "--ff-only", "origin", "side"});
  ExpectSide();
}

TEST_F(FilesOfBranchTest, ACheckoutOfFilesDoesNothing) {
  InstallAndAdd();
  Git({"checkout", "-q", "side", "--", "changed.md", "fresh/new.md"});
  ExpectMain();
}

TEST_F(FilesOfBranchTest, ARebaseBringsTheStoreUpToDate) {
  // Forwards, without a commit to rewrite.
  Git({"branch", "behind"});
  Git({"checkout", "-q", "-b", "other"});
  WriteFileIn(work_, "other.md", "The egret.\n");
  CommitAll(work_, "other", "2026-02-25T10:00:02Z");
  Git({"checkout", "-q", "behind"});
  InstallAndAdd();
  Git({"rebase", "-q", "side"});
  ExpectSide();
  Git({"checkout", "-q", "other"});
  EXPECT_EQ(Text("other.md"), "The egret.\n");
  Git({"rebase", "-q", "side"});
  ExpectSide();
  EXPECT_EQ(Text("other.md"), "The egret.\n");
}

// The commit on which a rebase builds is checked out, but its files are not those of the branch.
TEST_F(FilesOfBranchTest, ARebaseAddsFilesOnce) {
  Git({"checkout", "-q", "-b", "other"});
  for (const char* name : {"one.md", "two.md"}) {
    WriteFileIn(work_, name, "The egret.\n");
    CommitAll(work_, name, "2026-02-25T10:00:02Z");
  }
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  Write("bin/recall", "#!/bin/sh\necho \"$*\" >> " + QuotedWord(Path("log")) + "\n");
  EXPECT_EQ(::chmod(Path("bin/recall").c_str(), 0755), 0);
  GitIn(work_, {"rebase", "-q", "side"}, {"PATH=" + Path("bin") + ":/usr/bin:/bin"});
  const std::string log = Read("log");
  EXPECT_NE(log.find("capture --quiet --rewritten\n"), std::string::npos) << log;
  const std::string add = "add --quiet --known .\n";
  EXPECT_NE(log.find(add), std::string::npos) << log;
  EXPECT_EQ(log.find(add), log.rfind(add)) << log;
}

TEST_F(FilesOfBranchTest, FilesThatNobodyAddedStayOut) {
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  EXPECT_EQ(At({"add", "old"}).exit, 0);
  Git({"checkout", "-q", "side"});
  EXPECT_EQ(At({"ls"}).out, "");
  Git({"checkout", "-q", "main"});
  EXPECT_EQ(Text("old/deleted.md"), "The heron eats.\n");
  EXPECT_EQ(Text("kept.md"), "");
}

TEST_F(FilesOfBranchTest, NothingHappensWithoutAStoreOrDocuments) {
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  EXPECT_EQ(Git({"checkout", "-q", "side"}), "");
  EXPECT_EQ(At({"ls"}).out, "");
  fs::remove(work_ + "/recall.db");
  EXPECT_EQ(Git({"checkout", "-q", "main"}), "");
  EXPECT_EQ(Git({"merge", "-q", "side"}), "");
  EXPECT_FALSE(fs::exists(work_ + "/recall.db"));
}

TEST_F(FilesOfBranchTest, OtherWorkTreesAreNotTouched) {
  InstallAndAdd();
  Git({"worktree", "add", "-q", Path("linked"), "side"});
  ExpectMain();
  EXPECT_EQ(At({"add", "."}, Path("linked")).exit, 0);
  GitIn(Path("linked"), {"checkout", "-q", "--detach", "main"},
        {"PATH=" + Variables()["PATH"], "HOME=" + Path("home")});
  ExpectMain();
  EXPECT_EQ(Text(Path("linked") + "/changed.md"), "The heron flies.\n");
}

// Git does not wait for it, and shows nothing of it.
TEST_F(FilesOfBranchTest, TheFilesAreAddedInTheBackground) {
  WriteHook("post-checkout", "#!/bin/sh -eu\nprintf '%s.' \"$#\" > ran\n");
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  const std::string path = Recorder();
  EXPECT_EQ(GitIn(work_, {"checkout", "-q", "side"}, {path}), "");
  EXPECT_EQ(Said("added"), "add\n--quiet\n--known\n.\n");
  EXPECT_EQ(Bytes(work_ + "/ran"), "3.");
  EXPECT_EQ(GitIn(work_, {"checkout", "-q", "main"}, {"PATH=/usr/bin:/bin"}), "");
}

// A repository that has only the hooks of an older version gets the others.
TEST_F(FilesOfBranchTest, OlderHooksAreCompleted) {
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  const auto all = Settings();
  for (const char* name : {"post-checkout", "post-merge"}) {
    EXPECT_NE(Bytes(Hook(name)).find("recall add --quiet --known ."), std::string::npos);
    WriteHook(name, "#!/bin/sh\nwait\n");
  }
  EXPECT_EQ(At({"install", "git"}).exit, 0);
  EXPECT_EQ(Settings(), all);
  EXPECT_EQ(At({"uninstall", "git"}).exit, 0);
  EXPECT_EQ(Bytes(Hook("post-checkout")), "#!/bin/sh\nwait\n");
  EXPECT_EQ(Bytes(Hook("post-merge")), "#!/bin/sh\nwait\n");
}

TEST_F(InstallGitTest, ErrorsSayWhatToDo) {
  fs::create_directories(Path("plain"));
  const RunResult outside = At({"install", "git", "--store", work_ + "/recall.db"}, Path("plain"));
  EXPECT_EQ(outside.exit, 1) << outside;
  EXPECT_NE(outside.err.find("is in no git repository"), std::string::npos) << outside;
  const std::string other = Path("other");
  MakeGitRepository(other);
  const RunResult storeless = At({"install", "git"}, other);
  EXPECT_EQ(storeless.exit, 3) << storeless;
  EXPECT_NE(storeless.err.find("recall init"), std::string::npos) << storeless;
  EXPECT_EQ(At({"install", "--push", "cursor"}).exit, 2);
  EXPECT_EQ(At({"install", "--project", "git"}).exit, 2);
  WriteHook("post-commit", "#!/bin/sh\n# >>> recall install git >>>\n");
  const RunResult damaged = At({"install", "git"});
  EXPECT_EQ(damaged.exit, 2) << damaged;
  EXPECT_NE(damaged.err.find("stands alone"), std::string::npos) << damaged;
}

TEST_F(InstallGitTest, JsonSaysWhatIsDone) {
  const auto git = At({"install", "git", "--json"}).Json()["install"]["git"];
  EXPECT_EQ(git["repository"], fs::canonical(work_).string());
  const std::vector<std::string> names = {"post-commit", "post-rewrite", "post-checkout",
                                          "post-merge", "exclude"};
  ASSERT_EQ(git["files"].size(), names.size());
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(git["files"][i]["name"], names[i]);
    EXPECT_EQ(git["files"][i]["action"], "add");
  }
  const auto gone = At({"uninstall", "git", "--json"}).Json()["uninstall"]["git"];
  EXPECT_EQ(gone["files"][0]["action"], "remove");
}

}  // namespace
}  // namespace recall
