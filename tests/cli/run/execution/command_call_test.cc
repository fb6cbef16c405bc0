#include "cli/run/execution/command_call.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "tests/test_util.h"

namespace recall {
namespace {

// A store, and runners with a cache.
class CommandCallTest : public ::testing::Test {
 protected:
  CommandCallTest() {
    CreateOptions options;
    options.embedder = "hash";
    options.dim = 32;
    database_ = Database::Create(directory_ / "recall.db", options).value();
    Add("a.txt", "a heron at the pond");
  }

  void Add(const std::string& name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
    AddRequest request;
    request.paths = {directory_ / name};
    ASSERT_TRUE(database_->Add(request).has_value());
  }

  std::unique_ptr<CallRunner> MakeRunner(const std::string& scope = "") {
    CallSettings settings;
    settings.locate.store = directory_ / "recall.db";
    settings.scope = scope;
    settings.cache = cache_;
    settings.on_event = [this](const CallEvent& event) {
      events_.push_back(std::string(event.stage.stage) + (event.stage.ended ? "." : ""));
    };
    auto runner = std::make_unique<CallRunner>(std::move(settings));
    runner->Run(
        {FindCommand("stats"), {"--json"}});  // opens the store, without which there is no key
    return runner;
  }

  std::string Ask(CallRunner& runner, std::vector<std::string> more = {},
                  const std::string& command = "search") {
    events_.clear();
    std::vector<std::string> args = {"--json", "heron"};
    args.insert(args.end(), more.begin(), more.end());
    CallAnswer answer = runner.Run({FindCommand(command), std::move(args)});
    EXPECT_EQ(answer.exit, ExitCode::kDone) << answer.output;
    return answer.output;
  }
  // Whether the last question was answered from the cache.
  bool hit() const { return !events_.empty() && events_.front() == "cache.hit."; }

  TempDir directory_;
  std::unique_ptr<Database> database_;
  const std::shared_ptr<AnswerCache> cache_ = std::make_shared<AnswerCache>();
  std::vector<std::string> events_;
};

using Events = std::vector<std::string>;

TEST_F(CommandCallTest, TellsOfTheStagesOfASearch) {
  const auto runner = MakeRunner();
  Ask(*runner);
  const Events all = {"query.parse",  "query.parse.",  "bm25.search",
                      "bm25.search.", "vector.search", "vector.search.",
                      "rrf.fuse",     "rrf.fuse.",     "done."};
  EXPECT_EQ(events_, all);
  Ask(*runner, {"--bm25"});
  EXPECT_EQ(events_, (Events{"query.parse", "query.parse.", "bm25.search", "bm25.search.",
                             "rrf.fuse", "rrf.fuse.", "done."}));
  Ask(*runner);
  EXPECT_EQ(events_, (Events{"cache.hit.", "done."}));
}

TEST_F(CommandCallTest, TheCallThatOpensTheStoreIsNotKept) {
  CallSettings settings;
  settings.locate.store = directory_ / "recall.db";
  settings.cache = cache_;
  CallRunner runner(std::move(settings));
  // Whether a commit came before or after it, cannot be known.
  runner.Run({FindCommand("search"), {"--json", "heron"}});
  runner.Run({FindCommand("search"), {"--json", "heron"}});
  EXPECT_EQ(cache_->uses().hits, 0U);
  runner.Run({FindCommand("search"), {"--json", "heron"}});
  EXPECT_EQ(cache_->uses().hits, 1U);
}

TEST_F(CommandCallTest, ASearchThatIsAskedAgainHasTheSameBytes) {
  const auto runner = MakeRunner();
  const std::string first = Ask(*runner);
  EXPECT_FALSE(hit());
  EXPECT_EQ(Ask(*runner), first);
  EXPECT_TRUE(hit());
  // Also for another worker, once its store is open.
  const auto other = MakeRunner();
  EXPECT_EQ(Ask(*other), first);
  EXPECT_EQ(Ask(*other), first);
  EXPECT_TRUE(hit());
}

TEST_F(CommandCallTest, EveryCommitEndsWhatWasKept) {
  const auto runner = MakeRunner();
  const std::string before = Ask(*runner);
  Add("b.txt", "another heron");
  const std::string after = Ask(*runner);
  EXPECT_FALSE(hit());
  EXPECT_NE(after, before);
  EXPECT_NE(after.find("b.txt"), std::string::npos);
}

TEST_F(CommandCallTest, OtherQuestionsAreOtherAnswers) {
  const auto runner = MakeRunner();
  const auto scoped = MakeRunner("doc.path = 'absent'");
  Ask(*runner);
  Ask(*runner, {"-k", "1"});
  EXPECT_FALSE(hit());
  Ask(*runner, {}, "context");
  EXPECT_FALSE(hit());
  Ask(*scoped);
  const std::string nothing = Ask(*scoped);
  EXPECT_TRUE(hit());
  EXPECT_EQ(nothing.find("a.txt"), std::string::npos);
}

TEST_F(CommandCallTest, ChangedSettingsAreAnotherQuestion) {
  const auto runner = MakeRunner();
  Ask(*runner);
  Ask(*runner);
  EXPECT_TRUE(hit());
  std::ofstream(directory_ / "recall.toml") << "fusion = \"rrf\"\n";
  const std::string changed = Ask(*runner);
  EXPECT_FALSE(hit());
  Ask(*runner);
  // Not that of the old settings, although the question is the same.
  EXPECT_EQ(Ask(*runner), changed);
  EXPECT_TRUE(hit());
}

TEST_F(CommandCallTest, AnotherFileInPlaceOfTheStoreIsRead) {
  const auto runner = MakeRunner();
  Ask(*runner);
  database_.reset();
  for (const char* file : {"recall.db", "recall.db-wal", "recall.db-shm"}) {
    std::filesystem::remove(directory_ / file);
  }
  CreateOptions options;
  options.embedder = "hash";
  options.dim = 32;
  database_ = Database::Create(directory_ / "recall.db", options).value();
  Add("c.txt", "the third heron");
  EXPECT_NE(Ask(*runner).find("c.txt"), std::string::npos);
  EXPECT_FALSE(hit());
}

TEST_F(CommandCallTest, AnExplanationTellsWhetherTheAnswerIsKept) {
  const auto runner = MakeRunner();
  const auto state = [&](std::vector<std::string> more = {}) {
    more.push_back("--explain");
    const std::string answer = Ask(*runner, more);
    EXPECT_FALSE(hit());
    for (const std::string name : {"none", "hit", "miss"}) {
      if (answer.find("\"query\":\"" + name + "\"") != std::string::npos) return name;
    }
    return std::string();
  };
  EXPECT_EQ(state(), "miss");
  EXPECT_EQ(state(), "miss");
  Ask(*runner);
  EXPECT_EQ(state(), "hit");
  EXPECT_EQ(state({"-k", "3"}), "miss");
}

TEST_F(CommandCallTest, ACallCanDoWithoutTheCache) {
  const auto runner = MakeRunner();
  Ask(*runner);
  Ask(*runner);
  EXPECT_TRUE(hit());
  events_.clear();
  runner->Run({FindCommand("search"), {"--json", "heron"}, /*anew=*/true});
  EXPECT_FALSE(hit());
}

TEST_F(CommandCallTest, ErrorsAreNotKept) {
  const auto runner = MakeRunner();
  Ask(*runner);
  const CommandCall wrong = {FindCommand("search"), {"--json", "--filter", "nonsense", "heron"}};
  EXPECT_EQ(runner->Run(wrong).exit, ExitCode::kUsage);
  events_.clear();
  EXPECT_EQ(runner->Run(wrong).exit, ExitCode::kUsage);
  EXPECT_FALSE(hit());
}

TEST_F(CommandCallTest, AKeptAnswerIsNotGivenAfterAFileOfItsHasChanged) {
  const auto runner = MakeRunner();
  const std::string before = Ask(*runner);
  Ask(*runner);
  EXPECT_TRUE(hit());
  std::filesystem::rename(directory_ / "a.txt", directory_ / "away");
  const std::string marked = Ask(*runner);
  EXPECT_FALSE(hit());
  EXPECT_NE(marked.find(R"("source_state":"deleted")"), std::string::npos) << marked;
  Ask(*runner);
  EXPECT_TRUE(hit());
  std::filesystem::rename(directory_ / "away", directory_ / "a.txt");
  EXPECT_EQ(Ask(*runner), before);
  EXPECT_FALSE(hit());
}

}  // namespace
}  // namespace recall
