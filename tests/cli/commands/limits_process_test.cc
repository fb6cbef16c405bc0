// Limits of the system, for every command: few open files, small files, little memory, closed
// streams, a working directory that is gone. Each command works, or ends with a named error and a
// status of the table; it leaves nothing behind, and the store is sound.

#include <set>

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

// One call of each command, in an order in which each has something to do. `$STORE` is the store.
constexpr const char* kCalls[] = {
    "add docs --store $STORE --tag x",
    "add --store $STORE --jsonl lines.jsonl",
    "search needle --store $STORE --json",
    "context needle --store $STORE --budget-tokens 100",
    "query --store $STORE 'FROM chunk LIMIT 3 SELECT doc.path'",
    "similar --store $STORE docs/1.md",
    "get --store $STORE docs/1.md",
    "stats --store $STORE",
    "inspect --store $STORE",
    "config --store $STORE",
    "doctor --store $STORE",
    "doctor --fix --store $STORE",
    "bench --store $STORE --queries 2",
    "eval collection",
    "export --store $STORE --out out.jsonl.zst",
    "import --store $STORE whole.jsonl",
    "merge --store $STORE other.db",
    "backup --store $STORE copy.db --force",
    "embed --store $STORE --as hash",
    "rm --store $STORE docs/2.md",
    "compact --store $STORE",
    "rm --store $STORE --purge docs/3.md",
    "install gemini codex",
    "uninstall gemini codex",
    "migrate other.db",
    "init new.db",
    "version --verbose",
    "guide",
    "help",
    "man",
    "completions bash",
};

class LimitsProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    for (int i = 1; i <= 12; ++i) {
      Write("docs/" + std::to_string(i) + ".md",
            "# Head " + std::to_string(i) + "\n\nneedle word" + std::to_string(i) + " text\n");
    }
    Write("lines.jsonl", "{\"path\": \"line\", \"text\": \"a needle\"}\n");
    Write("collection/corpus.jsonl", "not a corpus\n");
    ASSERT_EQ(Run({"init"}).exit, 0);
    ASSERT_EQ(Run({"add", "docs"}).exit, 0);
    ASSERT_EQ(Run({"export", "--out", "whole.jsonl"}).exit, 0);
    ASSERT_EQ(Run({"init", "other.db"}).exit, 0);
    ASSERT_EQ(Run({"add", "--store", "other.db", "lines.jsonl"}).exit, 0);
  }

  // Runs all commands, each in a shell that has executed `limit` before. No limit is damage.
  void ExpectNamedErrors(const std::string& limit, bool errors_are_visible = true) {
    SCOPED_TRACE(limit);
    for (const char* call : kCalls) {
      const ShellResult result =
          RunShell("STORE=$PWD/recall.db; recall() { exec env recall \"$@\"; }; " + limit +
                       "; recall " + call,
                   directory());
      // 127: the loader could not even load the program.
      const std::set<int> of_the_table = {0, 1, 2, 3, 5, 127};
      EXPECT_TRUE(of_the_table.contains(result.exit)) << call << ": " << result.exit << result.out;
      EXPECT_EQ(result.out.find("internal error"), std::string::npos) << call << result.out;
      if (errors_are_visible && result.exit > 1) {
        EXPECT_NE(result.out.find("error"), std::string::npos) << call << ": " << result.out;
      }
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory())) {
      const std::string name = entry.path().filename();
      EXPECT_EQ(name.find(".new-"), std::string::npos) << name;
      EXPECT_FALSE(name.ends_with("-journal")) << name;
    }
    EXPECT_EQ(Run({"doctor"}).exit, 0);
  }
};

TEST_F(LimitsProcessTest, FewOpenFiles) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers open files";
  for (const char* files : {"4", "5", "6", "7", "8"}) {
    ExpectNamedErrors(std::string("ulimit -n ") + files);
  }
}

TEST_F(LimitsProcessTest, SmallFiles) {
  for (const char* blocks : {"0", "16", "256"})
    ExpectNamedErrors(std::string("ulimit -f ") + blocks);
}

TEST_F(LimitsProcessTest, LittleMemory) {
  if (kUnderSanitizer) GTEST_SKIP() << "sanitizers need much more memory";
  int limits = 0;
  for (const char* kib : {"36000", "40000", "60000", "80000", "100000", "120000"}) {
    const std::string limit = std::string("ulimit -v ") + kib;
    // The kernel ends a program that does not fit, as one with many grammars, before it begins.
    const bool fits = RunShell(limit + "; exec recall version", directory()).exit >= 0;
    if (!fits) continue;
    ++limits;
    ExpectNamedErrors(limit);
  }
  EXPECT_GE(limits, 3);
}

TEST_F(LimitsProcessTest, ASmallStack) { ExpectNamedErrors("ulimit -s 128"); }

TEST_F(LimitsProcessTest, ClosedStreams) {
  ExpectNamedErrors("exec <&-");
  ExpectNamedErrors("exec >&-");
  ExpectNamedErrors("exec 2>&-", false);
  ExpectNamedErrors("exec <&- >&- 2>&-", false);
}

TEST_F(LimitsProcessTest, AFullStandardOutput) { ExpectNamedErrors("exec >/dev/full"); }

TEST_F(LimitsProcessTest, AClosedOutputPipe) { ExpectNamedErrors("exec > >(:); wait $!"); }

// As another user, who may read everything and write nothing. The program is started by a
// descriptor, because that user may not be able to enter the directories above the build.
TEST_F(LimitsProcessTest, ADirectoryThatMayNotBeWritten) {
  ExpectNamedErrors(
      "chmod -R a+rX,a-w .; (( EUID )) || { exec 9<\"$(type -P recall)\"; recall() { exec "
      "setpriv --reuid=65534 --regid=65534 --clear-groups /proc/self/fd/9 \"$@\"; }; }");
  RunShell("chmod -R u+w .", directory());  // so that it can be removed
}

TEST_F(LimitsProcessTest, ADirectoryThatIsGone) {
  ExpectNamedErrors("mkdir -p gone; cd gone; rmdir ../gone");
}

}  // namespace
}  // namespace recall
