// `recall watch` as a process: what it prints, how it ends, and how it shares the store.

#include <csignal>
#include <filesystem>

#include "storage/store/store.h"
#include "tests/cli/followed_lines.h"
#include "tests/cli/json_schema.h"
#include "tests/cli/recall_process.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

class WatchProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Write("tree/a.md", "the first text\n");
  }
  ~WatchProcessTest() override {
    if (child_ > 0) End(SIGKILL);
  }

  void Watch(std::vector<std::string> flags, RunOptions options = {}) {
    flags.insert(flags.begin(), {"watch", "tree", "--stable"});
    options.stdout_file = lines_.path();
    child_ = Start(flags, options);
  }
  std::string Line() { return lines_.Next(); }
  Json JsonLine() {
    const std::string line = Line();
    Json json = Json::parse(line, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << line;
    return json;
  }
  // One event for a new file, and not one for each write.
  void Save(const std::string& name, const std::string& text) {
    Write("unsaved", text);
    fs::rename(Path("unsaved"), Path(name));
  }
  RunResult End(int signal) {
    ::kill(child_, signal);
    return Wait(std::exchange(child_, 0));
  }

  FollowedLines lines_{Path("lines")};
  pid_t child_ = 0;
};

TEST_F(WatchProcessTest, PrintsALineForEachBatch) {
  Watch({});
  EXPECT_EQ(Line(), "added 1 (1 file)");
  EXPECT_EQ(Line(), "watching 1 directory");
  Save("tree/b.md", "a zebra\n");
  EXPECT_EQ(Line(), "added 1 (1 file)");
  EXPECT_NE(Run({"search", "zebra"}).out.find("tree/b.md"), std::string::npos);
  Save("tree/b.md", "a quagga\n");
  EXPECT_EQ(Line(), "updated 1 (1 file)");
  fs::rename(Path("tree/b.md"), Path("tree/.b"));
  EXPECT_EQ(Line(), "removed 1");
  EXPECT_EQ(End(SIGINT).exit, 0);
  EXPECT_EQ(lines_.rest(), "");
}

TEST_F(WatchProcessTest, JsonLinesFollowTheSchema) {
  Watch({"--json"});
  const SchemaSet schemas = SchemaSet::Load(SourceDir() + "/docs/schema");
  const auto next = [&] {
    const Json line = JsonLine();
    for (const std::string& violation : schemas.Violations("watch.schema.json", line)) {
      ADD_FAILURE() << violation << "\n" << line;
    }
    EXPECT_EQ(line["ok"], true);
    return line["watch"];
  };
  const Json first = next();
  EXPECT_EQ(first["event"], "batch");
  EXPECT_EQ(first["added"], 1);
  const Json ready = next();
  EXPECT_EQ(ready["event"], "ready");
  EXPECT_EQ(ready["directories"], 1);
  EXPECT_EQ(ready["polled"], 0);
  fs::remove(Path("tree/a.md"));
  EXPECT_EQ(next()["removed_paths"], Json({"tree/a.md"}));
  fs::rename(Path("tree"), Path("elsewhere"));
  const Json lost = JsonLine();
  EXPECT_EQ(lost["watch"]["event"], "problem");
  EXPECT_EQ(lost["warnings"].size(), 1u);
  EXPECT_EQ(End(SIGTERM).exit, 0);
}

TEST_F(WatchProcessTest, WaitsForAnotherWriter) {
  ASSERT_OK_AND_ASSIGN(const auto store, Store::Open(Path("recall.db")));
  ASSERT_OK_AND_ASSIGN(auto writing, store->BeginWrite());
  Watch({"--json"}, {.env = {{"RECALL_BUSY_TIMEOUT_MS", "1"}}});
  const Json waiting = JsonLine();
  EXPECT_EQ(waiting["watch"]["event"], "problem") << waiting;
  EXPECT_NE(waiting["warnings"][0].get<std::string>().find("trying again"), std::string::npos);
  writing = nullptr;
  Json line = JsonLine();
  while (line["watch"]["event"] == "problem") line = JsonLine();
  EXPECT_EQ(line["watch"]["added"], 1);
  EXPECT_EQ(End(SIGINT).exit, 0);
}

TEST_F(WatchProcessTest, ALogInTheTreeIsNoReasonToWriteIt) {
  Write("tree/watch.log", "");
  RunOptions options;
  options.stdout_file = Path("tree/watch.log");
  child_ = Start({"watch", "tree", "--stable"}, options);
  while (Read("tree/watch.log").find("watching") == std::string::npos) ::sched_yield();
  Save("tree/b.md", "text\n");
  while (Read("tree/watch.log").find("watching 1 directory\nadded 1") == std::string::npos) {
    ::sched_yield();
  }
  Save("tree/c.md", "text\n");
  std::string log;
  do {
    log = Read("tree/watch.log");
  } while (std::ranges::count(log, '\n') < 4);
  EXPECT_EQ(log, "added 2 (2 files)\nwatching 1 directory\nadded 1 (1 file)\nadded 1 (1 file)\n");
  EXPECT_EQ(End(SIGINT).exit, 0);
}

TEST_F(WatchProcessTest, WrongArguments) {
  const RunResult missing = Run({"watch", "nowhere", "--json"});
  EXPECT_EQ(missing.exit, 1) << missing;
  EXPECT_EQ(missing.Json()["error"]["code"], "not_found");
  EXPECT_EQ(Run({"watch", "tree", "--poll", "0"}).exit, 2);
  EXPECT_EQ(Run({"watch", "tree", "--glob", "[", "--json"}).exit, 2);
}

}  // namespace
}  // namespace recall
