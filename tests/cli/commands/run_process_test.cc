// `recall run` and `recall runs`: jobs that are done unattended, and what is known of them later.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <memory>

#include "storage/store/store.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

using RunJson = nlohmann::ordered_json;

class RunProcessTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  RunJson Runs(const std::vector<std::string>& more = {}) {
    std::vector<std::string> args = {"runs", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()["results"];
  }
  // The counts of `run add`.
  RunJson Add(std::vector<std::string> more = {}, RunOptions options = {}) {
    more.insert(more.begin(), {"run", "--json", "add"});
    const RunResult result = Run(more, std::move(options));
    EXPECT_EQ(result.exit, 0) << result;
    return result.Json()["run"]["jobs"][0]["counts"];
  }
  bool HasDocument(const std::string& path) { return Run({"get", path}).exit == 0; }

  // Starts a run that waits for this process, and returns when it is under way.
  pid_t StartWaitingRun(const std::vector<std::string>& args) {
    writing_store_ = Must(Store::Open(Path("recall.db")));
    writing_ = Must(writing_store_->BeginWrite());
    const pid_t child = Start(args, {.env = {{"RECALL_BUSY_TIMEOUT_MS", "600000"}}});
    for (int look = 0; look < 10'000; ++look) {
      const RunJson runs = Runs({"--limit", "1"});
      if (!runs.empty() && runs[0]["status"] == "running") return child;
    }
    ADD_FAILURE() << "the run has not begun";
    return child;
  }
  void LetWrite() {
    writing_ = nullptr;
    writing_store_ = nullptr;
  }

 private:
  std::unique_ptr<Store> writing_store_;
  std::unique_ptr<WriteTransaction> writing_;
};

TEST_F(RunProcessTest, JobsAreRunInTheirOrderAndRecorded) {
  Write("a.md", "The heron stands.\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  Write("a.md", "The crane stands.\n");
  const RunResult result = Run({"run", "doctor", "capture", "add", "compact", "--json"});
  EXPECT_EQ(result.exit, 0) << result;
  const RunJson run = result.Json()["run"];
  EXPECT_EQ(run["status"], "done");
  ASSERT_EQ(run["jobs"].size(), 4u);
  const char* const order[] = {"doctor", "capture", "add", "compact"};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(run["jobs"][i]["job"], order[i]);
    EXPECT_EQ(run["jobs"][i]["status"], "done");
    EXPECT_EQ(run["jobs"][i]["exit_code"], 0);
  }
  EXPECT_EQ(run["jobs"][2]["counts"]["updated"], 1);
  EXPECT_EQ(Run({"get", "a.md"}).out, "The crane stands.\n");
  EXPECT_EQ(Runs(), RunJson::array({run}));
}

TEST_F(RunProcessTest, RunsAreListedFromTheNewestByJobAndUpToALimit) {
  const RunResult none = Run({"runs"});
  EXPECT_EQ(none.exit, 0);
  EXPECT_EQ(none.out, "");
  EXPECT_NE(none.err.find("nothing has run yet"), std::string::npos) << none;
  ASSERT_EQ(Run({"run", "compact"}).exit, 0);
  ASSERT_EQ(Run({"run", "doctor"}).exit, 0);
  ASSERT_EQ(Run({"run", "add", "compact"}).exit, 0);
  EXPECT_EQ(Runs().size(), 3u);
  EXPECT_EQ(Runs()[0]["jobs"][0]["job"], "add");
  EXPECT_EQ(Runs({"compact"}).size(), 2u);
  EXPECT_EQ(Runs({"doctor", "add"}).size(), 2u);
  EXPECT_EQ(Runs({"--limit", "1"}).size(), 1u);
  EXPECT_EQ(Run({"runs", "--json", "-n", "1"}).Json()["runs"]["total"], 3);
  EXPECT_TRUE(Runs({"capture"}).empty());
  // Without what differs from run to run.
  const std::string stable = "done\n  add\n  compact\ndone\n  doctor\ndone\n  compact\n";
  EXPECT_EQ(Run({"runs", "--stable"}).out, stable);
  EXPECT_FALSE(Run({"runs", "--stable", "--json"}).Json()["results"][0].contains("began_at"));
  // They are of this store alone.
  ASSERT_EQ(Run({"init", "other.db"}).exit, 0);
  EXPECT_TRUE(Runs({"--store", "other.db"}).empty());
}

TEST_F(RunProcessTest, AddFollowsTheFilesThatTheStoreKnows) {
  Write("docs/edited.md", "The heron stands.\n");
  Write("docs/deleted.md", "The heron flies.\n");
  Write("docs/whole/deleted.md", "The heron eats.\n");
  ASSERT_EQ(Run({"add", "docs"}).exit, 0);
  Write("docs/edited.md", "The crane stands.\n");
  Write("docs/new.md", "The stork nests.\n");
  Write("elsewhere/new.md", "The stork hunts.\n");
  fs::remove(Path("docs/deleted.md"));
  fs::remove_all(Path("docs/whole"));
  const RunJson counts = Add();
  EXPECT_EQ(counts["updated"], 1);
  EXPECT_EQ(counts["added"], 1);
  EXPECT_EQ(counts["removed"], 2);
  EXPECT_TRUE(HasDocument("docs/new.md"));
  EXPECT_FALSE(HasDocument("elsewhere/new.md"));
}

// A disk that is not mounted leaves an empty directory.
TEST_F(RunProcessTest, AnEmptyDirectoryKeepsItsDocuments) {
  Write("disk/a.md", "The heron stands.\n");
  Write("disk/sub/b.md", "The heron flies.\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  fs::rename(Path("disk/a.md"), Path("a.txt"));
  fs::remove_all(Path("disk/sub"));
  EXPECT_EQ(Add()["removed"], 0);
  EXPECT_EQ(Run({"ls"}).out.find("disk/sub/b.md") != std::string::npos, true);
  fs::remove(Path("disk"));
  EXPECT_EQ(Add()["removed"], 2);
}

TEST_F(RunProcessTest, KnownSaysWhereNewFilesAre) {
  Write("docs/a.md", "The heron stands.\n");
  fs::create_directory(Path("store"));
  const std::string store = Path("store/recall.db");
  ASSERT_EQ(Run({"init", "store"}).exit, 0);
  ASSERT_EQ(Run({"add", "--store", store, "docs"}).exit, 0);
  Write("docs/a.md", "The crane stands.\n");
  Write("docs/new.md", "The stork nests.\n");
  const RunJson beside = Add({"--store", store});
  EXPECT_EQ(beside["updated"], 1);
  EXPECT_EQ(beside["added"], 0);
  EXPECT_EQ(Add({"--store", store, "--known", "docs"})["added"], 1);
  const RunResult missing = Run({"run", "add", "--json", "--store", store, "--known", "gone"});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_EQ(missing.Json()["error"]["code"], "not_found");
  EXPECT_EQ(Runs({"--store", store})[0]["error"]["code"], "not_found");
}

TEST_F(RunProcessTest, NobodyChoseTheHomeDirectory) {
  Write("a.md", "The heron stands.\n");
  ASSERT_EQ(Run({"add", "a.md"}).exit, 0);
  Write("below/new.md", "The stork nests.\n");
  Write("a.md", "The crane stands.\n");
  const RunResult result = Run({"run", "add", "--json"}, {.env = {{"HOME", directory()}}});
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.Json()["run"]["jobs"][0]["counts"]["added"], 0);
  EXPECT_EQ(result.Json()["run"]["jobs"][0]["counts"]["updated"], 1);
  EXPECT_NE(result.Json()["warnings"][0].get<std::string>().find("--known"), std::string::npos);
}

TEST_F(RunProcessTest, ARunThatIsKilledIsShownAsInterrupted) {
  const pid_t child = StartWaitingRun({"run", "compact", "doctor"});
  ::kill(child, SIGKILL);
  EXPECT_EQ(Wait(child).signal, SIGKILL);
  const RunJson killed = Runs()[0];
  EXPECT_EQ(killed["status"], "interrupted");
  EXPECT_EQ(killed["took_ms"], nullptr);
  EXPECT_EQ(killed["exit_code"], nullptr);
  EXPECT_EQ(killed["jobs"][0]["status"], "interrupted");
  EXPECT_EQ(killed["jobs"][1]["status"], "not_run");
  EXPECT_NE(Run({"runs"}).out.find("  interrupted\n"), std::string::npos);
  // It leaves nothing that would keep the next one from running.
  LetWrite();
  EXPECT_EQ(Run({"run", "compact"}).exit, 0);
  EXPECT_EQ(Runs()[0]["status"], "done");
  EXPECT_EQ(Runs()[1]["status"], "interrupted");
}

TEST_F(RunProcessTest, WhileARunIsActiveAnotherOneIsSkipped) {
  const pid_t child = StartWaitingRun({"run", "compact"});
  const RunResult second = Run({"run", "doctor"});
  EXPECT_EQ(second.exit, 0);
  EXPECT_EQ(second.out, "skipped: another run of this store is active\n");
  const RunJson skipped = Run({"run", "doctor", "--json"}).Json()["run"];
  EXPECT_EQ(skipped["status"], "skipped");
  EXPECT_EQ(skipped["jobs"][0]["status"], "not_run");
  ASSERT_EQ(Run({"init", "other.db"}).exit, 0);
  EXPECT_EQ(Run({"run", "doctor", "--store", "other.db", "--json"}).Json()["run"]["status"],
            "done");
  LetWrite();
  EXPECT_EQ(Wait(child).exit, 0);
  const RunJson runs = Runs();
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0], skipped);
  EXPECT_EQ(runs[2]["status"], "done");
}

TEST_F(RunProcessTest, ASignalEndsARunInGoodOrder) {
  const pid_t child = StartWaitingRun({"run", "compact", "doctor"});
  ::kill(child, SIGTERM);
  EXPECT_EQ(Wait(child).exit, 130);
  const RunJson run = Runs()[0];
  EXPECT_EQ(run["status"], "cancelled");
  EXPECT_EQ(run["exit_code"], 130);
  EXPECT_EQ(run["error"]["code"], "cancelled");
  EXPECT_EQ(run["jobs"][1]["status"], "not_run");
}

TEST_F(RunProcessTest, AFailingJobIsRecordedWithItsCodeAndTheOthersAreRun) {
  Write("a.md", "The heron stands.\n");
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  Write("a.md", std::string("\x89PNG\0\xff\0\xff", 8));
  const RunResult result = Run({"run", "add", "doctor", "--max-skipped", "0"});
  EXPECT_EQ(result.exit, 2) << result;
  EXPECT_NE(result.err.find("error: add: skipped 1 file, more than the 0 of --max-skipped\n"),
            std::string::npos)
      << result;
  const RunJson run = Runs()[0];
  EXPECT_EQ(run["status"], "failed");
  EXPECT_EQ(run["exit_code"], 2);
  EXPECT_EQ(run["error"]["code"], "limit_exceeded");
  EXPECT_EQ(run["jobs"][0]["status"], "failed");
  EXPECT_EQ(run["jobs"][0]["exit_code"], 2);
  EXPECT_EQ(run["jobs"][0]["counts"]["skipped"], 1);
  EXPECT_EQ(run["jobs"][1]["status"], "done");
  EXPECT_EQ(Run({"run", "add", "--max-skipped", "1"}).exit, 0);
}

TEST_F(RunProcessTest, ADamagedStoreIsOnlyExamined) {
  Write("bad.db", "not a store");
  const RunResult result = Run({"run", "compact", "add", "doctor", "--store", "bad.db", "--json"});
  EXPECT_EQ(result.exit, 4);
  EXPECT_EQ(result.Json()["error"]["code"], "corruption");
  const RunJson jobs = Runs({"--store", "bad.db"})[0]["jobs"];
  EXPECT_EQ(jobs[0]["exit_code"], 4);
  EXPECT_EQ(jobs[1]["status"], "not_run");
  EXPECT_EQ(jobs[2]["exit_code"], 4);
}

TEST_F(RunProcessTest, WithoutAPlaceForTheRecordTheJobsAreDone) {
  Write("file", "not a directory");
  const RunOptions options = {.env = {{"HOME", Path("file")}}};
  const RunResult result = Run({"run", "doctor"}, options);
  EXPECT_EQ(result.exit, 0) << result;
  EXPECT_NE(result.err.find("warning: this run is not recorded: "), std::string::npos) << result;
  EXPECT_NE(result.out.find("  doctor "), std::string::npos);
  EXPECT_EQ(Run({"runs"}, options).exit, 0);
}

// The record is not in the store, so a run of jobs that only read leaves that as it was.
TEST_F(RunProcessTest, AStoreThatIsOnlyReadStaysAsItIs) {
  fs::permissions(Path("recall.db"), fs::perms(0444));
  const std::string before = Read("recall.db");
  EXPECT_EQ(Run({"run", "doctor"}).exit, 0);
  EXPECT_EQ(Read("recall.db"), before);
  EXPECT_EQ(Runs().size(), 1u);
}

TEST_F(RunProcessTest, CommandLinesThatCannotBeMeant) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"run"},
           {"run", "push"},
           {"run", "add", "add"},
           {"run", "doctor", "--max-skipped", "1"},
           {"run", "doctor", "--known", "."},
           {"run", "add", "--all"},
           {"run", "add", "--at", "03:00"},
           {"run", "add", "--name", "x"},
           {"run", "add", "--dry-run"},
           {"run", "--install-timer"},
           {"run", "--install-timer", "--remove-timer", "add"},
           {"run", "--remove-timer", "add"},
           {"run", "--install-timer", "--at", "3", "add"},
           {"run", "--install-timer", "--every", "7m", "add"},
           {"run", "--install-timer", "--every", "1h", "--at", "03:00", "add"},
           {"run", "--install-timer", "--name", "a/b", "add"},
           {"runs", "push"}}) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 2) << result;
    EXPECT_TRUE(result.err.starts_with("error: ")) << result;
  }
  EXPECT_TRUE(Runs().empty());
}

TEST_F(RunProcessTest, TimersAreShownWrittenAndRemoved) {
  const RunOptions options = {.env = {{"XDG_CONFIG_HOME", Path("config")}}};
  const std::vector<std::string> install = {"run",    "--install-timer", "--every", "6h",
                                            "--name", "nightly",         "capture", "add"};
  std::vector<std::string> shown = install;
  shown.emplace_back("--dry-run");
  const RunResult preview = Run(shown, options);
  EXPECT_EQ(preview.exit, 0) << preview;
  EXPECT_NE(preview.out.find("+OnCalendar=*-*-* 00/06:00:00\n+Persistent=true\n"),
            std::string::npos)
      << preview;
  EXPECT_FALSE(fs::exists(Path("config")));

  const RunResult installed = Run(install, options);
  EXPECT_EQ(installed.exit, 0) << installed;
  EXPECT_NE(installed.out.find("systemctl --user enable --now recall-run-nightly.timer\n"),
            std::string::npos)
      << installed;
  const std::string service = Read("config/systemd/user/recall-run-nightly.service");
  EXPECT_NE(
      service.find(" \"run\" \"--store\" \"" + Path("recall.db") + "\" \"capture\" \"add\"\n"),
      std::string::npos)
      << service;
  EXPECT_TRUE(Runs().empty());  // nothing was run

  std::vector<std::string> json = install;
  json.emplace_back("--json");
  EXPECT_EQ(Run(json, options).Json()["run"]["timer"]["files"][0]["action"], "none");
  const RunResult removed = Run({"run", "--remove-timer", "--name", "nightly", "--json"}, options);
  EXPECT_EQ(removed.Json()["run"]["timer"]["files"][1]["action"], "remove") << removed;
  EXPECT_TRUE(fs::is_empty(Path("config")));
}

TEST_F(RunProcessTest, SystemdAcceptsTheUnits) {
  if (RunShell("command -v systemd-analyze", directory()).exit != 0) {
    GTEST_SKIP() << "systemd is not installed";
  }
  fs::create_directory(Path("a b$c%d"));
  const ShellResult result = RunShell(
      "set -e; export XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=\"$PWD/a b%h\" "
      "XDG_RUNTIME_DIR=$PWD\n"
      "recall init 'a b$c%d' >made\n"
      "for every in 1m 15m 1h 6h 1d; do\n"
      "  recall run --store 'a b$c%d' --install-timer --every $every --name n$every capture add "
      "compact doctor --known 'a b$c%d' --max-skipped 3 --all >made\n"
      "done\n"
      "cd config/systemd/user; systemd-analyze --user --man=no verify ./recall-run-*",
      directory());
  EXPECT_EQ(result.exit, 0) << result.out;
  EXPECT_EQ(result.out, "");
}

}  // namespace
}  // namespace recall
