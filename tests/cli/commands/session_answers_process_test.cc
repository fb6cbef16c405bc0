// `recall sessions`: answers below questions, copies, commands and outputs, as users and clients
// see them.

#include <filesystem>
#include <fstream>

#include "tests/cli/json_schema.h"
#include "tests/cli/recall_process.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

class SessionAnswersProcessTest : public RecallTest {
 protected:
  // A session of Claude Code: a question, an answer, a command with its output.
  void Converse(const std::string& id, const std::string& more = "") {
    const auto line = [&](const std::string& type, int second, const nlohmann::json& content) {
      const nlohmann::json object = {
          {"type", type},
          {"sessionId", id},
          {"uuid", id + std::to_string(second)},
          {"timestamp", "2026-02-25T10:00:0" + std::to_string(second) + ".000Z"},
          {"cwd", directory()},
          {"message",
           {{"role", type}, {"id", "m" + std::to_string(second)}, {"content", content}}}};
      return object.dump() + "\n";
    };
    const nlohmann::json use = nlohmann::json::array({{{"type", "tool_use"},
                                                       {"id", "t"},
                                                       {"name", "Bash"},
                                                       {"input", {{"command", "make test"}}}}});
    const nlohmann::json result =
        nlohmann::json::array({{{"type", "tool_result"}, {"content", "undefined reference"}}});
    std::string lines =
        line("user", 1, "Why is the gateway slow?") +
        line("assistant", 2,
             nlohmann::json::array({{{"type", "text"}, {"text", "It has no cache."}}})) +
        line("assistant", 3, use) + line("user", 4, result);
    if (!more.empty()) lines += line("user", 5, more);
    Write("transcripts/" + id + ".jsonl", lines);
  }

  void SetUp() override {
    Converse("aaaa");
    Converse("bbbb", "Thanks.");
    ASSERT_EQ(Run({"init"}).exit, 0);
    ASSERT_EQ(Run({"capture", "transcripts", "--from", "claude-code"}).exit, 0);
  }

  nlohmann::ordered_json Asked(std::vector<std::string> args) {
    args.insert(args.begin(), "sessions");
    args.push_back("--json");
    const RunResult result = Run(std::move(args));
    EXPECT_EQ(result.exit, 0) << result.err;
    auto answer = result.Json();
    const SchemaSet schemas = SchemaSet::Load(SourceDir() + "/docs/schema");
    for (const std::string& violation : schemas.Violations("sessions.schema.json", answer)) {
      ADD_FAILURE() << violation << "\n" << answer;
    }
    return answer;
  }
};

TEST_F(SessionAnswersProcessTest, AQuestionIsAnsweredAndItsCopiesAreCounted) {
  const RunResult text = Run({"sessions", "gateway", "slow"});
  ASSERT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find("    answered: It has no cache.\n"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("    and 1 more with the same turns\n"), std::string::npos) << text.out;
  const auto answer = Asked({"gateway", "slow"});
  ASSERT_EQ(answer["results"].size(), 1u) << answer;
  const auto& hit = answer["results"][0];
  EXPECT_EQ(hit["answer"]["turn"], 1);
  EXPECT_EQ(hit["answer"]["text"], "It has no cache.");
  EXPECT_EQ(hit["identical"], 1);
  EXPECT_EQ(
      Asked({"gateway", "slow", "--identical", "list"})["results"][0]["identical_chunks"].size(),
      1u);
  EXPECT_EQ(Asked({"gateway", "slow", "--identical", "keep"})["results"].size(), 2u);
  const auto full = Asked({"gateway", "slow", "--payload", "full"});
  EXPECT_EQ(full["results"][0]["answer"]["role"], "assistant");
  // A line of --lean has little of it, and named fields have none.
  EXPECT_NE(Run({"sessions", "gateway", "slow", "--lean"})
                .out.find(R"(,"answer":{"turn":1,"text":"It has no cache."}})"),
            std::string::npos);
  EXPECT_EQ(Run({"sessions", "gateway", "slow", "--fields", "path", "--lean"}).out.find("answer"),
            std::string::npos);
  // Clients of rekal are told of each session.
  EXPECT_EQ(Run({"sessions", "gateway", "--shape", "rekal"}).Json()["total"], 2);
  // A search in the same view says the same.
  const RunResult viewed = Run({"search", "gateway slow", "--view", "sessions"});
  EXPECT_NE(viewed.out.find("    answered: It has no cache.\n"), std::string::npos) << viewed.out;
}

TEST_F(SessionAnswersProcessTest, CommandsAndOutputsChooseSessions) {
  const RunResult text =
      Run({"sessions", "--ran", "MAKE test", "--outputs", "reference", "-n", "1"});
  ASSERT_EQ(text.exit, 0) << text.err;
  EXPECT_NE(text.out.find("    ran in turn 1: make test\n"
                          "    output in turn 1: undefined reference\n"),
            std::string::npos)
      << text.out;
  const auto answer = Asked({"--ran", "make", "--outputs", "UNDEFINED"});
  ASSERT_EQ(answer["results"].size(), 2u) << answer;
  EXPECT_EQ(answer["results"][0]["ran"][0]["command"], "make test");
  EXPECT_EQ(answer["results"][0]["outputs"][0]["line"], 4);
  EXPECT_TRUE(Asked({"--ran", "gateway"})["results"].empty());
  EXPECT_TRUE(Asked({"--outputs", "gateway"})["results"].empty());
  EXPECT_FALSE(Asked({"gateway"})["results"][0].contains("ran"));
  EXPECT_EQ(Run({"sessions", "--outputs", " "}).exit, 2);
  EXPECT_EQ(Run({"sessions", "--ran", ""}).exit, 2);
}

}  // namespace
}  // namespace recall
