// Files that are named, but are not regular files: devices without end, pipes into which nobody
// writes, endless pipes. Each command refuses them, or reads them as a stream with a bound and can
// be interrupted; none hangs.

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

// None of these can write to the file that it names: as root, a device could be replaced.
constexpr const char* kReaders[] = {
    "add --jsonl thing",
    "add --files-from thing",
    "import thing",
    "bench --queries thing",
    "bench --rql thing",
    "bench --against thing",
    "eval --against thing collection",
    "search --filter @thing needle",
    "search --embedding @thing needle",
    "query @thing",
    "query --rql @thing",
    "context --token-counter thing needle",
    "stats --config thing",
    "eval collection",
};

class IrregularFilesProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    Write("docs/a.md", "# A\n\nneedle\n");
    Write("collection/queries.jsonl", "{\"_id\": \"1\", \"text\": \"needle\"}\n");
    ASSERT_EQ(Run({"init"}).exit, 0);
    ASSERT_EQ(Run({"add", "docs"}).exit, 0);
    ASSERT_EQ(RunShell("ln -s ../thing collection/corpus.jsonl", directory()).exit, 0);
  }
};

TEST_F(IrregularFilesProcessTest, DevicesAreRefused) {
  for (const char* device : {"/dev/zero", "/dev/full", "/dev/urandom"}) {
    for (const char* reader : kReaders) {
      const ShellResult result = RunShell(
          "ln -sf " + std::string(device) + " thing; timeout 60 recall " + reader, directory());
      EXPECT_EQ(result.exit, 2) << device << " " << reader << result.out;
      const bool named = result.out.find("a device") != std::string::npos ||
                         result.out.find("not a regular file") != std::string::npos;
      EXPECT_TRUE(named) << device << " " << reader << result.out;
    }
  }
}

// The signal is sent when the command has opened the pipe, which has no writer, or has ended.
TEST_F(IrregularFilesProcessTest, WaitingForAPipeCanBeInterrupted) {
  for (const char* reader : kReaders) {
    const ShellResult result = RunShell(
        "rm -f thing; mkfifo thing; recall " + std::string(reader) +
            " & pid=$!; until ls -l /proc/$pid/fd 2>/dev/null | grep -q thing || "
            "! kill -0 $pid 2>/dev/null; do :; done; kill -TERM $pid 2>/dev/null; wait $pid",
        directory());
    EXPECT_TRUE(result.exit == 130 || result.exit == 2) << reader << result.exit << result.out;
  }
}

// The signal is sent when the command has opened the store, from where any moment is right, or
// amid a document that the pipe cannot hold.
TEST_F(IrregularFilesProcessTest, WaitingForAReaderCanBeInterrupted) {
  ASSERT_EQ(RunShell("rm collection/corpus.jsonl", directory()).exit, 0);
  Write("collection/corpus.jsonl", "{\"_id\": \"d\", \"text\": \"needle\"}\n");
  Write("collection/qrels.tsv", "query-id\tcorpus-id\tscore\n1\td\t1\n");
  Write("large.md", std::string(2 << 20, 'x'));
  ASSERT_EQ(Run({"add", "large.md"}).exit, 0);
  const auto interrupt = [&](const std::string& command, const std::string& until) {
    const ShellResult result = RunShell(
        "rm -f thing; mkfifo thing; " + command + " & pid=$!; " + until +
            "; kill -TERM $pid; timeout 60 tail --pid $pid -f /dev/null || kill -KILL $pid; "
            "wait $pid",
        directory());
    EXPECT_EQ(result.exit, 130) << command << result.out;
  };
  const std::string store_is_open =
      "until [[ $(ls -l /proc/$pid/fd 2>/dev/null) =~ recall.db ]] || ! kill -0 $pid; do :; done";
  interrupt("recall export --out thing", store_is_open);
  interrupt("recall eval collection --per-query thing", store_is_open);
  const std::string amid_a_document = "head -c 60000 <&9 >/dev/null";
  interrupt("exec 9<>thing; recall export --out thing 9>&-", amid_a_document);
  interrupt("exec 9<>thing; recall export >&9 9>&-", amid_a_document);
}

TEST_F(IrregularFilesProcessTest, EndlessPipesAreBounded) {
  const std::string limit = kUnderSanitizer ? "" : "ulimit -v 4000000; ";
  for (const char* reader : {"add --files-from -", "bench --queries -", "bench --rql -",
                             "search --filter @- needle", "query -", "search -"}) {
    const ShellResult result =
        RunShell(limit + "yes needle | timeout 300 recall " + std::string(reader), directory());
    EXPECT_EQ(result.exit, 2) << reader << result.out;
    EXPECT_NE(result.out.find("MiB"), std::string::npos) << reader << result.out;
  }
}

TEST_F(IrregularFilesProcessTest, ProcessSubstitutionIsRead) {
  const std::string with_argument = "run() { recall \"${@:2}\" \"@$1\"; }; run ";
  for (const std::string& script :
       {with_argument + "<(echo \"doc.path GLOB '*'\") search needle --filter",
        with_argument + "<(echo FROM doc SELECT doc.path) query",
        std::string("recall bench --queries <(echo needle)"),
        std::string("recall bench --only bm25 --against <(recall bench --only bm25 --json)"),
        std::string("recall add --files-from <(echo docs)"),
        std::string("recall add --jsonl <(echo '{\"path\": \"l\", \"text\": \"t\"}')"),
        std::string("recall import <(recall export)"),
        std::string("recall stats --config /dev/null")}) {
    const ShellResult result = RunShell(script, directory());
    EXPECT_EQ(result.exit, 0) << script << "\n" << result.out;
  }
}

}  // namespace
}  // namespace recall
