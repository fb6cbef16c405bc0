// `recall map`.

#include <algorithm>
#include <sstream>

#include "index/subword/token_estimate.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using MapJson = nlohmann::ordered_json;

class MapTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    for (const auto& [path, text] : Files()) Write(path, text);
    ASSERT_EQ(Run({"add", "."}).exit, 0);
  }

  static std::vector<std::pair<std::string, std::string>> Files() {
    std::vector<std::pair<std::string, std::string>> files = {
        {"db/store.py",
         "class Store:\n"
         "    def __init__(self, path):\n"
         "        self.path = path\n"
         "\n"
         "    @property\n"
         "    def commit_token(self,\n"
         "                     short=False):\n"
         "        return self.path\n"
         "\n"
         "def open_store(path):\n"
         "    return Store(path)\n"
         "\n"
         "def never_used():\n"
         "    return 'Store'\n"},
        {"db/clock.py", "def read_clock():\n    return 1\n"},
        {"tests/fixture.py",
         "from db.store import open_store\n"
         "def make_fixture():\n    return open_store('x')\n"},
        {"docs/guide.md", "# Guide\n\nnever_used never_used never_used\n"}};
    for (const char* name : {"a", "b", "c", "d"}) {
      std::string text = "from db.store import open_store\n";
      text += "from tests.fixture import make_fixture\n";
      text += "def run_" + std::string(name) + "():\n";
      text += "    store = open_store('p')  # never_used()\n";
      text += "    return store.commit_token, make_fixture(), 'never_used'\n";
      files.emplace_back("app/" + std::string(name) + ".py", text);
    }
    return files;
  }

  std::string Map(std::vector<std::string> args) {
    args.insert(args.begin(), "map");
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 0) << result;
    return result.out;
  }
  // The names of the definitions, the best first.
  std::vector<std::string> Names(std::vector<std::string> args) {
    args.insert(args.begin(), "map");
    args.push_back("--json");
    std::vector<std::string> names;
    const MapJson answer = Run(args).Json();
    for (const MapJson& row : answer["results"]) names.push_back(row["name"]);
    return names;
  }
  static size_t RankOf(const std::vector<std::string>& names, std::string_view name) {
    return static_cast<size_t>(std::ranges::find(names, name) - names.begin());
  }
};

TEST_F(MapTest, ShowsWhatIsUsedMostWithItsClassAndItsLines) {
  EXPECT_EQ(Map({"--budget-tokens", "38"}),
            "db/store.py\n"
            " 1: class Store:\n"
            " 6:     def commit_token(self,\n"
            " 7:                      short=False):\n"
            "10: def open_store(path):\n");
}

TEST_F(MapTest, CommentsAndTextsAreNoUsesAndTestsComeLast) {
  const std::vector<std::string> names = Names({});
  EXPECT_EQ(names.size(), 11u);
  EXPECT_EQ(names[0], "open_store");
  EXPECT_EQ(names[1], "commit_token");
  EXPECT_GT(RankOf(names, "make_fixture"), RankOf(names, "Store")) << "though four files use it";
  EXPECT_GT(RankOf(names, "never_used"), RankOf(names, "Store"));
}

TEST_F(MapTest, EachLineIsCitable) {
  std::istringstream lines(Map({}));
  std::string path;
  size_t count = 0;
  for (std::string line; std::getline(lines, line);) {
    const size_t colon = line.find(": ");
    if (colon == line.npos) {
      if (!line.empty()) path = line;
      continue;
    }
    const std::string number = line.substr(line.find_first_not_of(' '), colon);
    const std::string place = path + ":" + number.substr(0, number.find(':'));
    EXPECT_EQ(Run({"get", place}).out, line.substr(colon + 2) + "\n") << place;
    ++count;
  }
  EXPECT_EQ(count, 12u);
}

TEST_F(MapTest, NeverExceedsItsBudget) {
  std::string many;
  for (int i = 0; i < 300; ++i) {
    const std::string n = std::to_string(i);
    many += "def function_" + n + "(first_argument, second_" + n + "):\n    return function_" +
            std::to_string(i / 2) + "\n";
  }
  Write("app/many.py", many);
  ASSERT_EQ(Run({"add", "app"}).exit, 0);
  size_t last = 0;
  for (int budget = 10; budget <= 3000; budget += budget < 100 ? 15 : 290) {
    const RunResult map = Run({"map", "--budget-tokens", std::to_string(budget)});
    EXPECT_EQ(map.exit, 0) << map;
    EXPECT_LE(EstimateTokens(map.out), budget);
    EXPECT_GE(map.out.size() + 200, last) << "more budget, more map";
    last = map.out.size();
  }
  EXPECT_GT(last, 5000u);
}

TEST_F(MapTest, DoesNotDependOnTheOrderOfAddingNorOnThreads) {
  const std::string map = Map({"--budget-tokens", "500"});
  auto files = Files();
  std::ranges::reverse(files);
  ASSERT_EQ(Run({"init", "--store", "other.db"}).exit, 0);
  for (const auto& [path, text] : files) {
    ASSERT_EQ(Run({"add", path, "--store", "other.db"}).exit, 0) << path;
  }
  EXPECT_EQ(Map({"--budget-tokens", "500", "--store", "other.db"}), map);
  EXPECT_EQ(Map({"--budget-tokens", "500", "--threads", "1"}), map);
}

TEST_F(MapTest, PathsAreShownButAllUsesCount) {
  const std::vector<std::string> below = Names({"db"});
  EXPECT_EQ(below.size(), 6u);
  EXPECT_EQ(below[0], "open_store") << "by the uses in app";
  EXPECT_EQ(Names({"DB/*.py"}), below);
  EXPECT_EQ(Names({"tests/fixture.py"}), std::vector<std::string>{"make_fixture"});
}

TEST_F(MapTest, AFilterIsStrict) {
  const std::string filter = "doc.path LIKE 'db/%' OR doc.path = 'app/a.py'";
  EXPECT_EQ(Names({"--filter", filter}).size(), 7u);
  EXPECT_EQ(Map({"--filter", filter, "app"}).find("app/b"), std::string::npos);
  // What is outside does not count: without the other files nobody uses open_store.
  const std::vector<std::string> alone = Names({"--filter", "doc.path LIKE 'db/%'"});
  EXPECT_GT(RankOf(alone, "commit_token"), 0u);
  const MapJson all = Run({"map", "db", "--json"}).Json()["results"][0];
  const MapJson some = Run({"map", "--filter", "doc.path LIKE 'db/%'", "--json"}).Json();
  EXPECT_NE(all["score"], some["results"][0]["score"]);
}

TEST_F(MapTest, AQuestionMakesItLean) {
  EXPECT_EQ(Names({})[0], "open_store");
  EXPECT_EQ(Names({"--about", "how are clocks read"})[0], "read_clock");
  EXPECT_EQ(Names({"--about", "never_used"})[0], "never_used");
  const std::vector<std::string> tests = Names({"--about", "test fixture"});
  EXPECT_EQ(tests[0], "make_fixture") << "tests are asked for";
}

TEST_F(MapTest, AnEarlierCommitHasItsOwnMap) {
  const MapJson before = Run({"map", "--json"}).Json();
  const std::string snapshot = before["query"]["snapshot"];
  ASSERT_EQ(Run({"rm", "db/store.py"}).exit, 0);
  EXPECT_EQ(Map({}).find("Store"), std::string::npos);
  EXPECT_EQ(Map({"--snapshot", snapshot}), std::string(before["map"]["text"]));
}

TEST_F(MapTest, JsonHasTheTextAndItsDefinitions) {
  const MapJson answer = Run({"map", "--budget-tokens", "38", "--json"}).Json();
  EXPECT_EQ(answer["map"]["text"], Map({"--budget-tokens", "38"}));
  EXPECT_EQ(answer["map"]["budget_tokens"], 38);
  EXPECT_LE(answer["map"]["used_tokens"], 38);
  EXPECT_EQ(answer["map"]["token_counter"], "estimate");
  EXPECT_EQ(answer["map"]["definitions"], 11);
  EXPECT_EQ(answer["map"]["documents"], 7);
  const MapJson& method = answer["results"][1];
  EXPECT_EQ(method["name"], "commit_token");
  EXPECT_EQ(method["kind"], "method");
  EXPECT_EQ(method["scope"], "Store");
  EXPECT_EQ(method["line"], 6) << "the line with the name, not that of the decorator";
  EXPECT_EQ(method["signature"], "    def commit_token(self,\n                     short=False):");
  EXPECT_EQ(method["doc"]["path"], "db/store.py");
}

TEST_F(MapTest, NothingToShowIsSaid) {
  const RunResult small = Run({"map", "--budget-tokens", "2"});
  EXPECT_EQ(small.exit, 0) << small;
  EXPECT_EQ(small.out, "");
  EXPECT_NE(small.err.find("no definition fits into 2 tokens"), std::string::npos) << small;
  const RunResult prose = Run({"map", "--filter", "doc.path LIKE 'docs/%'"});
  EXPECT_EQ(prose.exit, 0) << prose;
  EXPECT_NE(prose.err.find("no source code to make a map of"), std::string::npos) << prose;
  const RunResult none = Run({"map", "docs"});
  EXPECT_EQ(none.exit, 0) << none;
  EXPECT_NE(none.err.find("no definition to show"), std::string::npos) << none;
}

TEST_F(MapTest, WrongInput) {
  EXPECT_EQ(Run({"map", "nosuch"}).exit, 1);
  EXPECT_EQ(Run({"map", "*.nosuch"}).exit, 0);
  EXPECT_EQ(Run({"map", "--budget-tokens", "0"}).exit, 2);
  EXPECT_EQ(Run({"map", "--budget-tokens", "many"}).exit, 2);
  EXPECT_EQ(Run({"map", "--filter", "doc.path >"}).exit, 2);
  EXPECT_EQ(Run({"map", "--filter", " "}).exit, 2);
  EXPECT_EQ(Run({"map", "--about", ""}).exit, 2);
  EXPECT_NE(Run({"map", "--token-counter", "nofile"}).exit, 0);
  EXPECT_NE(Run({"map", "--snapshot", "nosuch"}).exit, 0);
}

}  // namespace
}  // namespace recall
