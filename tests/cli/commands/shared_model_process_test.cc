#include <filesystem>

#include "tests/cli/recall_process.h"
#include "tests/storage/postgres/postgres_test_server.h"

namespace recall {
namespace {

// The store `team/recall.db` has a model, which others adopt.
class SharedModelProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    for (int i = 0; i < 20; ++i) {
      const std::string n = std::to_string(i);
      Write("team/" + n + ".txt", "the harbour captain steered a vessel number" + n + "\n");
      Write("team/b" + n + ".txt", "the baker kneaded dough in an oven batch" + n + "\n");
    }
    ASSERT_EQ(Run({"init", "team"}).exit, 0);
    ASSERT_EQ(Run({"add", "team", "--store", "team"}).exit, 0);
    Write("mine/one.txt", "A vessel.\n");
    Write("mine/two.txt", "An oven.\n");
  }

  // The first result of a search by meaning with a word that the texts do not have.
  std::string FirstFor(const std::string& word, const std::string& store) {
    const RunResult found = Run({"search", "--vector", word, "--store", store, "--json"});
    const auto json = found.Json();
    if (json["results"].empty()) return found.out;
    return json["results"][0]["doc"]["path"].get<std::string>();
  }
};

TEST_F(SharedModelProcessTest, InitBeginsWithTheModelOfAnotherStore) {
  const RunResult made = Run({"init", "--model", "team", "mine", "--json"});
  ASSERT_EQ(made.exit, 0) << made;
  EXPECT_EQ(made.Json()["store"]["shared_model"], true);
  ASSERT_EQ(Run({"add", "mine", "--store", "mine"}).exit, 0);
  EXPECT_EQ(FirstFor("captain", "mine"), "one.txt");
  EXPECT_EQ(FirstFor("baker", "mine"), "two.txt");
  EXPECT_NE(Run({"stats", "--store", "mine"}).out.find("adopted from another store"),
            std::string::npos);
  EXPECT_FALSE(
      Run({"stats", "--store", "team", "--json"}).Json()["store"].contains("shared_model"));
  // A name, and a store that has no texts itself.
  const RunResult named = Run({"init", "--model", "ours", "other"},
                              {.env = {{"RECALL_STORES", "ours=" + Path("mine")}}});
  EXPECT_EQ(named.exit, 0) << named;
  EXPECT_EQ(Run({"doctor", "--store", "other"}).exit, 0);
}

TEST_F(SharedModelProcessTest, EmbedAdoptsAModelAndReturnsToItsOwn) {
  ASSERT_EQ(Run({"init", "mine"}).exit, 0);
  ASSERT_EQ(Run({"add", "mine", "--store", "mine"}).exit, 0);
  const RunResult adopted = Run({"embed", "--model", "team", "--store", "mine", "--json"});
  ASSERT_EQ(adopted.exit, 0) << adopted;
  EXPECT_EQ(adopted.Json()["embed"]["chunks"], 2);
  EXPECT_EQ(
      Run({"embed", "--model", "team", "--store", "mine", "--json"}).Json()["embed"]["already"],
      true);
  EXPECT_EQ(FirstFor("captain", "mine"), "one.txt");
  const RunResult own = Run({"embed", "--as", "lsa", "--again", "--store", "mine", "--json"});
  EXPECT_NE(own.Json()["embed"]["version"], adopted.Json()["embed"]["version"]) << own;
  EXPECT_FALSE(
      Run({"stats", "--store", "mine", "--json"}).Json()["store"].contains("shared_model"));
}

TEST_F(SharedModelProcessTest, WhatCannotBeAdoptedIsNamed) {
  const auto error = [&](const std::vector<std::string>& args, int exit) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, exit) << result;
    EXPECT_FALSE(std::filesystem::exists(Path("mine/recall.db"))) << result;
    return result.Json()["error"]["code"].get<std::string>();
  };
  EXPECT_EQ(error({"init", "--model", "none", "mine", "--json"}, 1), "not_found");
  EXPECT_EQ(error({"init", "--model", "team", "--embedder", "hash", "mine", "--json"}, 2),
            "invalid_argument");
  for (const char* flag : {"--dim", "--ann-seed"}) {
    EXPECT_EQ(error({"init", "--model", "team", flag, "64", "mine", "--json"}, 2),
              "invalid_argument");
  }
  ASSERT_EQ(Run({"init", "empty"}).exit, 0);
  EXPECT_EQ(error({"init", "--model", "empty", "mine", "--json"}, 1), "not_found");
  EXPECT_EQ(error({"embed", "--as", "hash", "--model", "team", "--store", "empty", "--json"}, 2),
            "invalid_argument");
  ASSERT_EQ(Run({"init", "--ann-seed", "7", "seven"}).exit, 0);
  EXPECT_EQ(error({"embed", "--model", "team", "--store", "seven", "--json"}, 2),
            "invalid_argument");
}

TEST_F(SharedModelProcessTest, AStoreOnAServerGivesAndTakesAModel) {
  PostgresTestServer server;
  const std::string team = server.Address("team");
  ASSERT_EQ(Run({"init", "--model", "team", "--store", team}).exit, 0);
  ASSERT_EQ(Run({"add", "mine", "--store", team}).exit, 0);
  const RunResult back = Run({"init", "--model", team, "back"});
  ASSERT_EQ(back.exit, 0) << back;
  ASSERT_EQ(Run({"add", "mine", "--store", "back"}).exit, 0);
  const auto scores = [&](const std::string& store) {
    const RunResult found = Run({"search", "--vector", "vessel oven", "--store", store, "--json"});
    std::vector<double> all;
    const auto json = found.Json();
    for (const auto& hit : json["results"]) all.push_back(hit["score"]);
    return all;
  };
  EXPECT_EQ(scores("back").size(), 2U);
  EXPECT_EQ(scores(team), scores("back"));
  EXPECT_EQ(Run({"doctor", "--store", team}).exit, 0);
}

}  // namespace
}  // namespace recall
