// The setting `synonyms`: in recall.toml, in files that it names, and as a variable.

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class SynonymsProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    Write("store/handbook.md", "Paid time off: twenty days in each year.\n");
    Write("store/cluster.md", "The Kubernetes cluster has nine nodes.\n");
    ASSERT_EQ(Run({"init", "store"}).exit, 0);
    ASSERT_EQ(Run({"add", "--store", "store", "store"}).exit, 0);
  }

  RunResult Ask(const std::string& text, const RunOptions& options = {}) {
    return Run({"search", "--store", "store", "--bm25", "--json", text}, options);
  }
  std::vector<std::string> Found(const RunResult& result) {
    EXPECT_EQ(result.exit, 0) << result;
    const auto answer = result.Json();
    std::vector<std::string> paths;
    for (const auto& hit : answer["results"]) paths.push_back(hit["doc"]["path"]);
    return paths;
  }
};

TEST_F(SynonymsProcessTest, AreGroupsOfTheSettingsAndOfFiles) {
  EXPECT_TRUE(Found(Ask("pto")).empty());
  Write("store/recall.toml", "synonyms = [\"k8s, kubernetes\", \"@words/office.txt\"]\n");
  Write("store/words/office.txt", "# Abbreviations\n\npto => paid time off\n");
  const RunResult leave = Ask("pto");
  EXPECT_EQ(Found(leave).size(), 1u);
  EXPECT_EQ(leave.Json()["query"]["synonyms"],
            Json::parse(R"([{"word": "pto", "terms": ["paid time off"]}])"));
  EXPECT_EQ(Found(Ask("k8s")).size(), 1u);
  EXPECT_TRUE(
      Found(Run({"search", "--store", "store", "--bm25", "--no-expand", "--json", "pto"})).empty());
  // A variable takes the place of the setting.
  const RunResult other = Ask("leave", {.env = {{"RECALL_SYNONYMS", "leave, paid time off"}}});
  EXPECT_EQ(Found(other).size(), 1u);
}

TEST_F(SynonymsProcessTest, FilesLieBesideTheSettings) {
  Write("outside.txt", "pto, paid time off\n");
  for (const char* name : {"@../outside.txt", "@/etc/hostname", "@", "@missing.txt"}) {
    Write("store/recall.toml", "\nsynonyms = [\"" + std::string(name) + "\"]\n");
    const RunResult result = Ask("pto");
    EXPECT_EQ(result.exit, 2) << result;
    const std::string message = result.Json()["error"]["message"];
    EXPECT_NE(message.find("recall.toml:2: synonyms: "), std::string::npos) << message;
  }
}

TEST_F(SynonymsProcessTest, AGroupOfOneTermIsReported) {
  Write("store/recall.toml", "synonyms = \"pto\"\n");
  const RunResult result = Ask("cluster");
  EXPECT_EQ(result.exit, 2) << result;
  const std::string message = result.Json()["error"]["message"];
  EXPECT_NE(message.find("invalid synonyms 'pto'"), std::string::npos) << message;
}

}  // namespace
}  // namespace recall
