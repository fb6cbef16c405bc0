// A signal ends commands that wait for an embedder or a ranker that never answers.

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <future>

#include "tests/cli/recall_process.h"
#include "tests/index/embed/remote/local_server.h"

namespace recall {
namespace {

class SilentEmbedderTest : public RecallTest {
 protected:
  SilentEmbedderTest() {
    Write("a.md", "needle");
    EXPECT_EQ(Run({"init"}).exit, 0);
    EXPECT_EQ(Run({"add", "a.md"}).exit, 0);
  }

  // Uses a command that answers until the file "silent" exists.
  void UseCommand() {
    Write("answer.sh",
          "while read line; do\n"
          "  if [ -e " +
              Path("silent") +
              " ]; then\n"
              "    exec 9> " +
              Path("fifo") +
              "; echo started >&9; sleep 1000\n"
              "  fi\n"
              "  echo '[1,0,0,0,0,0,0,0]'\n"
              "done\n");
    Write("settings.toml",
          "[embedders.mine]\nkind = \"command\"\nmodel = \"m\"\ndim = 8\n"
          "command = [\"/bin/sh\", \"" +
              Path("answer.sh") + "\"]\n[rankers.mine]\ncommand = [\"/bin/sh\", \"" +
              Path("answer.sh") + "\"]\ntimeout = 1000\n");
  }

  pid_t StartWithSettings(std::vector<std::string> args) {
    args.insert(args.end(), {"--config", Path("settings.toml")});
    return Start(args);
  }
};

TEST_F(SilentEmbedderTest, OneSignalEndsTheProgramAndTheCommand) {
  UseCommand();
  EXPECT_EQ(Run({"embed", "--as", "mine", "--config", Path("settings.toml")}).exit, 0);
  Write("silent", "");
  Write("b.md", "haystack");
  ASSERT_EQ(::mkfifo(Path("fifo").c_str(), 0600), 0);
  const std::vector<std::vector<std::string>> commands = {
      {"search", "needle", "--vector"},
      {"search", "needle"},
      {"context", "needle"},
      {"search", "needle", "--bm25", "--stages", "ranker:name=mine"},
      {"add", "b.md"}};
  for (const auto& command : commands) {
    for (const int signal : {SIGINT, SIGTERM}) {
      const pid_t child = StartWithSettings(command);
      const int reader = ::open(Path("fifo").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
      pollfd polled = {reader, POLLIN, 0};
      EXPECT_EQ(::poll(&polled, 1, 20'000), 1) << "the command was not started";
      ::kill(child, signal);
      EXPECT_EQ(Wait(child).exit, 130) << command.front();
      char message[100];
      EXPECT_GT(::read(reader, message, sizeof(message)), 0);
      EXPECT_EQ(::poll(&polled, 1, 20'000), 1) << "the command is still there";
      EXPECT_EQ(polled.revents, POLLHUP);
      ::close(reader);
    }
  }
}

TEST_F(SilentEmbedderTest, OneSignalEndsEmbedThatWaitsForAServer) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::promise<void> asked;
    std::promise<void> ended;
    const LocalServer server([&](const ServedRequest&) {
      asked.set_value();
      ended.get_future().wait();
      return std::string();
    });
    Write("settings.toml", "[embedders.mine]\nkind = \"openai\"\nmodel = \"m\"\ndim = 8\nurl = \"" +
                               server.url() + "\"\n");
    const pid_t child = StartWithSettings({"embed", "--as", "mine"});
    asked.get_future().wait();
    ::kill(child, signal);
    EXPECT_EQ(Wait(child).exit, 130);
    ended.set_value();
  }
}

// A hybrid search answers without vectors, at once; a semantic one cannot.
TEST_F(SilentEmbedderTest, AServerThatIsDownCostsTheVectorsNotTheAnswer) {
  {
    const LocalServer server([](const ServedRequest& request) {
      const auto input = nlohmann::json::parse(request.body)["input"];
      nlohmann::json data = nlohmann::json::array();
      for (size_t i = 0; i < input.size(); ++i) {
        data.push_back({{"index", i}, {"embedding", {1, 0, 0, 0, 0, 0, 0, 0}}});
      }
      return Answer(200, nlohmann::json{{"data", data}}.dump());
    });
    Write("settings.toml", "[embedders.mine]\nkind = \"openai\"\nmodel = \"m\"\ndim = 8\nurl = \"" +
                               server.url() + "\"\n");
    EXPECT_EQ(Run({"embed", "--as", "mine", "--config", Path("settings.toml")}).exit, 0);
  }
  for (const char* command : {"search", "context"}) {
    const RunResult hybrid = Run({command, "needle", "--json", "--config", Path("settings.toml")});
    EXPECT_EQ(hybrid.exit, 0) << hybrid;
    const auto json = hybrid.Json();
    EXPECT_EQ(json["stats"]["total_hits"], 1);
    ASSERT_EQ(json["warnings"].size(), 1u) << hybrid;
    EXPECT_TRUE(json["warnings"][0].get<std::string>().starts_with("searched without vectors: "));
  }
  const RunResult semantic =
      Run({"search", "needle", "--vector", "--json", "--config", Path("settings.toml")});
  EXPECT_EQ(semantic.exit, 3) << semantic;
  EXPECT_EQ(semantic.Json()["error"]["code"], "io_error");
}

}  // namespace
}  // namespace recall
