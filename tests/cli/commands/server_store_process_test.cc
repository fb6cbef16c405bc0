#include <regex>

#include "tests/cli/recall_process.h"
#include "tests/storage/postgres/postgres_test_server.h"

namespace recall {
namespace {

// A store on a PostgreSQL server, and a local one that gets the same commands: the oracle.
class ServerStoreTest : public RecallTest {
 protected:
  static void SetUpTestSuite() { server_ = std::make_unique<PostgresTestServer>(); }
  static void TearDownTestSuite() { server_ = nullptr; }

  // Each test has a store of its own.
  ServerStoreTest()
      : address_(server_->Address(
            "s" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
            std::to_string(++stores_))) {}

  RunResult OnServer(std::vector<std::string> args, RunOptions options = {}) {
    args.insert(args.end(), {"--store", address_});
    return Run(args, std::move(options));
  }

  // What may differ: the names and the identities of the stores, and the space that they take.
  std::string Comparable(std::string text) const {
    for (const std::string& name : {address_, Path("recall.db")}) {
      for (size_t at = text.find(name); at != text.npos; at = text.find(name, at)) {
        text.replace(at, name.size(), "STORE");
      }
    }
    text = std::regex_replace(text, std::regex("[0-9a-f]{8}-([0-9]+)"), "SNAPSHOT-$1");
    return std::regex_replace(text, std::regex("\"uuid\":\"[0-9a-f]{32}\""), "\"uuid\":\"\"");
  }

  // Runs a command on both stores, and demands the same output and exit.
  void Same(const std::vector<std::string>& args, const RunOptions& options = {}) {
    const RunResult local = Run(args, options);
    const RunResult server = OnServer(args, options);
    EXPECT_EQ(server.exit, local.exit) << args[0] << ": " << server.err;
    EXPECT_EQ(Comparable(server.out), Comparable(local.out)) << args[0];
    EXPECT_EQ(Comparable(server.err), Comparable(local.err)) << args[0];
  }

  void WriteDocuments() {
    Write("docs/guide.md",
          "# Guide\n\nRecall keeps segments in one file.\n\n## Install\n\nRun make install.\n");
    Write("docs/merge.md", "# Merging\n\nSmall segments are merged into larger segments.\n");
    Write("docs/more.md", "---\ntitle: More\nlevel: 3\n---\n\nA file of more words about files.\n");
    Write("src/main.c", "int main(void) {\n  return mergeSegments(1);\n}\n");
    Write("lines.jsonl",
          "{\"path\":\"a/1\",\"text\":\"first words\",\"tag\":\"x\"}\n"
          "{\"path\":\"a/2\",\"text\":\"second words of a file\",\"meta\":{\"level\":2}}\n");
  }

  static std::unique_ptr<PostgresTestServer> server_;
  static int stores_;
  const std::string address_;
};

std::unique_ptr<PostgresTestServer> ServerStoreTest::server_;
int ServerStoreTest::stores_ = 0;

TEST_F(ServerStoreTest, CommandsAnswerAsForALocalStore) {
  WriteDocuments();
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult made = OnServer({"init"});
  ASSERT_EQ(made.exit, 0) << made;
  const std::vector<std::vector<std::string>> commands = {
      {"add", "docs", "src", "--extract-meta", "--code-chunker", "plain", "--json", "--stable"},
      {"add", "--jsonl", "lines.jsonl", "--json", "--stable"},
      {"search", "segments", "--json", "--stable"},
      {"search", "segments of files", "--bm25", "--json", "--stable"},
      {"search", "merging", "--vector", "--json", "--stable", "-k", "3"},
      {"search", "files", "--filter", "doc.meta.level >= 2", "--json", "--stable"},
      {"search", "words", "--filter", "doc.tag = 'x'", "--json", "--stable"},
      {"search", "segments", "--filter", "doc.path GLOB 'docs/*'", "-k", "1", "--json", "--stable"},
      {"context", "how are segments merged", "--budget-tokens", "100", "--json", "--stable"},
      {"similar", "docs/merge.md", "--json", "--stable"},
      {"query", "FROM docs SELECT doc.path, doc.meta.level ORDER BY doc.path", "--json",
       "--stable"},
      {"get", "docs/guide.md:1-3", "--json", "--stable"},
      {"get", "docs/none.md", "--json", "--stable"},
      {"ls", "--json", "--stable"},
      {"save", "decision", "Use one file", "--text", "Because it is simple.", "--as-of",
       "2026-01-01T00:00:00Z", "--json", "--stable"},
      {"link", "docs/guide.md", "docs/merge.md", "--relation", "part_of", "--json", "--stable"},
      {"links", "docs/guide.md", "--json", "--stable"},
      {"rm", "a/1", "--json", "--stable"},
      {"search", "words", "--json", "--stable"},
      {"compact", "--json", "--stable"},
      {"ls", "--json", "--stable"},
      {"doctor", "--json", "--stable"},
      {"export", "--format", "jsonl"},
      {"search", "segments", "--filter", "doc.path =", "--json", "--stable"},
  };
  for (const auto& command : commands) Same(command);
}

TEST_F(ServerStoreTest, AnotherMachineSeesWhatWasAdded) {
  WriteDocuments();
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  const RunOptions other{.env = {{"XDG_CACHE_HOME", Path("other-cache")}}};
  ASSERT_EQ(OnServer({"add", "docs"}).exit, 0);
  const RunResult first = OnServer({"search", "segments", "--json", "--stable"});
  EXPECT_EQ(OnServer({"search", "segments", "--json", "--stable"}, other).out, first.out);
  ASSERT_EQ(OnServer({"add", "src", "--code-chunker", "plain"}, other).exit, 0);
  EXPECT_NE(OnServer({"ls"}).out.find("src/main.c"), std::string::npos);
  EXPECT_EQ(OnServer({"add", "docs", "src", "--code-chunker", "plain", "--json"})
                .Json()["add"]["unchanged"],
            4);
}

TEST_F(ServerStoreTest, ErrorsNameTheAddress) {
  const RunResult missing = OnServer({"ls", "--json"});
  EXPECT_NE(missing.exit, 0);
  EXPECT_EQ(missing.Json()["error"]["code"], "store_not_found") << missing;
  EXPECT_NE(missing.out.find(address_.substr(0, 11)), std::string::npos);

  ASSERT_EQ(OnServer({"init"}).exit, 0);
  const RunResult again = OnServer({"init"});
  EXPECT_NE(again.err.find("this is a store already"), std::string::npos) << again;

  const RunResult password = Run({"ls", "--store", "postgres://me:secret@127.0.0.1/db"});
  EXPECT_EQ(password.err.find("secret"), std::string::npos);
  EXPECT_NE(password.err.find("password"), std::string::npos) << password;

  const RunResult nobody =
      Run({"ls", "--store", "postgres://me@/db?host=" + Path("no-such-directory")});
  EXPECT_NE(nobody.exit, 0);
  EXPECT_NE(nobody.err.find("cannot connect"), std::string::npos) << nobody;
}

}  // namespace
}  // namespace recall
