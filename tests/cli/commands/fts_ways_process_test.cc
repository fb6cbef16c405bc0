// RECALL_FTS: whether Recall reads and writes FTS5's tables itself or leaves them to FTS5 changes
// no byte of any answer.

#include <chrono>
#include <filesystem>
#include <random>

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using Args = std::vector<std::string>;

const Args kWays = {"native", "sqlite"};

class FtsWaysTest : public RecallTest {
 protected:
  // Runs a command in the directory of the store `of`, in one of the ways.
  RunResult In(const std::string& of, const std::string& way, const Args& args) {
    return Run(args, {.directory = Path(of), .env = {{"RECALL_FTS", way}}});
  }

  // Runs a command on both stores, each in the way that it is named after.
  void Change(const Args& args) {
    for (const std::string& way : kWays) {
      const RunResult result = In(way, way, args);
      ASSERT_EQ(result.exit, 0) << result;
    }
  }

  std::string Word() {
    static const Args kWords = {"heron", "otter", "fooBar",    "foo_baz",
                                "étang", "花盆",  "HTTPServer"};
    const uint64_t number = random_() % 60;
    return number < kWords.size() ? kWords[number] : "w" + std::to_string(number * number % 97);
  }
  std::string Text(size_t words) {
    std::string text;
    for (size_t i = 0; i < words; ++i) text += Word() + (random_() % 9 == 0 ? ".\n" : " ");
    return text;
  }

  // Both stores get the same files, with the same times.
  void WriteFile(const std::string& name) {
    const std::string text = Text(random_() % 600);
    const auto time = fs::file_time_type::clock::now() - std::chrono::hours(100);
    for (const std::string& way : kWays) {
      Write(way + "/" + name, text);
      fs::last_write_time(Path(way + "/" + name), time);
    }
  }

  // A question of each kind.
  std::vector<Args> Questions() {
    const std::string a = Word(), b = Word(), c = Word();
    return {{"search", a + " " + b + " " + c, "--explain"},
            {"search", "\"" + a + " " + b + "\" +" + c, "--bm25", "--explain"},
            {"search", "w1* -" + a, "--bm25", "--k", "30"},
            {"context", a + " " + b, "--budget-tokens", "300"},
            {"similar", "docs/d0.txt"},
            {"query", "FROM chunk USING lexical('" + a + " w*') SELECT path, score, chunk.text"}};
  }

  void ExpectSameAnswers() {
    for (Args question : Questions()) {
      question.insert(question.end(), {"--json", "--stable"});
      const RunResult expected = In("native", "native", question);
      ASSERT_EQ(expected.exit, 0) << expected;
      EXPECT_EQ(In("native", "sqlite", question).out, expected.out);
      EXPECT_EQ(In("sqlite", "native", question).out, expected.out);
      EXPECT_EQ(In("sqlite", "sqlite", question).out, expected.out);
    }
  }

  std::mt19937_64 random_{TestSeed(5)};
};

TEST_F(FtsWaysTest, GiveTheSameBytesAfterAnyHistory) {
  for (int i = 0; i < 8; ++i) WriteFile("docs/d" + std::to_string(i) + ".txt");
  // Both stores have the same identity, which is part of snapshot tokens.
  ASSERT_EQ(In("native", "native", {"init"}).exit, 0);
  fs::copy_file(Path("native/recall.db"), Path("sqlite/recall.db"));
  for (int round = 0; round < 8; ++round) {
    for (uint64_t i = random_() % 4; i > 0; --i) {
      WriteFile("docs/d" + std::to_string(random_() % 12) + ".txt");
    }
    Change({"add", "docs"});
    if (round % 3 == 1) Change({"rm", "docs/d" + std::to_string(1 + round) + ".txt", "--purge"});
    if (round % 4 == 2) Change({"compact", "--keep-snapshots", "0"});
    ASSERT_NO_FATAL_FAILURE(ExpectSameAnswers()) << "round " << round;
  }
  for (const std::string& store : kWays) {
    for (const std::string& way : kWays) {
      const RunResult doctor = In(store, way, {"doctor"});
      EXPECT_EQ(doctor.exit, 0) << store << " " << way << doctor;
    }
  }
}

TEST_F(FtsWaysTest, AreNamedByVersionAndRejectedIfUnknown) {
  for (const std::string& way : kWays) {
    const auto version = Run({"version", "--json"}, {.env = {{"RECALL_FTS", way}}}).Json();
    EXPECT_EQ(version["version"]["fts"], way);
    EXPECT_EQ(version["version"]["sqlite_tested"], true);
  }
  for (const char* command : {"version", "stats", "init"}) {
    const RunResult unknown = Run({command, "--json"}, {.env = {{"RECALL_FTS", "fts4"}}});
    EXPECT_EQ(unknown.exit, 2) << unknown;
    EXPECT_EQ(unknown.Json()["error"]["code"], "invalid_argument");
    EXPECT_NE(unknown.out.find("fts4"), std::string::npos) << unknown;
  }
}

}  // namespace
}  // namespace recall
