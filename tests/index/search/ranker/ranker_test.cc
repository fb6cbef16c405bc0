#include "index/search/ranker/ranker.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "tests/test_util.h"

namespace recall {
namespace {

using Scores = std::vector<double>;

// The ranker "mine", which is a shell script.
std::vector<RankerConfig> Mine(const std::string& script) {
  return {{.name = "mine", .command = {"/bin/sh", "-c", script}}};
}

Result<Scores> Score(const std::string& script, size_t count = 3) {
  static const std::string kLetters = "abcdefghij";
  std::vector<RankedText> texts;
  for (size_t i = 0; i < count; ++i) {
    texts.push_back({std::string_view(kLetters).substr(i % 10, 1), "p.md", "", "text"});
  }
  return Rankers(Mine(script)).Score("mine", "the query", texts);
}

std::string Fault(const std::string& script, size_t count = 3) {
  const Result<Scores> scores = Score(script, count);
  return scores ? "ok" : scores.error().ToString();
}

TEST(RankerTest, EachTextIsALineWithTheQuery) {
  const TempDir dir;
  const RankedText texts[] = {{"id1", "a b.md", "One > Two", "a \"quoted\"\nline"},
                              {"id2", "\xff", "", ""}};
  const Rankers rankers(Mine("cat > " + (dir / "seen") + "; echo 1; echo 2"));
  ASSERT_OK_AND_ASSIGN(const Scores scores, rankers.Score("mine", "what?", texts));
  EXPECT_EQ(scores, (Scores{1, 2}));
  std::ifstream seen(dir / "seen");
  std::string first, second, third;
  ASSERT_TRUE(std::getline(seen, first) && std::getline(seen, second));
  EXPECT_FALSE(std::getline(seen, third));
  EXPECT_EQ(nlohmann::json::parse(first), nlohmann::json({{"query", "what?"},
                                                          {"id", "id1"},
                                                          {"path", "a b.md"},
                                                          {"heading", "One > Two"},
                                                          {"text", "a \"quoted\"\nline"}}));
  EXPECT_EQ(nlohmann::json::parse(second)["path"], "\xEF\xBF\xBD");
}

TEST(RankerTest, ScoresComeLineByLineInBatchesOrUnasked) {
  const Scores expected = {0.5, -2, 3e4};
  for (const char* script : {
           "for s in 0.5 -2 3e4; do read -r line; echo $s; done",  // as it reads
           "cat >/dev/null; printf '0.5\\n-2\\r\\n 3e4'",          // after it has read everything
           "printf '0.5\\n-2\\n3e4\\n'",                           // without reading
           "exec <&-; printf '{\"score\":0.5}\\n{\"a\":[],\"score\":-2}\\n3e4\\n'",
       }) {
    SCOPED_TRACE(script);
    ASSERT_OK_AND_ASSIGN(const Scores scores, Score(script));
    EXPECT_EQ(scores, expected);
  }
}

// More than the pipes hold, in both directions. The shell reads each byte by a call of its own.
TEST(RankerTest, FullPipesBlockNobody) {
  const std::string text(10'000, 'x');
  const std::vector<RankedText> texts(100, RankedText{"id", "path", "heading", text});
  for (const char* script : {
           "while read -r line; do printf '%2000s\\n' 1; done",
           "cat >/dev/null; i=0; while [ $i -lt 100 ]; do printf '%2000s\\n' 1; i=$((i+1)); done",
       }) {
    ASSERT_OK_AND_ASSIGN(const Scores scores, Rankers(Mine(script)).Score("mine", "q", texts));
    EXPECT_EQ(scores, Scores(100, 1));
  }
}

TEST(RankerTest, FaultsAreNamed) {
  const std::string start = "io_error: ranker \"mine\": ";
  EXPECT_EQ(Fault("cat >/dev/null; echo 1; echo 2"),
            start + "the command wrote 2 of 3 scores, then exited with code 0");
  EXPECT_EQ(Fault("echo 1; echo 'no model' >&2; exit 3"),
            start + "the command wrote 1 of 3 scores, then exited with code 3: no model");
  EXPECT_EQ(Fault("cat >/dev/null; echo 1; echo 2; echo 3; exit 4"),
            start + "the command wrote 3 of 3 scores, then exited with code 4");
  EXPECT_EQ(Fault("kill -9 $$"),
            start + "the command wrote 0 of 3 scores, then was ended by signal 9");
  EXPECT_EQ(Fault("echo 1; echo 2; echo 3; echo 4"),
            start + "the command wrote more than 3 scores");
  EXPECT_EQ(Fault("echo 1; echo 2; echo 3; printf 4"),
            start + "the command wrote more than 3 scores");
  EXPECT_EQ(Fault("head -c 3000000 /dev/zero"),
            start + "the command writes a line of more than 1 MiB");
  const std::pair<const char*, const char*> lines[] = {
      {"loading model", "it is not JSON"},
      {"", "it is not JSON"},
      {"NaN", "it is not JSON"},
      {"1e999", "it is not JSON"},
      {"1e39", "it is a number that a float32 cannot represent"},
      {"\"1\"", "it is not a number"},
      {"[1]", "it is not a number"},
      {"{\"scores\":1}", "it has no \"score\""},
      {"{\"score\":null}", "it is not a number"},
      {"[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]", "it is nested too deep"},
  };
  for (const auto& [line, fault] : lines) {
    EXPECT_EQ(Fault("echo 1; echo '" + std::string(line) + "'; echo 3"),
              start + "line 2 of the command's output: " + fault);
  }
}

TEST(RankerTest, OnlyConfiguredProgramsAreStarted) {
  const RankedText text = {"id", "path", "", "text"};
  const Rankers none(std::vector<RankerConfig>{});
  const Status unknown = none.Score("mine", "q", {&text, 1}).error();
  EXPECT_EQ(unknown.ToString(), "not_found: the ranker \"mine\" is not configured");
  EXPECT_NE(unknown.hint().find("[rankers.mine]"), std::string::npos);
  EXPECT_EQ(Rankers(Mine("echo 1")).Score("mina", "q", {&text, 1}).error().hint(),
            "did you mean mine?");
  const std::vector<RankerConfig> x = {{.name = "x", .command = {"/nowhere/program"}}};
  const Rankers gone(x);
  EXPECT_EQ(gone.Score("x", "q", {&text, 1}).error().ToString(),
            "not_found: ranker \"x\": no such program: \"/nowhere/program\"");
}

// Both programs hold the pipe open until they are killed.
TEST(RankerTest, TimeAndCancellingEndTheWaitAndKillWhatTheCommandStarted) {
  const TempDir dir;
  const std::string fifo = dir / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const RankedText text = {"id", "path", "", "text"};
  for (const bool cancels : {true, false}) {
    std::atomic<bool> cancel = false;
    std::vector<RankerConfig> mine =
        Mine("exec 9> " + fifo + "; echo started >&9; echo busy >&2; sleep 1000");
    mine[0].timeout = std::chrono::seconds(cancels ? 1000 : 1);
    int reader = -1;
    std::thread canceller([&] {
      reader = ::open(fifo.c_str(), O_RDONLY | O_CLOEXEC);
      char byte;
      EXPECT_EQ(::read(reader, &byte, 1), 1);
      cancel = cancels;
    });
    EXPECT_EQ(Rankers(mine, &cancel).Score("mine", "q", {&text, 1}).error().ToString(),
              cancels ? "cancelled: interrupted"
                      : "io_error: ranker \"mine\": the command has not answered within 1 s; it "
                        "said: busy");
    canceller.join();
    std::string rest(100, '\0');
    while (::read(reader, rest.data(), rest.size()) > 0) continue;  // to the end: nobody is left
    ::close(reader);
  }
}

// Neither silence nor a trickle of scores extends the time.
TEST(RankerTest, TheTimeoutIsForTheWholeQuery) {
  std::vector<RankerConfig> mine = Mine("while sleep 0.05; do echo 1; done");
  mine[0].timeout = std::chrono::seconds(1);
  const std::vector<RankedText> texts(1000, RankedText{"id", "path", "", "text"});
  EXPECT_EQ(Rankers(mine).Score("mine", "q", texts).error().ToString(),
            "io_error: ranker \"mine\": the command has not answered within 1 s");
}

}  // namespace
}  // namespace recall
