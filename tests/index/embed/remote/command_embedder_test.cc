#include "index/embed/remote/command_embedder.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <thread>

#include "index/embed/remote/vector_json.h"
#include "tests/test_paths.h"
#include "tests/test_util.h"

namespace recall {
namespace {

CommandEmbedderOptions Options(const std::string& mode, const std::string& more = "") {
  CommandEmbedderOptions options;
  options.argv = {BuildDir() + "/tests/index/answer_program", mode};
  if (!more.empty()) options.argv.push_back(more);
  options.dim = 4;
  return options;
}

std::string TryEmbed(CommandEmbedderOptions options, size_t texts = 1) {
  const size_t dim = options.dim;
  const auto embedder = CommandEmbedder::Open(std::move(options));
  if (!embedder) return embedder.error().ToString();
  const std::vector<std::string_view> all(texts, "text");
  std::vector<float> vectors(texts * dim);
  return (*embedder)->Embed(all, vectors).ToString();
}

size_t OpenFiles() {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    count += entry.is_symlink() ? 1 : 0;
  }
  return count;
}

TEST(CommandEmbedderTest, AsksAndBringsToUnitLength) {
  for (const std::string mode : {"answer", "object"}) {
    ASSERT_OK_AND_ASSIGN(const auto embedder, CommandEmbedder::Open(Options(mode)));
    const std::string_view texts[] = {"a \"quoted\"\nline", "", "\xff"};
    std::vector<float> vectors(3 * 4);
    ASSERT_OK(embedder->Embed(texts, vectors));
    // The input lines are {"text":"a \"quoted\"\nline"}, {"text":""} and {"text":"\ufffd"}.
    const double sizes[] = {29, 11, 14};
    for (size_t i = 0; i < 3; ++i) {
      const double length = mode == "answer" ? std::sqrt(sizes[i] * sizes[i] + 1) : sizes[i];
      EXPECT_NEAR(vectors[4 * i], mode == "answer" ? sizes[i] / length : 0, 1e-6);
      EXPECT_NEAR(vectors[4 * i + 1], mode == "answer" ? 1 / length : 1, 1e-6);
    }
    ASSERT_OK(embedder->Embed({}, {}));
  }
}

TEST(CommandEmbedderTest, TheTextArrivesAsItIs) {
  EXPECT_EQ(TryEmbed(Options("echo")),
            "io_error: the embedding command wrote 0 of 1 vectors, then exited with code 1: "
            "{\"text\":\"text\"}");
}

TEST(CommandEmbedderTest, TheCommandIsStartedOnce) {
  ASSERT_OK_AND_ASSIGN(const auto embedder, CommandEmbedder::Open(Options("pid")));
  const std::string_view text = "text";
  std::vector<float> first(4);
  std::vector<float> second(4);
  ASSERT_OK(embedder->Embed(std::span(&text, 1), first));
  ASSERT_OK(embedder->Embed(std::span(&text, 1), second));
  EXPECT_EQ(first, second);
}

TEST(CommandEmbedderTest, DetectsTheDimension) {
  CommandEmbedderOptions options = Options("answer");
  options.dim = 0;
  ASSERT_OK_AND_ASSIGN(const auto embedder, CommandEmbedder::Open(options));
  EXPECT_EQ(embedder->identity().dim, 4u);
  options = Options("print", "[]");
  options.dim = 0;
  EXPECT_EQ(TryEmbed(options),
            "invalid_argument: the embedding command writes vectors of 0 dimensions");
}

// Each text would get the vector of the one before.
TEST(CommandEmbedderTest, ATrialFindsALineTooMany) {
  for (const std::string mode : {"greet", "farewell"}) {
    for (const uint32_t dim : {0u, 4u}) {
      CommandEmbedderOptions options = Options(mode);
      options.dim = dim;
      options.trial = true;
      EXPECT_EQ(TryEmbed(options), "io_error: the embedding command wrote more lines than it read");
    }
  }
  CommandEmbedderOptions options = Options("answer");
  options.trial = true;
  EXPECT_EQ(TryEmbed(options, 3), "ok");
  options.dim = 5;
  EXPECT_EQ(TryEmbed(options),
            "invalid_argument: line 1 of the embedding command's output: it has 4 dimensions, "
            "expected 5");
}

TEST(CommandEmbedderTest, TheIdentitySaysWhichCommand) {
  const auto version = [](CommandEmbedderOptions options) {
    return (*CommandEmbedder::Open(std::move(options)))->identity().version;
  };
  EXPECT_EQ(version(Options("answer")), version(Options("answer")));
  EXPECT_EQ(version(Options("answer")).size(), 18u);
  EXPECT_NE(version(Options("answer")), version(Options("answer", "x")));
  CommandEmbedderOptions named = Options("answer");
  named.model = "mine-2";
  EXPECT_NE(version(Options("answer")), version(named));
}

// 20 MB of input and 160 MB of output, through pipes of 64 KiB.
TEST(CommandEmbedderTest, FullPipesBlockNobody) {
  const std::string text(1000, 'x');
  const std::vector<std::string_view> texts(20'000, text);
  std::vector<float> vectors(texts.size() * 4);
  for (const std::string mode : {"wide", "noisy"}) {
    ASSERT_OK_AND_ASSIGN(const auto embedder, CommandEmbedder::Open(Options(mode)));
    ASSERT_OK(embedder->Embed(texts, vectors));
    EXPECT_EQ(vectors[vectors.size() - 4], 1);
  }
  ASSERT_OK_AND_ASSIGN(const auto late, CommandEmbedder::Open(Options("late", "20000")));
  ASSERT_OK(late->Embed(texts, vectors));
}

TEST(CommandEmbedderTest, FaultsAreNamed) {
  CommandEmbedderOptions none;
  EXPECT_EQ(TryEmbed(none), "invalid_argument: the embedder \"command\" has no command");
  none.argv = {"/nowhere/program"};
  none.dim = 4;
  EXPECT_EQ(TryEmbed(none), "not_found: embedding command: no such program: \"/nowhere/program\"");
  none.argv = {"/"};
  EXPECT_EQ(TryEmbed(none), "io_error: embedding command: cannot start \"/\": Permission denied");
  EXPECT_EQ(TryEmbed(Options("exit", "3")),
            "io_error: the embedding command wrote 0 of 1 vectors, then exited with code 3: no "
            "model here");
  EXPECT_EQ(TryEmbed(Options("exit")),
            "io_error: the embedding command wrote 0 of 1 vectors, then exited with code 0: no "
            "model here");
  EXPECT_EQ(TryEmbed(Options("crash")),
            "io_error: the embedding command wrote 0 of 1 vectors, then was ended by signal 9");
  EXPECT_EQ(TryEmbed(Options("quit", "4"), 9),
            "io_error: the embedding command wrote 3 of 9 vectors, then exited with code 3");
  EXPECT_EQ(TryEmbed(Options("twice")),
            "io_error: the embedding command wrote more lines than it read");
  EXPECT_EQ(TryEmbed(Options("endless"), 1000),
            "io_error: the embedding command writes a line of more than 1 MiB");
  CommandEmbedderOptions options = Options("silent");
  options.timeout = std::chrono::milliseconds(50);
  EXPECT_EQ(TryEmbed(options),
            "io_error: the embedding command has not answered for 50 ms; it said: loading");
}

TEST(CommandEmbedderTest, WhatIsNoVectorIsNamed) {
  const std::string line = "line 1 of the embedding command's output: ";
  const auto error = [](const std::string& printed) { return TryEmbed(Options("print", printed)); };
  EXPECT_EQ(error("[1,2,3,NaN]"), "io_error: " + line + "it is not JSON");
  EXPECT_EQ(error("[1,2,3,1e39]"),
            "io_error: " + line + "it contains a number that a float32 cannot represent");
  EXPECT_EQ(error("[1,2,3,null]"),
            "io_error: " + line + "it contains a value that is not a number");
  EXPECT_EQ(error("{\"vector\":[]}"), "io_error: " + line + "it has no \"embedding\"");
  EXPECT_EQ(error("7"), "io_error: " + line + "it is not an array of numbers");
  EXPECT_EQ(error("loading ..."), "io_error: " + line + "it is not JSON");
  EXPECT_EQ(error(std::string(500, '[')), "io_error: " + line + "it is nested too deep");
  EXPECT_EQ(error("[1,2,3]"), "invalid_argument: " + line + "it has 3 dimensions, expected 4");
  EXPECT_EQ(error("[0,0,0,0]"), "ok");
  EXPECT_EQ(error("[1e38,1e38,1e38,-1e38]"), "ok");
}

// Whatever the command does, no process and no open file remains, and no SIGPIPE ends this process.
TEST(CommandEmbedderTest, NothingStaysBehind) {
  const size_t files = OpenFiles();
  const std::string text(100'000, 'x');
  const std::vector<std::string_view> texts(20, text);
  std::vector<float> vectors(20 * 4);
  for (const std::string mode : {"answer", "exit", "stay", "deaf", "silent", "endless", "crash"}) {
    CommandEmbedderOptions options = Options(mode);
    options.timeout = std::chrono::milliseconds(50);
    ASSERT_OK_AND_ASSIGN(const auto embedder, CommandEmbedder::Open(options));
    const Status status = embedder->Embed(texts, vectors);
    EXPECT_EQ(status.ok(), mode == "answer") << mode << " " << status.ToString();
  }
  EXPECT_EQ(OpenFiles(), files);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(CommandEmbedderTest, WhatTheCommandStartedEndsWithIt) {
  const TempDir dir;
  // Every process that the shell starts inherits an end of this pipe and of the command's pipes.
  const std::string fifo = dir / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const int reader = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  CommandEmbedderOptions options;
  options.argv = {"/bin/sh", "-c",
                  "exec 9> " + fifo + "; sleep 1000 & read line; echo '[1,0,0,0]'; exit 5"};
  options.dim = 4;
  EXPECT_EQ(TryEmbed(options), "ok");
  pollfd polled = {reader, POLLIN, 0};
  EXPECT_EQ(::poll(&polled, 1, 20'000), 1) << "somebody is still there";
  EXPECT_EQ(polled.revents, POLLHUP);
  ::close(reader);
}

// The command closes the pipe only when it is killed: it ignores the end of its input.
TEST(CommandEmbedderTest, CancellingEndsTheWaitAndKillsWhatTheCommandStarted) {
  const TempDir dir;
  const std::string fifo = dir / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  std::atomic<bool> cancel = false;
  CommandEmbedderOptions options;
  options.argv = {"/bin/sh", "-c", "exec 9> " + fifo + "; echo started >&9; sleep 1000"};
  options.dim = 4;
  options.cancel = &cancel;
  int reader = -1;
  std::thread canceller([&] {
    reader = ::open(fifo.c_str(), O_RDONLY | O_CLOEXEC);
    char byte;
    EXPECT_EQ(::read(reader, &byte, 1), 1);
    cancel = true;
  });
  EXPECT_EQ(TryEmbed(options), "cancelled: interrupted");
  canceller.join();
  std::string rest(100, '\0');
  while (::read(reader, rest.data(), rest.size()) > 0) continue;  // to the end: nobody is left
  ::close(reader);
}

TEST(CommandEmbedderTest, AnErrorEndsItAndTheNextCallStartsItAgain) {
  ASSERT_OK_AND_ASSIGN(const auto embedder, CommandEmbedder::Open(Options("quit", "3")));
  const std::vector<std::string_view> texts(3, "text");
  std::vector<float> vectors(3 * 4);
  EXPECT_EQ(embedder->Embed(texts, vectors).code(), StatusCode::kIoError);
  EXPECT_OK(embedder->Embed(std::span(texts).first(2), std::span(vectors).first(8)));
}

}  // namespace
}  // namespace recall
