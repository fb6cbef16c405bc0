// `recall config`: the effective settings and their origins.

#include <fstream>
#include <sstream>

#include "tests/cli/recall_process.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

class ConfigCommandTest : public RecallTest {
 protected:
  // {"value", "origin"} of each key.
  std::map<std::string, std::pair<std::string, std::string>> Settings(RunOptions options = {}) {
    const RunResult result = Run({"config", "--json"}, std::move(options));
    EXPECT_EQ(result.exit, 0) << result;
    std::map<std::string, std::pair<std::string, std::string>> settings;
    const auto json = result.Json();
    for (const auto& setting : json["config"]["settings"]) {
      settings[setting["key"]] = {setting["value"].dump(), setting["origin"]};
    }
    return settings;
  }
};

using Pair = std::pair<std::string, std::string>;

TEST_F(ConfigCommandTest, WithoutAStoreItIsWhatInitWouldUse) {
  const RunResult result = Run({"config"});
  EXPECT_EQ(result.exit, 0) << result;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "# store: " + Path("recall.db") +
                            " (does not exist yet)\n"
                            "store_path       = \"recall.db\"  # default\n"
                            "chunk_tokens     = 256          # default\n"
                            "overlap_tokens   = 32           # default\n"
                            "code_chunker     = \"auto\"       # default\n"
                            "encoding         = \"auto\"       # default\n"
                            "lang             = \"auto\"       # default\n"
                            "embedding        = \"lsa\"        # default\n"
                            "embedding_dim    = 256          # default\n"
                            "bm25_weight      = 0.8          # default\n"
                            "vector_weight    = 0.2          # default\n"
                            "fusion           = \"default\"    # default\n"
                            "stages           = \"\"           # default\n"
                            "keywords         = \"\"           # default\n"
                            "synonyms         = \"\"           # default\n"
                            "field_weights    = \"\"           # default\n"
                            "cues             = \"\"           # default\n"
                            "notes_dir        = \"\"           # default\n"
                            "review_algorithm = \"sm2\"        # default\n"
                            "review_easiness  = 2.5          # default\n"
                            "token_counter    = \"estimate\"   # default\n"
                            "max_limit        = 1000         # default\n"
                            "threads          = 0            # default\n"
                            "busy_timeout_ms  = 10000        # default\n"
                            "verify           = \"first_use\"  # default\n"
                            "check_sources    = \"yes\"        # default\n"
                            "secrets          = \"warn\"       # default\n"
                            "auto_backup      = 0            # default\n"
                            "ann_bits         = 0            # default\n"
                            "ann_seed         = 42           # default\n"
                            "safe_directories = \"\"           # default\n"
                            "stores           = \"\"           # default\n");
  EXPECT_FALSE(std::filesystem::exists(Path("recall.db")));
  const auto json = Run({"config", "--json"}).Json()["config"];
  EXPECT_EQ(json["store"]["exists"], false);
  EXPECT_EQ(json["store"]["path"], Path("recall.db"));
}

TEST_F(ConfigCommandTest, EverySourceIsNamed) {
  ASSERT_EQ(Run({"init", "--chunk-tokens", "64", "--ann-seed", "7"}).exit, 0);
  Write("home/.config/recall/recall.toml", "max_limit = 10\nbm25_weight = 1\n");
  Write("recall.toml", "\nmax_limit = 20\n");
  const RunOptions options = {.env = {{"HOME", Path("home")}, {"RECALL_BUSY_TIMEOUT_MS", "5"}}};
  auto settings = Settings(options);
  EXPECT_EQ(settings["chunk_tokens"], Pair("64", "store"));
  EXPECT_EQ(settings["ann_seed"], Pair("7", "store"));
  EXPECT_EQ(settings["max_limit"], Pair("20", Path("recall.toml") + ":2"));
  EXPECT_EQ(settings["bm25_weight"], Pair("1.0", Path("home/.config/recall/recall.toml") + ":2"));
  EXPECT_EQ(settings["busy_timeout_ms"], Pair("5", "RECALL_BUSY_TIMEOUT_MS"));
  EXPECT_EQ(settings["threads"], Pair("0", "default"));

  const auto json = Run({"config", "--json", "--threads", "4"}, options).Json();
  std::map<std::string, std::string> sources;
  for (const auto& setting : json["config"]["settings"])
    sources[setting["key"]] = setting["source"];
  EXPECT_EQ(sources["threads"], "flag");
  EXPECT_EQ(sources["chunk_tokens"], "store");
  EXPECT_EQ(sources["max_limit"], "file");
  EXPECT_EQ(sources["busy_timeout_ms"], "environment");
  EXPECT_EQ(sources["embedding"], "store");
  EXPECT_EQ(sources["store_path"], "default");
}

TEST_F(ConfigCommandTest, OneValueIsPrintedAlone) {
  Write("recall.toml", "store_path = \"a \\\"b\\\".db\"\n");
  EXPECT_EQ(Run({"config", "chunk_tokens"}).out, "256\n");
  EXPECT_EQ(Run({"config", "store_path"}).out, "a \"b\".db\n");
  EXPECT_EQ(Run({"config", "bm25_weight"}).out, "0.8\n");
  EXPECT_EQ(Run({"config", "--json", "threads"}).Json()["config"]["settings"].size(), 1u);
  const RunResult unknown = Run({"config", "max_limits"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_EQ(unknown.err, "error: KEY cannot be 'max_limits'\nhint: did you mean max_limit?\n");
  EXPECT_EQ(Run({"config", "--path", "threads"}).exit, 2);
}

// The output is itself a settings file with the same meaning.
TEST_F(ConfigCommandTest, TheOutputIsASettingsFile) {
  Write("first.toml", "store_path = \"a\\\\b \\u0001.db\"\nbm25_weight = 0.25\nthreads = 3\n");
  const RunResult printed = Run({"config", "--config", "first.toml"});
  Write("second.toml", printed.out);
  const RunResult again = Run({"config", "--config", "second.toml"});
  const auto values_of = [](const std::string& text) {
    std::istringstream lines(text);
    std::string values;
    for (std::string line; std::getline(lines, line);) {
      values += line.substr(0, line.rfind("  # ")) + "\n";
    }
    return values;
  };
  EXPECT_EQ(values_of(again.out), values_of(printed.out));
  EXPECT_NE(printed.out.find("0.25"), std::string::npos) << printed;
}

TEST_F(ConfigCommandTest, TheFilesThatWereLookedFor) {
  MakeSmallStore();
  Write("docs/recall.toml", "threads = 2\n");
  Write("home/.config/recall/recall.toml", "");
  const RunOptions below = {.directory = Path("docs"), .env = {{"HOME", Path("home")}}};
  const RunResult result = Run({"config", "--path"}, below);
  EXPECT_EQ(result.out, "read      " + Path("home/.config/recall/recall.toml") +
                            "\n"
                            "absent    " +
                            Path("recall.toml") +
                            "\n"
                            "unused    " +
                            Path("docs/recall.toml") +
                            "\n"
                            "store     " +
                            Path("recall.db") + "\n");
  EXPECT_EQ(Settings(below)["threads"], Pair("0", "default"));
  const RunResult named = Run({"config", "--path", "--config", "docs/recall.toml"});
  EXPECT_EQ(named.out, "read      docs/recall.toml\nstore     " + Path("recall.db") + "\n");
  const RunResult nowhere = Run({"config", "--path", "--store", "x.db"});
  EXPECT_NE(nowhere.out.find("\nno store  " + Path("x.db") + "\n"), std::string::npos) << nowhere;
}

TEST_F(ConfigCommandTest, WhatStopsOtherCommandsIsAWarning) {
  MakeSmallStore();
  const RunOptions wrong = {.env = {{"RECALL_CHUNK_TOKENS", "99"}}};
  const RunResult result = Run({"config"}, wrong);
  EXPECT_EQ(result.exit, 0);
  EXPECT_NE(result.err.find("warning: RECALL_CHUNK_TOKENS sets chunk_tokens = 99"),
            std::string::npos)
      << result;
  EXPECT_EQ(Settings(wrong)["chunk_tokens"], Pair("256", "store"));
  EXPECT_EQ(Run({"stats"}, wrong).exit, 2);

  const RunResult weights = Run(
      {"config", "--json"}, {.env = {{"RECALL_BM25_WEIGHT", "0"}, {"RECALL_VECTOR_WEIGHT", "0"}}});
  EXPECT_EQ(weights.Json()["warnings"].size(), 1u) << weights;
}

TEST_F(ConfigCommandTest, WhatCannotBeReadIsAnError) {
  Write("recall.toml", "max_limit = [1]\n");
  const RunResult file = Run({"config"});
  EXPECT_EQ(file.exit, 2);
  EXPECT_NE(file.err.find("recall.toml:1: max_limit must be"), std::string::npos) << file;
  Erase("recall.toml");
  Write("recall.db", "not a store, though it is long enough to be taken for one at first sight\n");
  EXPECT_EQ(Run({"config"}).exit, 4);
}

// The table of docs/cli/settings.md has every key and its default.
TEST_F(ConfigCommandTest, TheManualHasEveryKeyAndItsDefault) {
  std::ifstream file(SourceDir() + "/docs/cli/settings.md");
  std::ostringstream manual;
  manual << file.rdbuf();
  const auto settings = Settings();
  EXPECT_EQ(settings.size(), 31u);
  for (const auto& [key, setting] : settings) {
    const std::string value =
        setting.first.starts_with('"') ? "`" + setting.first + "`" : setting.first;
    EXPECT_NE(manual.str().find("| `" + key + "` | " + value + " |"), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace recall
