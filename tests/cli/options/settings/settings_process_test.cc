// How the store is found, and which source of a setting takes precedence.

#include <unistd.h>

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

using SettingsTest = RecallTest;

TEST_F(SettingsTest, InitMakesAStoreAndItsDirectory) {
  const RunResult result = Run({"init", "a/b"});
  EXPECT_EQ(result.exit, 0) << result;
  EXPECT_EQ(result.out, "Created " + Path("a/b/recall.db") +
                            "\nOptional config: " + Path("a/b/recall.toml") + "\n");
  EXPECT_TRUE(std::filesystem::exists(Path("a/b/recall.db")));
}

TEST_F(SettingsTest, InitTwiceIsAnErrorAndHarmless) {
  MakeSmallStore();
  const RunResult again = Run({"init", "--json"});
  EXPECT_EQ(again.exit, 3) << again;
  EXPECT_EQ(again.Json()["error"]["code"], "already_exists");
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["doc_count"], 3);
}

TEST_F(SettingsTest, InitTakesAFileName) {
  const RunResult result = Run({"init", "team.db", "--json"});
  EXPECT_EQ(result.exit, 0);
  EXPECT_EQ(result.Json()["store"]["path"], Path("team.db"));
  EXPECT_EQ(Run({"stats", "--store", "team.db"}).exit, 0);
  EXPECT_EQ(Run({"stats"}).exit, 3);
}

TEST_F(SettingsTest, InitTakesItsPlaceFromOneSource) {
  EXPECT_EQ(Run({"init", "a", "--store", "b"}).exit, 2);
  EXPECT_EQ(Run({"init", "--store", "b.db"}).exit, 0);
  EXPECT_EQ(Run({"init", "a"}, {.env = {{"RECALL_STORE", Path("b.db")}}}).exit, 0);
  EXPECT_TRUE(std::filesystem::exists(Path("a/recall.db")));
}

TEST_F(SettingsTest, InitRecordsItsSettings) {
  ASSERT_EQ(Run({"init", "--chunk-tokens", "64", "--overlap-tokens", "8"}).exit, 0);
  const auto store = Run({"stats", "--json"}).Json()["store"];
  EXPECT_EQ(store["chunk_tokens"], 64);
  EXPECT_EQ(store["overlap_tokens"], 8);
  EXPECT_EQ(Run({"init", "x", "--chunk-tokens", "8", "--overlap-tokens", "8"}).exit, 2);
  EXPECT_FALSE(std::filesystem::exists(Path("x")));
}

TEST_F(SettingsTest, TheStoreIsFoundFromBelow) {
  MakeSmallStore();
  std::filesystem::create_directories(Path("docs/deep/er"));
  const RunResult result = Run({"stats", "--json"}, {.directory = Path("docs/deep/er")});
  EXPECT_EQ(result.exit, 0) << result;
  EXPECT_EQ(result.Json()["store"]["path"], Path("recall.db"));
}

TEST_F(SettingsTest, TheNearestStoreWins) {
  MakeSmallStore();
  ASSERT_EQ(Run({"init", "docs"}).exit, 0);
  std::filesystem::create_directories(Path("docs/deep"));
  const auto stats = Run({"stats", "--json"}, {.directory = Path("docs/deep")}).Json();
  EXPECT_EQ(stats["store"]["path"], Path("docs/recall.db"));
}

TEST_F(SettingsTest, StoreByFlagAndEnvironment) {
  MakeSmallStore();
  const std::string elsewhere = Path("elsewhere");
  std::filesystem::create_directories(elsewhere);
  ASSERT_EQ(Run({"init", "other"}).exit, 0);
  const auto store_of = [&](std::vector<std::string> args, std::map<std::string, std::string> env) {
    args.insert(args.begin(), {"stats", "--json"});
    return Run(args, {.directory = elsewhere, .env = std::move(env)}).Json()["store"]["path"];
  };
  EXPECT_EQ(store_of({"--store", Path("other")}, {}), Path("other/recall.db"));
  EXPECT_EQ(store_of({"--store", "../other/recall.db"}, {}), Path("other/recall.db"));
  EXPECT_EQ(store_of({}, {{"RECALL_STORE", Path("other")}}), Path("other/recall.db"));
  EXPECT_EQ(store_of({"--store", Path("recall.db")}, {{"RECALL_STORE", Path("other")}}),
            Path("recall.db"));
  EXPECT_EQ(store_of({}, {}), Path("recall.db"));
}

TEST_F(SettingsTest, AStoreThatIsNotThereIsNotLookedForElsewhere) {
  MakeSmallStore();
  const RunResult result = Run({"stats", "--json", "--store", "nowhere"});
  EXPECT_EQ(result.exit, 3);
  EXPECT_EQ(result.Json()["error"]["code"], "store_not_found");
  EXPECT_NE(result.Json()["error"]["hint"].get<std::string>().find(Path("nowhere")),
            std::string::npos);
}

TEST_F(SettingsTest, StorePathNamesTheStore) {
  Write("recall.toml", "store_path = \"notes.db\"\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  EXPECT_TRUE(std::filesystem::exists(Path("notes.db")));
  std::filesystem::create_directories(Path("below"));
  EXPECT_EQ(Run({"stats", "--json"}, {.directory = Path("below")}).Json()["store"]["path"],
            Path("notes.db"));
}

// A settings file that came with a directory, such as a clone, must not lead to another store.
TEST_F(SettingsTest, AFileBesideAStoreNamesNoOtherDirectory) {
  Write("notes/private.md", "a private secret\n");
  ASSERT_EQ(Run({"init", "notes"}).exit, 0);
  ASSERT_EQ(Run({"add", "--store", "notes", "notes"}).exit, 0);
  Write("clone/r.md", "injected\n");
  const RunOptions there = {.directory = Path("clone")};
  for (const std::string& value : {Path("notes/recall.db"), std::string("../notes/recall.db"),
                                   std::string("./recall.db"), std::string("..")}) {
    Write("clone/recall.toml", "store_path = \"" + value + "\"\n");
    const RunResult search = Run({"search", "secret", "--json"}, there);
    EXPECT_EQ(search.exit, 3) << value << search;
    EXPECT_EQ(search.Json()["error"]["code"], "store_not_found");
    ASSERT_EQ(search.Json()["warnings"].size(), 1u) << search;
    EXPECT_TRUE(search.Json()["warnings"][0].get<std::string>().starts_with(
        Path("clone/recall.toml") + ":1: store_path is ignored here"))
        << search;
    EXPECT_EQ(Run({"add", "r.md"}, there).exit, 3);
    ASSERT_EQ(Run({"init"}, there).exit, 0);
    EXPECT_EQ(Run({"stats", "--json"}, there).Json()["store"]["path"], Path("clone/recall.db"));
    Erase("clone/recall.db");
  }
}

// The ignored key can be the reason why a store further up is used, so it is reported.
TEST_F(SettingsTest, AnIgnoredStorePathIsReportedWhereverTheStoreIs) {
  MakeSmallStore();
  Write("below/recall.toml", "max_limits = 3\nstore_path = \"data/recall.db\"\n");
  const auto stats = Run({"stats", "--json"}, {.directory = Path("below")}).Json();
  EXPECT_EQ(stats["store"]["path"], Path("recall.db"));
  ASSERT_EQ(stats["warnings"].size(), 1u) << stats;
  EXPECT_TRUE(stats["warnings"][0].get<std::string>().starts_with(
      Path("below/recall.toml") + ":2: store_path is ignored here"));
}

TEST_F(SettingsTest, TheUserMayNameAStoreAnywhere) {
  ASSERT_EQ(Run({"init", "notes"}).exit, 0);
  Write("elsewhere/x.md", "x\n");
  const std::string line = "store_path = \"" + Path("notes/recall.db") + "\"\n";
  Write("home/.config/recall/recall.toml", line);
  Write("mine.toml", line);
  const auto store = [&](const std::vector<std::string>& more, const std::string& name,
                         const std::string& value) {
    std::vector<std::string> args = {"stats", "--json"};
    args.insert(args.end(), more.begin(), more.end());
    return Run(args, {.directory = Path("elsewhere"), .env = {{name, value}}})
        .Json()["store"]["path"];
  };
  EXPECT_EQ(store({}, "HOME", Path("home")), Path("notes/recall.db"));
  EXPECT_EQ(store({}, "RECALL_STORE_PATH", Path("notes/recall.db")), Path("notes/recall.db"));
  EXPECT_EQ(store({"--config", Path("mine.toml")}, "X", ""), Path("notes/recall.db"));
}

// Anyone can put a store into a shared directory above the working directory.
TEST_F(SettingsTest, StoresHaveNamesOfTheUser) {
  Write("notes/n.md", "a note\n");
  Write("home/.config/recall/recall.toml",
        "stores = [\"mine=~/store.db\", \"notes=" + Path("far/notes") + "\"]\n");
  const auto run = [&](const std::vector<std::string>& args, const std::string& store = "") {
    return Run(args, {.env = {{"HOME", Path("home")}, {"RECALL_STORE", store}}});
  };
  const auto path = [&](const std::vector<std::string>& args, const std::string& store = "") {
    return run(args, store).Json()["store"]["path"];
  };
  EXPECT_EQ(path({"init", "mine", "--json"}), Path("home/store.db"));
  EXPECT_EQ(path({"init", "--store", "notes", "--json"}), Path("far/notes/recall.db"));
  ASSERT_EQ(run({"add", "notes/n.md", "--store", "notes"}).exit, 0);
  EXPECT_EQ(path({"stats", "--json"}, "notes"), Path("far/notes/recall.db"));
  EXPECT_EQ(path({"stats", "--json", "--store", "mine"}, "notes"), Path("home/store.db"));
  EXPECT_EQ(run({"merge", "notes", "--store", "mine", "--json"}).Json()["merge"]["added"], 1);

  // A name comes before a path; "./" says that it is a path.
  ASSERT_EQ(run({"init", "./notes"}).exit, 0);
  EXPECT_EQ(path({"stats", "--json", "--store", "notes"}), Path("far/notes/recall.db"));
  EXPECT_EQ(path({"stats", "--json", "--store", "./notes"}), Path("notes/recall.db"));

  const RunResult unknown = run({"stats", "--json", "--store", "mien"});
  EXPECT_EQ(unknown.Json()["error"]["code"], "store_not_found");
  EXPECT_NE(unknown.out.find("the names of stores are mine, notes"), std::string::npos) << unknown;
}

TEST_F(SettingsTest, AFileBesideAStoreGivesNoNames) {
  ASSERT_EQ(Run({"init", "private"}).exit, 0);
  const std::string stores = "stores = [\"team=" + Path("private") + "\"]\n";
  Write("clone/recall.toml", stores);
  ASSERT_EQ(Run({"init", "clone"}).exit, 0);
  const RunResult here = Run({"stats", "--json"}, {.directory = Path("clone")});
  EXPECT_EQ(here.exit, 0) << here;
  ASSERT_EQ(here.Json()["warnings"].size(), 1u) << here;
  EXPECT_TRUE(here.Json()["warnings"][0].get<std::string>().starts_with(
      Path("clone/recall.toml") + ":1: stores is ignored here"));
  const RunResult named = Run({"stats", "--json", "--store", "team"}, {.directory = Path("clone")});
  EXPECT_EQ(named.Json()["error"]["code"], "store_not_found") << named;
  // A file that the user names may.
  EXPECT_EQ(Run({"stats", "--store", "team", "--config", Path("clone/recall.toml")}).exit, 0);
}

TEST_F(SettingsTest, IllFormedNamesOfStoresAreOneError) {
  ASSERT_EQ(Run({"init"}).exit, 0);
  const RunResult result =
      Run({"stats", "--json"}, {.env = {{"RECALL_STORES", "team=relative/path"}}});
  EXPECT_EQ(result.exit, 2);
  EXPECT_EQ(result.Json()["error"]["code"], "invalid_argument");
  EXPECT_EQ(result.Json()["error"]["message"],
            "RECALL_STORES: stores: 'team=relative/path' names no store");
  EXPECT_EQ(Run({"config"}, {.env = {{"RECALL_STORES", "team=relative/path"}}}).exit, 0);
}

TEST_F(SettingsTest, AFoundStoreOfAnotherUserIsRefused) {
  MakeSmallStore();
  Write("docs/recall.toml", "safe_directories = \"*\"\n");
  Write("home/.config/recall/recall.toml",
        "safe_directories = [\"/srv\", \"" + directory() + "\"]\n");
  if (::getuid() != 0) GTEST_FAIL() << "this test changes owners and runs as root";
  ASSERT_EQ(::chown(Path("recall.db").c_str(), 65534, 65534), 0);
  const RunResult found = Run({"search", "segments", "--json"}, {.directory = Path("docs")});
  EXPECT_EQ(found.exit, 3) << found;
  EXPECT_EQ(found.Json()["error"]["code"], "io_error");
  EXPECT_NE(found.Json()["error"]["message"].get<std::string>().find("belongs to another user"),
            std::string::npos);
  EXPECT_NE(found.Json()["error"]["hint"].get<std::string>().find("safe_directories"),
            std::string::npos);
  EXPECT_EQ(Run({"add", "docs"}).exit, 3);
  // Named by the user, it is used.
  EXPECT_EQ(Run({"search", "segments", "--store", "."}).exit, 0);
  EXPECT_EQ(Run({"search", "segments"}, {.env = {{"RECALL_STORE", Path("recall.db")}}}).exit, 0);
  EXPECT_EQ(Run({"search", "segments"}, {.env = {{"RECALL_STORE_PATH", Path("recall.db")}}}).exit,
            0);
  EXPECT_EQ(Run({"search", "segments"}, {.env = {{"RECALL_SAFE_DIRECTORIES", directory()}}}).exit,
            0);
  EXPECT_EQ(Run({"search", "segments"}, {.env = {{"RECALL_SAFE_DIRECTORIES", "*"}}}).exit, 0);
  EXPECT_EQ(Run({"search", "segments"}, {.env = {{"HOME", Path("home")}}}).exit, 0);
  EXPECT_EQ(Run({"search", "segments"}, {.env = {{"RECALL_SAFE_DIRECTORIES", "docs"}}}).exit, 3);
  EXPECT_EQ(Run({"search", "x", "--store", "."}, {.env = {{"RECALL_SAFE_DIRECTORIES", "x"}}}).exit,
            2);
  // Its owner, also by sudo, and everyone for a store of root.
  EXPECT_EQ(Run({"search", "segments"}, {.env = {{"SUDO_UID", "65534"}}}).exit, 0);
  EXPECT_EQ(Run({"search", "segments"}, {.env = {{"SUDO_UID", "65533"}}}).exit, 3);
  EXPECT_EQ(Run({"search", "segments"}, {.unprivileged = true}).exit, 0);
  ASSERT_EQ(::chown(Path("recall.db").c_str(), 0, 0), 0);
  EXPECT_EQ(Run({"search", "segments"}, {.unprivileged = true}).exit, 0);
}

// A clone can contain a link to a store elsewhere, under any name that its recall.toml gives.
TEST_F(SettingsTest, AFoundLinkToAnotherStoreIsRefused) {
  Write("notes/private.md", "a private secret\n");
  ASSERT_EQ(Run({"init", "notes"}).exit, 0);
  ASSERT_EQ(Run({"add", "--store", "notes", "notes"}).exit, 0);
  const std::string before = Read("notes/recall.db");
  Write("clone/below/r.md", "injected\n");
  for (const std::string& name : {std::string("recall.db"), std::string("other.db")}) {
    Write("clone/recall.toml", "store_path = \"" + name + "\"\n");
    std::filesystem::create_symlink("../notes/recall.db", Path("clone/" + name));
    for (const std::string& place : {Path("clone"), Path("clone/below")}) {
      const RunResult search = Run({"search", "secret", "--json"}, {.directory = place});
      EXPECT_EQ(search.exit, 3) << search;
      EXPECT_EQ(search.Json()["error"]["code"], "io_error");
      EXPECT_NE(search.Json()["error"]["message"].get<std::string>().find(
                    "a symbolic link out of its directory, to " + Path("notes/recall.db")),
                std::string::npos);
      EXPECT_NE(search.Json()["error"]["hint"].get<std::string>().find("--store"),
                std::string::npos);
      EXPECT_EQ(Run({"add", Path("clone/below")}, {.directory = place}).exit, 3);
    }
    EXPECT_EQ(Run({"search", "secret", "--store", "clone"}).exit, 0);
    EXPECT_EQ(Run({"search", "secret"},
                  {.directory = Path("clone"), .env = {{"RECALL_SAFE_DIRECTORIES", Path("clone")}}})
                  .exit,
              0);
    Erase("clone/" + name);
  }
  EXPECT_EQ(Read("notes/recall.db"), before);
}

// Every command reads settings first, so none may hang or crash there.
TEST_F(SettingsTest, AHostileSettingsFileIsAUsageError) {
  MakeSmallStore();
  const auto refused = [&](const std::string& make, const std::string& reason) {
    const ShellResult beside = RunShell(
        "rm -rf recall.toml; " + make + "; ulimit -s 1024; timeout 60 recall search segments",
        directory());
    EXPECT_EQ(beside.exit, 2) << make << beside.out;
    EXPECT_NE(beside.out.find(Path("recall.toml") + reason), std::string::npos) << beside.out;
    const ShellResult named = RunShell(
        "mv recall.toml x.toml; timeout 60 recall search segments --config x.toml; code=$?; "
        "rm -r x.toml; exit $code",
        directory());
    EXPECT_EQ(named.exit, 2) << make << named.out;
    EXPECT_NE(named.out.find("x.toml" + reason), std::string::npos) << named.out;
  };
  const std::string irregular = ": the configuration file is not a regular file";
  refused("mkfifo recall.toml", irregular);
  refused("ln -s /dev/zero recall.toml", irregular);
  refused("mkdir recall.toml", irregular);
  refused("head -c 2000000 /dev/zero | tr '\\0' '#' > recall.toml",
          ": the configuration file is larger");
  refused("{ printf k; head -c 400000 /dev/zero | sed 's/\\x0/.k/g'; echo ' = 1'; } > recall.toml",
          ":1: keys or brackets are nested");
}

// The effective value of max_limit, which identifies the source of the settings.
std::string LimitOf(const RunResult& result) {
  const std::string words = "exceeds the limit of ";
  const size_t at = result.err.find(words);
  if (at == std::string::npos) return result.err;
  return result.err.substr(at + words.size(), result.err.find('\n') - at - words.size());
}

TEST_F(SettingsTest, StrongerSourcesWin) {
  MakeSmallStore();
  const std::vector<std::string> args = {"search", "-k", "5000", "segments"};
  EXPECT_EQ(LimitOf(Run(args)), "1000");
  Write("home/.config/recall/recall.toml", "max_limit = 10\n");
  std::map<std::string, std::string> env = {{"HOME", Path("home")}};
  EXPECT_EQ(LimitOf(Run(args, {.env = env})), "10");
  Write("xdg/recall/recall.toml", "max_limit = 20\n");
  env["XDG_CONFIG_HOME"] = Path("xdg");
  EXPECT_EQ(LimitOf(Run(args, {.env = env})), "20");
  Write("recall.toml", "max_limit = 30\n");
  EXPECT_EQ(LimitOf(Run(args, {.env = env})), "30");
  env["RECALL_MAX_LIMIT"] = "40";
  EXPECT_EQ(LimitOf(Run(args, {.env = env})), "40");
  Write("only.toml", "max_limit = 50\n");
  env.erase("RECALL_MAX_LIMIT");
  EXPECT_EQ(LimitOf(Run({"search", "-k", "5000", "x", "--config", "only.toml"}, {.env = env})),
            "50");
  env["RECALL_CONFIG"] = Path("only.toml");
  EXPECT_EQ(LimitOf(Run(args, {.env = env})), "50");
}

TEST_F(SettingsTest, BadSettingsNameTheirSource) {
  MakeSmallStore();
  const RunResult env = Run({"stats"}, {.env = {{"RECALL_THREADS", "lots"}}});
  EXPECT_EQ(env.exit, 2);
  EXPECT_NE(env.err.find("RECALL_THREADS must be a whole number"), std::string::npos) << env;
  Write("recall.toml", "\n\nmax_limit = -5\n");
  const RunResult file = Run({"stats"});
  EXPECT_EQ(file.exit, 2);
  EXPECT_NE(file.err.find(Path("recall.toml") + ":3: max_limit must be"), std::string::npos)
      << file;
  const RunResult missing = Run({"stats", "--config", "none.toml"});
  EXPECT_EQ(missing.exit, 1);
  EXPECT_NE(missing.err.find("none.toml"), std::string::npos) << missing;
  EXPECT_EQ(missing.err.find("store not found"), std::string::npos) << missing;
}

TEST_F(SettingsTest, UnknownKeysAreWarnedOf) {
  MakeSmallStore();
  Write("recall.toml", "chunk_size = 3\n");
  const RunResult text = Run({"search", "segments"});
  EXPECT_EQ(text.exit, 0);
  EXPECT_NE(text.err.find("warning: " + Path("recall.toml") + ":1: unknown key 'chunk_size'"),
            std::string::npos)
      << text;
  const auto json = Run({"search", "segments", "--json"}).Json();
  ASSERT_EQ(json["warnings"].size(), 1u);
  EXPECT_EQ(Run({"search", "segments", "--quiet"}).err, "");
}

TEST_F(SettingsTest, WhatTheStoreRecordedCannotBeOverruled) {
  MakeSmallStore();
  const RunResult env = Run({"add", "--json"}, {.env = {{"RECALL_CHUNK_TOKENS", "99"}}});
  EXPECT_EQ(env.exit, 2) << env;
  EXPECT_EQ(env.Json()["error"]["code"], "invalid_argument");
  EXPECT_NE(env.Json()["error"]["message"].get<std::string>().find("RECALL_CHUNK_TOKENS"),
            std::string::npos);
  EXPECT_EQ(Run({"stats"}, {.env = {{"RECALL_CHUNK_TOKENS", "256"}}}).exit, 0);
  Write("recall.toml", "embedding = \"model2vec\"\n");
  EXPECT_EQ(Run({"search", "segments"}).exit, 2);
}

TEST_F(SettingsTest, TheUsersFileServesStoresOfManyKinds) {
  MakeSmallStore();
  Write("home/.config/recall/recall.toml", "chunk_tokens = 64\n");
  const std::map<std::string, std::string> env = {{"HOME", Path("home")}};
  EXPECT_EQ(Run({"search", "segments"}, {.env = env}).exit, 0);
  ASSERT_EQ(Run({"init", "new"}, {.env = env}).exit, 0);
  EXPECT_EQ(Run({"stats", "--json", "--store", "new"}).Json()["store"]["chunk_tokens"], 64);
}

TEST_F(SettingsTest, WeightsDecideTheMode) {
  MakeSmallStore();
  const auto scores = [&](std::map<std::string, std::string> env) {
    return Run({"search", "--json", "--explain", "segments"}, {.env = std::move(env)})
        .Json()["explain"]["resolved_config"];
  };
  EXPECT_EQ(scores({{"RECALL_VECTOR_WEIGHT", "0.5"}})["vector_weight"], 0.5);
  EXPECT_EQ(
      Run({"search", "x"}, {.env = {{"RECALL_VECTOR_WEIGHT", "0"}, {"RECALL_BM25_WEIGHT", "0"}}})
          .exit,
      2);
}

TEST_F(SettingsTest, TheUsersEmbedderIsUsedWhereItIsConfigured) {
  MakeSmallStore();
  Write("home/.config/recall/recall.toml", R"([embedders.sizes]
kind = "command"
command = ["sh", "-c", "while read -r line; do echo \"[${#line},1,0,0,0,0,0,0]\"; done"]
)");
  const RunOptions mine = {.env = {{"HOME", Path("home")}}};
  const RunResult embedded = Run({"embed", "--as", "sizes", "--json"}, mine);
  ASSERT_EQ(embedded.exit, 0) << embedded;
  EXPECT_EQ(embedded.Json()["embed"]["embedder"], "sizes");
  EXPECT_EQ(embedded.Json()["embed"]["dim"], 8);
  const auto chunks = embedded.Json()["embed"]["chunks"];
  const RunResult found = Run({"search", "anything", "--vector", "-k", "100", "--json"}, mine);
  EXPECT_EQ(found.Json()["results"].size(), chunks) << found;

  const RunResult elsewhere = Run({"search", "anything", "--json"});
  EXPECT_EQ(elsewhere.exit, 1) << elsewhere;
  EXPECT_EQ(elsewhere.Json()["error"]["code"], "not_found");
  EXPECT_EQ(Run({"search", "anything", "--bm25"}).exit, 0);
  // Changing back to the LSA embedder does not need the program.
  EXPECT_EQ(Run({"embed", "--as", "lsa"}).exit, 0);
  EXPECT_EQ(Run({"search", "anything"}).exit, 0);
}

TEST_F(SettingsTest, TheUsersRankerRanksWhereItIsConfigured) {
  for (const char* name : {"b.md", "long.md", "longer.md"}) {
    Write(name, "Segments are merged in " + std::string(name) + ".\n");
  }
  Write("longest.txt", "Segments of worms.\n");
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"add", "b.md", "long.md", "longer.md", "longest.txt"}).exit, 0);
  // The longer the path, the better.
  Write("rank.sh", R"(while read -r line; do
  path=${line#*\"path\":\"}
  path=${path%%\"*}
  echo "${#path}"
done
)");
  const std::string table =
      "[rankers.paths]\ncommand = [\"sh\", \"" + Path("rank.sh") + "\"]\ntimeout = 60\n";
  Write("home/.config/recall/recall.toml", table);
  const RunOptions mine = {.env = {{"HOME", Path("home")}}};
  const auto paths = [&](std::vector<std::string> args) {
    args.insert(args.end(), {"--stages", "ranker:name=paths", "--json"});
    const RunResult found = Run(args, mine);
    EXPECT_EQ(found.exit, 0) << found;
    std::vector<std::string> all;
    const auto answer = found.Json();
    for (const auto& hit : answer["results"]) all.push_back(hit["doc"]["path"]);
    return all;
  };
  using Paths = std::vector<std::string>;
  EXPECT_EQ(paths({"search", "segments merged"}),
            (Paths{"longest.txt", "longer.md", "long.md", "b.md"}));
  EXPECT_EQ(paths({"search", "segments merged", "-k", "2", "--offset", "1"}),
            (Paths{"longer.md", "long.md"}));
  EXPECT_EQ(paths({"search", "segments merged", "--filter", "doc.path GLOB '*.md'"}),
            (Paths{"longer.md", "long.md", "b.md"}));
  EXPECT_EQ(paths({"similar", "b.md"}), (Paths{"longest.txt", "longer.md", "long.md"}));
  const RunResult explained =
      Run({"search", "segments", "--stages", "ranker:name=paths", "--explain", "-k", "1", "--json"},
          mine);
  const auto answer = explained.Json();
  EXPECT_EQ(answer["explain"]["stages"][0]["parameters"], "name=paths:weight=1") << explained;
  EXPECT_EQ(answer["explain"]["stages"][0]["note"], "paths scored 4 texts from 4 to 11");
  EXPECT_EQ(answer["results"][0]["explain"]["stages"][0]["note"], "scored 11") << explained;

  // A file beside a store starts no program.
  Write("recall.toml", table + "\n[rankers.worse]\ncommand = [\"touch\", \"started\"]\n");
  const RunResult refused = Run({"search", "segments", "--stages", "ranker:name=worse"}, mine);
  EXPECT_EQ(refused.exit, 1) << refused;
  EXPECT_NE(refused.err.find("rankers are ignored here"), std::string::npos) << refused;
  EXPECT_NE(refused.err.find("the ranker \"worse\" is not configured"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(Path("started")));
  // But it may choose among the user's own.
  Write("recall.toml", "stages = \"ranker:name=paths\"\n");
  EXPECT_NE(Run({"search", "segments", "-k", "1"}, mine).out.find("longest.txt"),
            std::string::npos);

  Write("rank.sh", "echo 'out of memory' >&2; exit 7\n");
  const RunResult failed = Run({"search", "segments", "--json"}, mine);
  EXPECT_EQ(failed.Json()["error"]["code"], "io_error") << failed;
  EXPECT_NE(failed.out.find("exited with code 7: out of memory"), std::string::npos) << failed;
}

}  // namespace
}  // namespace recall
