#include <regex>
#include <set>
#include <thread>

#include "storage/postgres/postgres_address.h"
#include "storage/postgres/postgres_session.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/raw_client.h"
#include "tests/cli/server/http/serving.h"
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
    text =
        std::regex_replace(text, std::regex("[0-9a-f]{8}-([0-9]+)(-[0-9a-f]{4})?"), "SNAPSHOT-$1");
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

TEST_F(ServerStoreTest, ANameMayStandForTheAddress) {
  WriteDocuments();
  const RunOptions named{.env = {{"RECALL_STORES", "team=" + address_}}};
  const RunResult made = Run({"init", "team", "--json"}, named);
  EXPECT_EQ(made.Json()["store"]["path"], address_) << made;
  ASSERT_EQ(Run({"add", "docs", "--store", "team"}, named).exit, 0);
  EXPECT_EQ(OnServer({"stats", "--json"}).Json()["stats"]["doc_count"], 3);
  ASSERT_EQ(Run({"init"}).exit, 0);
  EXPECT_EQ(Run({"merge", "team", "--json"}, named).Json()["merge"]["added"], 3);
  ASSERT_EQ(Run({"add", "src", "--code-chunker", "plain"}).exit, 0);
  EXPECT_EQ(OnServer({"merge", ".", "--json"}).Json()["merge"]["added"], 1);
}

TEST_F(ServerStoreTest, StorePathMayBeAnAddressForWhereNoStoreIs) {
  WriteDocuments();
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  const auto store_in = [&](const std::string& directory, std::map<std::string, std::string> env) {
    return Run({"stats", "--json"}, {.directory = Path(directory), .env = std::move(env)})
        .Json()["store"]["path"];
  };
  const std::map<std::string, std::string> variable = {{"RECALL_STORE_PATH", address_}};
  EXPECT_EQ(store_in("docs", variable), address_);
  Write("home/.config/recall/recall.toml", "store_path = \"" + address_ + "\"\n");
  EXPECT_EQ(store_in("docs", {{"HOME", Path("home")}}), address_);
  // A store of a directory is nearer.
  ASSERT_EQ(Run({"init"}, {.directory = Path("docs"), .env = variable}).exit, 0);
  EXPECT_EQ(store_in("docs", variable), Path("docs/recall.db"));
  EXPECT_EQ(store_in("src", variable), address_);
  // A file beside a store names none.
  Write("src/recall.toml", "store_path = \"" + address_ + "\"\n");
  const RunResult foreign = Run({"stats", "--json"}, {.directory = Path("src")});
  EXPECT_EQ(foreign.Json()["error"]["code"], "store_not_found") << foreign;
}

TEST_F(ServerStoreTest, WhatNeedsAFileIsRefusedByName) {
  WriteDocuments();
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  ASSERT_EQ(OnServer({"add", "docs"}).exit, 0);
  ASSERT_EQ(OnServer({"export", "--out", "all.jsonl"}).exit, 0);
  const auto refusal = [&](const std::vector<std::string>& args, const RunOptions& options = {}) {
    const RunResult result = OnServer(args, options);
    EXPECT_EQ(result.exit, 2) << args[0] << result;
    const auto error = result.Json()["error"];
    EXPECT_EQ(error["code"], "invalid_argument") << result;
    return error["message"].get<std::string>();
  };
  const auto says = [](const std::string& message, const std::string& part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says(refusal({"backup", address_ + "_copy", "--force", "--json"}), "--force replaces files");
  says(refusal({"doctor", "--fix", "--json"}), "this one is on a server");
  says(refusal({"bench", "--cold", "--json"}), "a cold page cache");
  says(refusal({"bench", "--ingest", "docs", "--json"}), "ingest");
  says(refusal({"import", "all.jsonl", "--json"}, {.env = {{"RECALL_AUTO_BACKUP", "1"}}}),
       "RECALL_AUTO_BACKUP: auto_backup");
  says(refusal({"migrate", "--json"}), "a store of recall 0.1 is a file");

  ASSERT_EQ(OnServer({"backup", "copy.db"}).exit, 0);
  EXPECT_EQ(Run({"stats", "--store", "copy.db", "--json"}).Json()["stats"]["doc_count"], 3);
  // And from there to a server, as a whole or not at all.
  const std::string copy = address_ + "_copy " + address_ + "_second";
  ASSERT_EQ(Run({"backup", copy, "--store", "copy.db"}).exit, 0);
  EXPECT_EQ(Run({"stats", "--store", copy, "--json"}).Json()["stats"]["doc_count"], 3);
  EXPECT_EQ(Run({"doctor", "--store", copy}).exit, 0);
  const RunResult again = Run({"backup", address_, "--store", "copy.db", "--json"});
  EXPECT_EQ(again.Json()["error"]["code"], "already_exists") << again;
  EXPECT_EQ(OnServer({"doctor", "--fix", "--no-copy"}).exit, 0);
  EXPECT_EQ(OnServer({"import", "all.jsonl", "--json"}).Json()["import"]["unchanged"], 3);
  const RunResult measured =
      OnServer({"bench", "--samples", "2", "--rounds", "1", "--only", "search", "--json"});
  EXPECT_EQ(measured.exit, 0) << measured;
  EXPECT_GT(OnServer({"stats", "--json"}).Json()["stats"]["db_size_bytes"], 0);
}

TEST_F(ServerStoreTest, AnAssistantReadsAndWritesIt) {
  WriteDocuments();
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  ASSERT_EQ(OnServer({"add", "docs"}).exit, 0);
  const auto call = [](int id, const std::string& tool, const nlohmann::json& arguments) {
    return nlohmann::json({{"jsonrpc", "2.0"},
                           {"id", id},
                           {"method", "tools/call"},
                           {"params", {{"name", tool}, {"arguments", arguments}}}})
               .dump() +
           "\n";
  };
  const RunResult talk = OnServer(
      {"mcp", "--allow-write"},
      {.input = R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":)"
                R"("2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}})"
                "\n"
                R"({"jsonrpc":"2.0","method":"notifications/initialized"})"
                "\n" +
                call(2, "search", {{"query", "segments"}}) +
                call(3, "save", {{"type", "fact"}, {"title", "Water"}, {"text", "It is wet."}})});
  EXPECT_EQ(talk.exit, 0) << talk;
  EXPECT_NE(talk.out.find("docs/merge.md"), std::string::npos) << talk;
  EXPECT_NE(OnServer({"search", "wet"}).out.find("It is wet."), std::string::npos) << talk;
}

TEST_F(ServerStoreTest, IsServedByTheNameInItsAddressAndBesideLocalStores) {
  WriteDocuments();
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  ASSERT_EQ(OnServer({"add", "docs"}).exit, 0);
  const Serving server(directory(), {"--socket", Path("socket"), "--allow-write", address_,
                                     "local=" + directory(), "again=" + address_});
  const std::string name = address_.substr(address_.rfind("store=") + 6);
  const auto count = [&](const std::string& store) {
    return Post(server.Local(), "/v1/ls", "{}", "X-Recall-Store: " + store + "\r\n")
        .Json()["results"]
        .size();
  };
  EXPECT_EQ(count(name), 3U);
  EXPECT_EQ(count("local"), 0U);
  // What others commit is seen, and what the server commits is seen by others.
  ASSERT_EQ(OnServer({"add", "src", "--code-chunker", "plain"}).exit, 0);
  EXPECT_EQ(count("again"), 4U);
  const ServedAnswer removed = Post(server.Local(), "/v1/rm", R"({"target": "src/main.c"})",
                                    "X-Recall-Store: " + name + "\r\n");
  EXPECT_EQ(removed.status, 200) << removed.body;
  EXPECT_EQ(OnServer({"stats", "--json"}).Json()["stats"]["doc_count"], 3);
}

// Three machines add at the same time, some documents all of them. The oracle is a local store.
TEST_F(ServerStoreTest, SeveralMachinesAddAtTheSameTime) {
  constexpr int kMachines = 3;
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  ASSERT_EQ(Run({"init"}).exit, 0);
  for (int machine = 0; machine < kMachines; ++machine) {
    std::string lines;
    for (int i = machine * 20; i < machine * 20 + 30; ++i) {
      const std::string number = std::to_string(i);
      lines += "{\"path\":\"p/" + number + "\",\"text\":\"words of document " + number + "\"}\n";
    }
    Write("lines" + std::to_string(machine) + ".jsonl", lines);
  }
  std::vector<std::thread> machines;
  for (int machine = 0; machine < kMachines; ++machine) {
    machines.emplace_back([this, machine] {
      const std::string name = std::to_string(machine);
      const RunOptions own{
          .env = {{"XDG_CACHE_HOME", Path("cache" + name)}, {"RECALL_BUSY_TIMEOUT_MS", "600000"}}};
      const RunResult added = OnServer({"add", "--jsonl", "lines" + name + ".jsonl"}, own);
      EXPECT_EQ(added.exit, 0) << added;
    });
  }
  for (std::thread& machine : machines) machine.join();
  for (const char* file : {"lines0.jsonl", "lines1.jsonl", "lines2.jsonl"}) {
    ASSERT_EQ(Run({"add", "--jsonl", file}).exit, 0);
  }
  const std::vector<std::string> list = {"query",
                                         "FROM doc ORDER BY doc.path LIMIT 1000 SELECT "
                                         "doc.path, doc.id, doc.size, doc.chunks"};
  EXPECT_EQ(OnServer(list).out, Run(list).out);
  EXPECT_EQ(OnServer({"stats", "--json"}).Json()["stats"]["doc_count"], 70);
  EXPECT_EQ(OnServer({"doctor"}).exit, 0);
}

// An export that nobody reads is in its transaction as long as the test wants.
TEST_F(ServerStoreTest, WhatIsStillExportedDelaysNeitherQuestionsNorWriters) {
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  std::string lines;
  for (int i = 0; i < 200; ++i) {
    lines += "{\"path\":\"p/" + std::to_string(i) + "\",\"text\":\"" +
             std::string(2000, static_cast<char>('a' + i % 26)) + "\"}\n";
  }
  Write("lines.jsonl", lines);
  ASSERT_EQ(OnServer({"add", "--jsonl", "lines.jsonl"}).exit, 0);
  const Serving server(directory(), {"--socket", Path("socket"), address_});
  const auto served = [&] {
    return Post(server.Local(), "/v1/stats", "{}").Json()["stats"]["doc_count"];
  };
  EXPECT_EQ(served(), 200);
  const auto exported = StartConversation({"export", "--store", address_});
  exported->NextLine();
  Write("one.md", "Meanwhile.\n");
  Write("two.md", "Afterwards.\n");
  const RunOptions impatient{.env = {{"RECALL_BUSY_TIMEOUT_MS", "2000"}}};
  const RunOptions other{.env = {{"XDG_CACHE_HOME", Path("other-cache")}}};
  ASSERT_EQ(OnServer({"add", "one.md"}, other).exit, 0);
  EXPECT_EQ(
      OnServer({"search", "meanwhile", "--bm25", "--json"}, impatient).Json()["results"].size(),
      1U);
  ASSERT_EQ(OnServer({"add", "two.md"}, impatient).exit, 0);
  EXPECT_EQ(
      OnServer({"search", "afterwards", "--bm25", "--json"}, impatient).Json()["results"].size(),
      1U);
  EXPECT_EQ(served(), 202);
  const RunResult rest = exported->Finish();
  EXPECT_EQ(rest.exit, 0);
  EXPECT_EQ(rest.out.find("one.md"), rest.out.npos);
}

// A standby took over without the last commit, whose number another one gets. A process that has
// read the lost one forgets all of it.
TEST_F(ServerStoreTest, AServerGoesOnWhenCommitsWereLost) {
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  Write("one.md", "A word that stays.\n");
  Write("two.md", "A word that is lost.\n");
  Write("three.md", "A word that is new.\n");
  ASSERT_EQ(OnServer({"add", "one.md"}).exit, 0);
  const Serving server(directory(), {"--socket", Path("socket"), address_});
  const auto ask = [&] { return Post(server.Local(), "/v1/search", R"({"query": "word"})"); };
  const auto paths = [&](const ServedAnswer& answer) {
    std::set<std::string> found;
    const auto json = answer.Json();
    for (const auto& hit : json["results"]) found.insert(hit["doc"]["path"]);
    return found;
  };
  const auto session = Must(PostgresSession::Connect(Must(ParsePostgresAddress(address_))));
  const std::string schema = "recall_" + address_.substr(address_.rfind("store=") + 6);
  const auto newest = Must(session->Run(("SELECT max(epoch) FROM " + schema + ".epoch").c_str()));
  const std::string kept = std::to_string(newest.Int(0, 0));
  ASSERT_EQ(OnServer({"add", "two.md"}).exit, 0);
  EXPECT_EQ(paths(ask()), (std::set<std::string>{"one.md", "two.md"}));
  const std::string of_lost =
      OnServer({"search", "word", "--json"}).Json()["stats"]["snapshot"].get<std::string>();
  for (const char* table : {".page", ".epoch"}) {
    ASSERT_OK(session->Do(("DELETE FROM " + schema + table + " WHERE epoch > " + kept).c_str()));
  }
  const RunOptions other{.env = {{"XDG_CACHE_HOME", Path("other-cache")}}};
  ASSERT_EQ(OnServer({"add", "three.md"}, other).exit, 0);
  // The commit that was lost and the one with its number have different tokens.
  const RunResult present = OnServer({"search", "word", "--json"}, other);
  const auto of_present = present.Json()["stats"]["snapshot"].get<std::string>();
  EXPECT_EQ(of_present.substr(0, of_present.rfind('-')), of_lost.substr(0, of_lost.rfind('-')));
  const auto at = [&](const std::string& snapshot) {
    return OnServer({"search", "word", "--snapshot", snapshot, "--json"}, other).Json();
  };
  EXPECT_EQ(at(of_lost)["error"]["code"], "snapshot_expired");
  EXPECT_EQ(at(of_present)["results"], present.Json()["results"]);
  EXPECT_EQ(at(of_present.substr(0, of_present.rfind('-')))["results"], present.Json()["results"]);
  // Machines that have seen the lost one warn, once: the one that made it, and that of the server,
  // which has a cache of its own.
  const auto warning_of = [](const nlohmann::json& answer) {
    return answer.contains("warnings") ? answer["warnings"].dump() : "";
  };
  EXPECT_EQ(warning_of(present.Json()), "");
  const ServedAnswer first = ask();
  EXPECT_EQ(paths(first), (std::set<std::string>{"one.md", "three.md"}));
  EXPECT_NE(warning_of(first.Json()).find("that this machine has seen"), std::string::npos)
      << first.body;
  const ServedAnswer second = ask();
  EXPECT_EQ(paths(second), (std::set<std::string>{"one.md", "three.md"}));
  EXPECT_EQ(warning_of(second.Json()), "") << second.body;
  const RunResult of_maker = OnServer({"search", "word", "--json"});
  EXPECT_NE(warning_of(of_maker.Json()).find("that this machine has seen"), std::string::npos)
      << of_maker;
  EXPECT_EQ(warning_of(OnServer({"search", "word", "--json"}).Json()), "");
  EXPECT_EQ(OnServer({"doctor"}).exit, 0);
}

// The machine has all pages; what is on the server is not what it once sent.
TEST_F(ServerStoreTest, DoctorFindsWhatIsDamagedOnTheServer) {
  WriteDocuments();
  ASSERT_EQ(OnServer({"init"}).exit, 0);
  ASSERT_EQ(OnServer({"add", "docs"}).exit, 0);
  ASSERT_EQ(OnServer({"doctor"}).exit, 0);
  const auto session = Must(PostgresSession::Connect(Must(ParsePostgresAddress(address_))));
  const std::string schema = "recall_" + address_.substr(address_.rfind("store=") + 6);
  ASSERT_OK(session->Do(("UPDATE " + schema + ".page SET data = '' WHERE number = 4").c_str()));
  EXPECT_EQ(OnServer({"search", "segments"}).exit, 0);
  const RunResult found = OnServer({"doctor", "--json"});
  EXPECT_EQ(found.exit, 4) << found;
  EXPECT_NE(found.out.find("page 4 is damaged on the server"), std::string::npos) << found;
}

TEST_F(ServerStoreTest, ErrorsNameTheAddress) {
  const RunResult missing = OnServer({"ls", "--json"});
  EXPECT_NE(missing.exit, 0);
  EXPECT_EQ(missing.Json()["error"]["code"], "store_not_found") << missing;
  EXPECT_NE(missing.out.find(address_), std::string::npos) << missing;

  ASSERT_EQ(OnServer({"init"}).exit, 0);
  const RunResult again = OnServer({"init"});
  EXPECT_NE(again.err.find("this is a store already"), std::string::npos) << again;

  const RunResult password = Run({"ls", "--store", "postgres://me:secret@127.0.0.1/db"});
  EXPECT_EQ(password.err.find("secret"), std::string::npos);
  EXPECT_NE(password.err.find("password"), std::string::npos) << password;

  const std::string nobody_address = "postgres://me@/db?host=" + Path("no-such-directory");
  const RunResult nobody = Run({"ls", "--store", nobody_address});
  EXPECT_NE(nobody.exit, 0);
  EXPECT_NE(nobody.err.find("cannot connect"), std::string::npos) << nobody;

  // The settings can be looked at all the same.
  const RunResult config = Run({"config", "threads", "--store", nobody_address});
  EXPECT_EQ(config.exit, 0) << config;
  EXPECT_NE(config.err.find("cannot connect"), std::string::npos) << config;
}

}  // namespace
}  // namespace recall
