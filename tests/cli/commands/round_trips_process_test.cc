// How many round trips to its server a store on PostgreSQL needs, beside those of a connection.

#include "tests/cli/recall_process.h"
#include "tests/cli/server/http/serving.h"
#include "tests/storage/postgres/postgres_test_server.h"

namespace recall {
namespace {

class RoundTripsTest : public RecallTest {
 protected:
  void SetUp() override {
    std::string lines;
    for (int i = 0; i < 300; ++i) {
      lines += "{\"path\":\"p/" + std::to_string(i) + "\",\"text\":\"words of document " +
               std::to_string(i) + "\"}\n";
    }
    Write("lines.jsonl", lines);
    ASSERT_EQ(Run({"init", "--store", address_}).exit, 0);
    ASSERT_EQ(Run({"add", "--jsonl", "lines.jsonl", "--store", address_}).exit, 0);
    ASSERT_EQ(postgres_.CountStatements(), 0);
  }
  // The statements of a command.
  template <typename Action>
  int64_t StatementsOf(Action action) {
    const int64_t before = postgres_.CountStatements();
    action();
    return postgres_.CountStatements() - before;
  }

  PostgresTestServer postgres_;
  const std::string address_ = postgres_.Address("counted");
};

TEST_F(RoundTripsTest, AWarmQuestionAsksForTheStoreAndItsNewestCommit) {
  const auto ask = [this] {
    EXPECT_EQ(Run({"search", "document", "--no-serve", "--store", address_}).exit, 0);
  };
  ask();
  EXPECT_LE(StatementsOf(ask), 2);
  // What another command has committed is found, for the statements that tell what has changed.
  ASSERT_EQ(Run({"save", "lesson", "new", "--text", "zebra", "--store", address_}).exit, 0);
  RunResult found;
  const auto ask_anew = [&] {
    found = Run({"search", "zebra", "--no-serve", "--store", address_});
  };
  EXPECT_LE(StatementsOf(ask_anew), 12);
  EXPECT_NE(found.out.find("notes/new.md"), std::string::npos) << found;
}

TEST_F(RoundTripsTest, ANoteNeedsFew) {
  int notes = 0;
  const auto save = [&] {
    const std::string name = std::to_string(++notes);
    EXPECT_EQ(
        Run({"save", "lesson", "note " + name, "--text", "text " + name, "--store", address_}).exit,
        0);
  };
  for (int i = 0; i < 3; ++i) save();
  EXPECT_LE(StatementsOf(save), 20);
}

TEST_F(RoundTripsTest, AServerBeginsWithFewAndAnswersWithOne) {
  std::unique_ptr<Serving> server;
  EXPECT_LE(StatementsOf([&] {
              setenv("XDG_CACHE_HOME", Path("empty-cache").c_str(), 1);
              server = std::make_unique<Serving>(
                  directory(), std::vector<std::string>{"--socket", Path("socket"), address_});
              unsetenv("XDG_CACHE_HOME");
            }),
            8);
  const auto ask = [&] {
    EXPECT_EQ(Post(server->Local(), "/v1/search", R"({"query": "document"})").status, 200);
  };
  ask();
  EXPECT_EQ(StatementsOf(ask), 1);
}

}  // namespace
}  // namespace recall
