#include "cli/options/settings/config.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <random>
#include <sstream>

#include "cli/options/settings/recorded_settings.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

class ConfigFileTest : public ::testing::Test {
 protected:
  Result<ConfigLayer> Read(const std::string& text) {
    path_ = dir_ / "recall.toml";
    std::ofstream(path_) << text;
    warnings_.clear();
    programs_ = {};
    views_.clear();
    secrets_ = {};
    return ReadConfigFile(path_, trusted_ ? &programs_ : nullptr, &views_, &warnings_, &secrets_);
  }

  TempDir dir_;
  bool trusted_ = false;  // like the user's own settings file
  UserPrograms programs_;
  std::vector<View> views_;
  SecretSettings secrets_;
  std::string path_;
  std::vector<std::string> warnings_;
};

constexpr const char* kSecretsTable = R"([secrets]
policy = "redact"
allow = ["^test-"]
[[secrets.rule]]
id = "acme"
pattern = 'ACME-([0-9]{6})'
keywords = ["acme"]
entropy = 2
[[secrets.rule]]
id = "other"
pattern = "zz+"
)";

TEST_F(ConfigFileTest, TheTableSecretsHasRules) {
  trusted_ = true;
  ASSERT_OK_AND_ASSIGN(const ConfigLayer layer, Read(kSecretsTable));
  ASSERT_EQ(layer.size(), 1u);
  EXPECT_EQ(layer[0].key, "secrets");
  EXPECT_EQ(std::get<std::string>(layer[0].value), "redact");
  EXPECT_EQ(secrets_.allow, std::vector<std::string>{"^test-"});
  const std::vector<SecretRule> expected = {{"acme", "ACME-([0-9]{6})", {"acme"}, 2},
                                            {"other", "zz+", {}, 0}};
  EXPECT_EQ(secrets_.rules, expected);
  // What is printed can be read again.
  const SecretSettings read = secrets_;
  ASSERT_OK(Read(PrintSecretSettings(read, "redact")));
  EXPECT_EQ(secrets_.rules, read.rules);
  EXPECT_EQ(secrets_.allow, read.allow);
}

TEST_F(ConfigFileTest, OnlyTheUserSaysWhatIsNoSecret) {
  ASSERT_OK(Read(kSecretsTable));
  EXPECT_EQ(secrets_.rules.size(), 2u);
  EXPECT_TRUE(secrets_.allow.empty());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("recall.toml:3: allow is ignored"), std::string::npos);
}

TEST_F(ConfigFileTest, RulesForSecretsAreChecked) {
  for (const char* text :
       {"[secrets]\nx = 1\n", "[secrets]\npolicy = 1\n", "[secrets]\npolicy = \"hide\"\n",
        "[secrets]\nallow = \"a\"\n", "[secrets]\nrule = 1\n", "[[secrets.rule]]\nid = \"a\"\n",
        "[[secrets.rule]]\nid = \"a\"\npattern = \"b\"\nentropy = 9\n",
        "[[secrets.rule]]\nid = \"a\"\npattern = \"b\"\nkeywords = [1]\n"}) {
    const auto layer = Read(text);
    ASSERT_FALSE(layer) << text;
    EXPECT_EQ(layer.error().code(), StatusCode::kInvalidArgument);
    EXPECT_NE(layer.error().message().find("recall.toml:"), std::string::npos) << text;
  }
}

TEST_F(ConfigFileTest, TheUsersOwnFileDescribesEmbedders) {
  trusted_ = true;
  ASSERT_OK_AND_ASSIGN(const ConfigLayer layer, Read(R"(
threads = 2
[embedders.potion]
kind = "model2vec"
path = "/models/potion"
[embedders.mine]
kind = "command"
command = ["python3", "embed.py"]
model = "v1"
[embedders.nomic]
kind = "ollama"
url = "http://127.0.0.1:11434"
model = "nomic-embed-text"
key_variable = "MY_KEY"
dim = 768
)"));
  EXPECT_EQ(layer.size(), 1u);
  EXPECT_TRUE(warnings_.empty());
  ASSERT_EQ(programs_.embedders.size(), 3u);  // toml++ sorts by name
  EXPECT_EQ(programs_.embedders[0].name, "mine");
  EXPECT_EQ(programs_.embedders[0].kind, EmbedderKind::kCommand);
  EXPECT_EQ(programs_.embedders[0].command, (std::vector<std::string>{"python3", "embed.py"}));
  EXPECT_EQ(programs_.embedders[0].model, "v1");
  EXPECT_EQ(programs_.embedders[1].kind, EmbedderKind::kOllama);
  EXPECT_EQ(programs_.embedders[1].url, "http://127.0.0.1:11434");
  EXPECT_EQ(programs_.embedders[1].model, "nomic-embed-text");
  EXPECT_EQ(programs_.embedders[1].key_variable, "MY_KEY");
  EXPECT_EQ(programs_.embedders[1].dim, 768u);
  EXPECT_EQ(programs_.embedders[2].kind, EmbedderKind::kModel2Vec);
  EXPECT_EQ(programs_.embedders[2].path, "/models/potion");
}

// A settings file in another user's directory must not make Recall run a program.
TEST_F(ConfigFileTest, OtherFilesMayNotDescribeEmbedders) {
  ASSERT_OK_AND_ASSIGN(const ConfigLayer layer, Read(R"(
[embedders.mine]
kind = "command"
command = ["rm", "-rf", "/"]
)"));
  EXPECT_TRUE(layer.empty());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("only your own recall.toml may"), std::string::npos);
}

TEST_F(ConfigFileTest, OnlyTheUsersOwnFileDescribesRankers) {
  const std::string text =
      "[rankers.mine]\ncommand = [\"rank\", \"-x\"]\ntimeout = 5\n"
      "[rankers.plain]\ncommand = [\"/bin/rank\"]\n";
  ASSERT_TRUE(Read(text).has_value());
  ASSERT_EQ(warnings_.size(), 1u);
  EXPECT_NE(warnings_[0].find("rankers are ignored here"), std::string::npos);
  trusted_ = true;
  ASSERT_TRUE(Read(text).has_value());
  EXPECT_TRUE(warnings_.empty());
  ASSERT_EQ(programs_.rankers.size(), 2u);
  EXPECT_EQ(programs_.rankers[0].name, "mine");
  EXPECT_EQ(programs_.rankers[0].command, (std::vector<std::string>{"rank", "-x"}));
  EXPECT_EQ(programs_.rankers[0].timeout, std::chrono::seconds(5));
  EXPECT_EQ(programs_.rankers[1].timeout, std::chrono::seconds(30));
}

TEST_F(ConfigFileTest, ViewsAreReadFromEveryFile) {
  ASSERT_OK_AND_ASSIGN(const ConfigLayer layer, Read(R"(
threads = 2
[view.mine]
filter = "doc.tag = 'a'"
fusion = "rrf"
field_weights = "title=4:body=1"
stages = ["recency", "mmr:lambda=0.5"]
k = 5
min_score = 0
strong = 0.25
payload = "lean"
hops = 1
[view."two.parts"]
stages = ""
)"));
  EXPECT_EQ(layer.size(), 1u);
  EXPECT_TRUE(warnings_.empty());
  ASSERT_EQ(views_.size(), 2u);
  EXPECT_EQ(views_[0].origin, path_ + ":3");
  EXPECT_EQ(PrintView(views_[0]), R"([view.mine]
filter = "doc.tag = 'a'"
fusion = "rrf"
field_weights = "title=4:body=1"
stages = "recency,mmr:lambda=0.5"
k = 5
min_score = 0.0
strong = 0.25
payload = "lean"
hops = 1
)");
  EXPECT_EQ(PrintView(views_[1]), "[view.\"two.parts\"]\nstages = \"\"\n");
}

TEST_F(ConfigFileTest, AWrongViewIsRefusedAtItsLine) {
  const std::pair<const char*, const char*> cases[] = {
      {"view = 3", ":1: view must be tables"},
      {"[view]\nmine = 3", ":2: view.mine: it must be a table"},
      {"[view.\"A b\"]\nk = 1", ":1: view.A b: the name of a view"},
      {"[view.v]\nlimit = 3", ":2: view.v: unknown key 'limit'; known: filter, fusion,"},
      {"[view.v]\nk = 0", ":2: view.v: k must be a whole number from 1 to 1000000"},
      {"[view.v]\nk = 1.5", ":2: view.v: k must be a whole number"},
      {"[view.v]\nk = 2026-01-01", ":2: view.v: k must be a whole number"},
      {"[view.v]\n\nmin_score = 1.1", ":3: view.v: min_score must be a number from 0 to 1"},
      {"[view.v]\nstrong = \"high\"", ":2: view.v: strong must be a number from 0 to 1"},
      {"[view.v]\nstrong = 0.1\nmin_score = 0.2", ":1: view.v: strong must be at least min_score"},
      {"[view.v]\npayload = \"thin\"", ":2: view.v: payload must be lean or full"},
      {"[view.v]\npayload = true", ":2: view.v: payload must be lean or full"},
      {"[view.v]\nhops = 2", ":2: view.v: hops must be a whole number from 0 to 1"},
      {"[view.v]\nfilter = \" \"", ":2: view.v: filter must be text that is not empty"},
      {"[view.v]\nfilter = [\"a\"]", ":2: view.v: filter must be text that is not empty"},
      {"[view.v]\nstages = [1]", ":2: view.v: stages must be text, or a list of texts"},
  };
  for (const auto& [text, message] : cases) {
    const auto layer = Read(text);
    ASSERT_FALSE(layer.has_value()) << text;
    EXPECT_EQ(layer.error().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_NE(layer.error().message().find(message), std::string::npos) << layer.error().ToString();
    EXPECT_TRUE(layer.error().message().starts_with(path_ + ":")) << layer.error().ToString();
  }
}

TEST(ViewSettingsTest, AViewWinsOverSettingsAndFlagsOverTheView) {
  View view;
  view.name = "v";
  view.fusion = "rrf";
  view.stages = "mmr";
  view.hops = 1;
  ConfigLayers layers;
  layers.user = {{"fusion", "legs", "/u/recall.toml:1"}};
  layers.environment = {{"stages", "rm3", "RECALL_STAGES"}};
  ASSERT_OK_AND_ASSIGN(const Config with, WithView(ResolveConfig(layers), view));
  EXPECT_EQ(with.fusion, "rrf");
  EXPECT_EQ(with.stages, "hops,mmr");
  layers.flags = {{"fusion", "weighted", "--fusion"}, {"stages", "", "--stages"}};
  ASSERT_OK_AND_ASSIGN(const Config flags, WithView(ResolveConfig(layers), view));
  EXPECT_EQ(flags.fusion, "weighted");
  EXPECT_EQ(flags.stages, "");
  layers.flags.clear();
  view.stages = "hops:max=2,mmr";  // with parameters of its own
  ASSERT_OK_AND_ASSIGN(const Config own, WithView(ResolveConfig(layers), view));
  EXPECT_EQ(own.stages, "hops:max=2,mmr");
}

TEST_F(ConfigFileTest, AWrongEmbedderIsRefusedAtItsLine) {
  trusted_ = true;
  const std::pair<const char*, const char*> cases[] = {
      {"embedders = 3", ":1: embedders must be tables"},
      {"[embedders]\nmine = 3", ":2: embedders.mine: it must be a table"},
      {"[embedders.lsa]\nkind = \"command\"", ":1: embedders.lsa: the name of an embedder"},
      {"[embedders.\"a b\"]\nkind = \"command\"", "the name of an embedder"},
      {"[embedders.x]\nmodel = \"v\"", ":1: embedders.x: kind is missing"},
      {"[embedders.x]\nkind = \"magic\"", ":2: embedders.x: kind must be"},
      {"[embedders.x]\nkind = 3", ":2: embedders.x: kind must be"},
      {"[embedders.x]\nkind = \"model2vec\"", "path is missing"},
      {"[embedders.x]\nkind = \"command\"", "command is missing"},
      {"[embedders.x]\nkind = \"command\"\ncommand = \"ls -l\"",
       ":3: embedders.x: command must be"},
      {"[embedders.x]\nkind = \"command\"\ncommand = []", "command must be a list"},
      {"[embedders.x]\nkind = \"command\"\ncommand = [1]", "command must be a list of texts"},
      {"[embedders.x]\nkind = \"openai\"\nurl = \"http://a\"", "url or model is missing"},
      {"[embedders.x]\nkind = \"openai\"\nurl = \"\"", "url must be text that is not empty"},
      {"[embedders.x]\nkind = \"openai\"\ndim = 7", ":3: embedders.x: dim must be 8 to 4096"},
      {"[embedders.x]\nkind = \"openai\"\nkey = \"sk\"", ":3: embedders.x: unknown key 'key'"},
      {"rankers = 3", ":1: rankers must be tables"},
      {"[rankers]\nmine = 3", ":2: rankers.mine: it must be a table"},
      {"[rankers.\"a:b\"]\ncommand = [\"x\"]", ":1: rankers.a:b: the name of a ranker"},
      {"[rankers.x]\ntimeout = 3", ":1: rankers.x: command is missing"},
      {"[rankers.x]\ncommand = \"ls -l\"", ":2: rankers.x: command must be a list"},
      {"[rankers.x]\ncommand = [\"\"]", ":2: rankers.x: command must be a list"},
      {"[rankers.x]\ntimeout = 0", ":2: rankers.x: timeout must be 1 to 3600 seconds"},
      {"[rankers.x]\ntimeout = 1.5", ":2: rankers.x: timeout must be 1 to 3600 seconds"},
      {"[rankers.x]\nurl = \"x\"", ":2: rankers.x: unknown key 'url'; known: command, timeout"},
  };
  for (const auto& [text, message] : cases) {
    const auto layer = Read(text);
    ASSERT_FALSE(layer.has_value()) << text;
    EXPECT_EQ(layer.error().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_NE(layer.error().message().find(message), std::string::npos) << layer.error().ToString();
    EXPECT_TRUE(layer.error().message().starts_with(path_ + ":")) << layer.error().ToString();
  }
}

Config Resolve(ConfigLayer layer) {
  ConfigLayers layers;
  layers.store = std::move(layer);
  return ResolveConfig(layers);
}

TEST_F(ConfigFileTest, ReadsEveryKey) {
  ASSERT_OK_AND_ASSIGN(const ConfigLayer layer, Read(R"(
store_path = "notes.db"
chunk_tokens = 100
overlap_tokens = 10
embedding = "HASH"
embedding_dim = 64
bm25_weight = 1
vector_weight = 0.25
fusion = "rrf"
stages = ["mmr", "recency:half-life=7d"]
keywords = ["a => doc.path = 'x'", "b => doc.tag = 'y' => 0.5"]
max_limit = 50
threads = 2
busy_timeout_ms = 0
ann_bits = 16
ann_seed = 7
stores = ["team=postgres://a@b/c", "notes=/srv/notes.db"]
)"));
  EXPECT_TRUE(warnings_.empty());
  const Config config = Resolve(layer);
  EXPECT_EQ(config.store_path, "notes.db");
  EXPECT_EQ(config.chunk_tokens, 100);
  EXPECT_EQ(config.overlap_tokens, 10);
  EXPECT_EQ(config.embedding, "hash");
  EXPECT_EQ(config.embedding_dim, 64);
  EXPECT_EQ(config.bm25_weight, 1.0);
  EXPECT_EQ(config.vector_weight, 0.25);
  EXPECT_EQ(config.fusion, "rrf");
  EXPECT_EQ(RankingFrom(config).fusion, FusionMethod::kReciprocalRank);
  EXPECT_EQ(RankingFrom(config).stages, "mmr,recency:half-life=7d");
  EXPECT_EQ(RankingFrom(config).keywords, "a => doc.path = 'x'\nb => doc.tag = 'y' => 0.5");
  EXPECT_EQ(config.max_limit, 50);
  EXPECT_EQ(config.threads, 2);
  EXPECT_EQ(config.busy_timeout_ms, 0);
  EXPECT_EQ(config.ann_bits, 16);
  EXPECT_EQ(config.ann_seed, 7);
  EXPECT_EQ(config.stores, "team=postgres://a@b/c;notes=/srv/notes.db");
  EXPECT_EQ(config.origins.find("threads")->second, path_ + ":13");
}

TEST_F(ConfigFileTest, WarnsOfUnknownKeysAndGoesOn) {
  ASSERT_OK_AND_ASSIGN(const ConfigLayer layer, Read("chunk_token = 5\nmax_limit = 9\n"));
  EXPECT_EQ(warnings_, std::vector<std::string>{path_ + ":1: unknown key 'chunk_token' is ignored; "
                                                        "did you mean chunk_tokens?"});
  EXPECT_EQ(Resolve(layer).max_limit, 9);
}

TEST_F(ConfigFileTest, NamesFileAndLineOfWhatIsWrong) {
  const std::pair<std::string, std::string> cases[] = {
      {"\nchunk_tokens = \"many\"\n", ":2: chunk_tokens must be a whole number from 1 to 65536"},
      {"chunk_tokens = 0\n", ":1: chunk_tokens must be a whole number from 1 to 65536"},
      {"chunk_tokens = 2.5\n", ":1: chunk_tokens must be a whole number from 1 to 65536"},
      {"threads = [1]\n", ":1: threads must be a whole number from 0 to 1024"},
      {"bm25_weight = nan\n", ":1: bm25_weight must be a number from 0 to 1000000"},
      {"vector_weight = -0.1\n", ":1: vector_weight must be a number from 0 to 1000000"},
      {"store_path = 3\n", ":1: store_path must be text that is not empty"},
      {"store_path = \"\"\n", ":1: store_path must be text that is not empty"},
      {"fusion = \"sum\"\n", ":1: fusion must be one of default,legs,weighted,rrf,parts,grouped"},
      {"fusion = \"parts:word=1\"\n", ":1: the fusion parts has no part 'word'"},
      {"fusion = [\"rrf\"]\n", ":1: fusion must be one of default,legs,weighted,rrf,parts,grouped"},
      {"stages = [1]\n", ":1: stages must be text, or a list of texts"},
      {"keywords = 2026-01-01\n", ":1: keywords must be text, or a list of texts"},
      {"ann_seed = -1\n", ":1: ann_seed must be a whole number from 0 to 9223372036854775807"},
  };
  for (const auto& [text, message] : cases) {
    const Result<ConfigLayer> layer = Read(text);
    ASSERT_FALSE(layer.has_value()) << text;
    EXPECT_EQ(layer.error().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(layer.error().message(), path_ + message);
  }
  const Result<ConfigLayer> broken = Read("threads = 1\n= nonsense [[\n");
  ASSERT_FALSE(broken.has_value());
  EXPECT_TRUE(broken.error().message().starts_with(path_ + ":2: ")) << broken.error().message();
}

TEST_F(ConfigFileTest, SurvivesAnyBytes) {
  for (const std::string& text : {std::string("\0\0\0", 3), std::string("\xff\xfe\n"),
                                  std::string(5000, '['), std::string("a=\"")}) {
    EXPECT_FALSE(Read(text).has_value());
  }
  EXPECT_OK(Read(""));
  EXPECT_OK(Read("# nothing\r\n"));
}

// Every random file is either read or rejected.
TEST_F(ConfigFileTest, SurvivesRandomFiles) {
  constexpr std::string_view kPieces[] = {
      "threads", "=", "[", "]", "{",    "}",  "\"", "'", "\\u",  "\n", ".",  "1", "-",
      "e",       ",", "#", " ", "\xff", "0x", "_",  ":", "true", "\r", "\0", "T", "\"\"\""};
  std::mt19937_64 random(TestSeed(7));
  for (int i = 0; i < 3000; ++i) {
    std::string text;
    for (uint64_t length = random() % 30; length > 0; --length) {
      text += kPieces[random() % std::size(kPieces)];
    }
    const Result<ConfigLayer> layer = Read(text);
    if (!layer) {
      EXPECT_EQ(layer.error().code(), StatusCode::kInvalidArgument) << text;
    }
  }
}

TEST_F(ConfigFileTest, MissingFilesAndDirectoriesAreErrors) {
  EXPECT_EQ(ReadConfigFile(dir_ / "none.toml", nullptr, &views_, &warnings_).error().code(),
            StatusCode::kNotFound);
  EXPECT_EQ(ReadConfigFile(dir_.path(), nullptr, &views_, &warnings_).error().code(),
            StatusCode::kInvalidArgument);
}

// Neither waits for a writer, nor reads a device that has no end.
TEST_F(ConfigFileTest, OnlyRegularFilesAreRead) {
  const std::string fifo = dir_ / "fifo.toml";
  const std::string zero = dir_ / "zero.toml";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  ASSERT_EQ(::symlink("/dev/zero", zero.c_str()), 0);
  for (const std::string& path : {fifo, zero, dir_.path()}) {
    const Result<ConfigLayer> layer = ReadConfigFile(path, nullptr, &views_, &warnings_);
    ASSERT_FALSE(layer.has_value()) << path;
    EXPECT_EQ(layer.error().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(layer.error().message(), path + ": the configuration file is not a regular file");
    EXPECT_FALSE(layer.error().hint().empty());
  }
  EXPECT_OK(ReadConfigFile("/dev/null", nullptr, &views_, &warnings_));
}

TEST_F(ConfigFileTest, AMebibyteIsRead) {
  EXPECT_OK(Read("#" + std::string((1 << 20) - 1, 'x')));
  const Result<ConfigLayer> large = Read("#" + std::string(1 << 20, 'x'));
  ASSERT_FALSE(large.has_value());
  EXPECT_EQ(large.error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(large.error().message(), path_ + ": the configuration file is larger than 1 MiB");
}

TEST_F(ConfigFileTest, DeepKeysAreRefusedWithTheirLine) {
  std::string key = "\nk";
  for (int i = 0; i < 200'000; ++i) key += ".k";
  const Result<ConfigLayer> deep = Read(key + " = 1\n");
  ASSERT_FALSE(deep.has_value());
  EXPECT_EQ(deep.error().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(deep.error().message(), path_ + ":2: keys or brackets are nested more than 16 deep");
}

// The deepest text that is parsed: nested keys in nested brackets, below a nested table.
TEST_F(ConfigFileTest, WhatIsParsedNeedsLittleStack) {
  const std::string key = "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a";
  std::string text = "[" + key + "]\n" + key + " = ";
  for (int i = 0; i < 8; ++i) text += "[{" + key + " = ";
  text += "1";
  for (int i = 0; i < 8; ++i) text += "}]";
  bool read = false;
  std::function<void()> body = [&] { read = Read(text).has_value(); };
  const auto run = [](void* what) -> void* {
    (*static_cast<std::function<void()>*>(what))();
    return nullptr;
  };
  pthread_attr_t small;
  ASSERT_EQ(pthread_attr_init(&small), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&small, 1 << 20), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &small, run, &body), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&small);
  EXPECT_TRUE(read);  // with a warning of an unknown key
}

ConfigEntry Entry(std::string_view key, std::string_view text, const std::string& origin) {
  Result<ConfigEntry> entry = internal::ParseConfigEntry(key, text, origin);
  EXPECT_TRUE(entry.has_value()) << entry.error().ToString();
  return *entry;
}

TEST(ConfigTest, StrongerLayersCoverWeakerOnes) {
  ConfigLayers layers;
  EXPECT_EQ(ResolveConfig(layers).threads, 0);
  layers.user = {Entry("threads", "1", "u.toml:1"), Entry("max_limit", "10", "u.toml:2")};
  EXPECT_EQ(ResolveConfig(layers).threads, 1);
  layers.store = {Entry("threads", "2", "s.toml:1")};
  EXPECT_EQ(ResolveConfig(layers).threads, 2);
  layers.environment = {Entry("threads", "3", "RECALL_THREADS")};
  EXPECT_EQ(ResolveConfig(layers).threads, 3);
  layers.flags = {Entry("threads", "4", "--threads")};
  const Config config = ResolveConfig(layers);
  EXPECT_EQ(config.threads, 4);
  EXPECT_EQ(config.max_limit, 10);
  EXPECT_EQ(config.origins.find("threads")->second, "--threads");
  EXPECT_FALSE(config.IsSet("chunk_tokens"));
}

TEST(ConfigTest, WordsAreCheckedLikeFiles) {
  const auto error = [](std::string_view key, std::string_view text, const std::string& origin) {
    const auto entry = internal::ParseConfigEntry(key, text, origin);
    return entry ? "" : std::string(entry.error().message());
  };
  EXPECT_EQ(error("threads", "many", "RECALL_THREADS"),
            "RECALL_THREADS must be a whole number from 0 to 1024");
  EXPECT_EQ(error("threads", "-1", "--threads"), "--threads must be a whole number from 0 to 1024");
  EXPECT_EQ(error("threads", "1 ", "--threads"), "--threads must be a whole number from 0 to 1024");
  EXPECT_EQ(error("bm25_weight", "inf", "RECALL_BM25_WEIGHT"),
            "RECALL_BM25_WEIGHT must be a number from 0 to 1000000");
  EXPECT_EQ(error("bm25_weight", "1", "RECALL_BM25_WEIGHT"), "");
}

TEST(ConfigTest, AStoreIsCalledByOneWellFormedName) {
  const auto fault_of = [](const std::string& stores) {
    Config config;
    config.stores = stores;
    return std::string(CheckConfig(config).message());
  };
  for (const char* fine :
       {"", ";", "a=/b", "a=~/b; c-1_d=postgres://u@h/d postgres://u@i/d?store=x ", "a=/b=c",
        "a=/b;b=/b"}) {
    EXPECT_EQ(fault_of(fine), "") << fine;
  }
  for (const char* nameless : {"/b", "=/b", "A=/b", "1=/b", "a b=/c", "postgres://h/d?store=x"}) {
    EXPECT_NE(fault_of(nameless).find("does not begin with NAME="), std::string::npos) << nameless;
  }
  for (const char* placeless : {"a", "a=", "a=b", "a=./b", "a=~", "a=http://b"}) {
    EXPECT_NE(fault_of(placeless).find("names no store"), std::string::npos) << placeless;
  }
  EXPECT_NE(fault_of("a=/b;a=/c").find("two stores are called 'a'"), std::string::npos);
}

TEST(ConfigTest, SmallChunksShrinkTheDefaultOverlapOnly) {
  ConfigLayers layers;
  layers.flags = {Entry("chunk_tokens", "16", "--chunk-tokens")};
  EXPECT_EQ(ResolveConfig(layers).overlap_tokens, 2);
  EXPECT_OK(CheckConfig(ResolveConfig(layers)));
  layers.flags.push_back(Entry("overlap_tokens", "16", "--overlap-tokens"));
  EXPECT_EQ(CheckConfig(ResolveConfig(layers)).code(), StatusCode::kInvalidArgument);
}

TEST(ConfigTest, RefusesToRankByNothing) {
  ConfigLayers layers;
  layers.flags = {Entry("bm25_weight", "0", "a"), Entry("vector_weight", "0", "b")};
  EXPECT_EQ(CheckConfig(ResolveConfig(layers)).code(), StatusCode::kInvalidArgument);
}

StatsReport DefaultStore() {
  StatsReport store;
  store.path = "/x/recall.db";
  store.embedder = "hash";
  store.dim = 256;
  store.chunk_tokens = 256;
  store.overlap_tokens = 32;
  return store;
}

TEST(ConfigTest, WhatTheStoreRecordedWins) {
  ConfigLayers layers;
  EXPECT_FALSE(MayContradictStore(layers));
  layers.environment = {Entry("chunk_tokens", "100", "RECALL_CHUNK_TOKENS")};
  EXPECT_TRUE(MayContradictStore(layers));
  const Status status = CheckAgainstStore(layers, DefaultStore());
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "RECALL_CHUNK_TOKENS sets chunk_tokens = 100, but /x/recall.db was created with 256");
}

TEST(ConfigTest, AgreementAndOpenQuestionsAreNoContradiction) {
  ConfigLayers layers;
  layers.store = {Entry("chunk_tokens", "256", "s.toml:1"), Entry("embedding", "Hash", "s.toml:2"),
                  Entry("embedding_dim", "0", "s.toml:3")};
  EXPECT_OK(CheckAgainstStore(layers, DefaultStore()));
}

TEST(ConfigTest, TheManualKnowsEveryKey) {
  std::ostringstream manual;
  manual << std::ifstream(SourceDir() + "/docs/cli/settings.md").rdbuf();
  for (const std::string& key : internal::ConfigKeyNames()) {
    EXPECT_NE(manual.str().find("| `" + key + "` |"), std::string::npos) << key;
  }
}

// The user's own settings file serves stores with different settings.
TEST(ConfigTest, TheUsersOwnFileIsNotHeldAgainstAStore) {
  ConfigLayers layers;
  layers.user = {Entry("chunk_tokens", "100", "u.toml:1"), Entry("embedding", "other", "u.toml:2")};
  EXPECT_FALSE(MayContradictStore(layers));
  EXPECT_OK(CheckAgainstStore(layers, DefaultStore()));
}

}  // namespace
}  // namespace recall
