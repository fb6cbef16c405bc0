// The pages of `recall inspect`, `bench` and `eval`, and comparisons with earlier runs.

#include <filesystem>

#include "tests/cli/recall_process.h"
#include "tests/cli/show/html/xml_reader.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class PagesTest : public RecallTest {
 protected:
  // A name that would be markup.
  static constexpr const char* kName = "<b>&\"'";

  void MakeStore(const std::string& directory) {
    for (int i = 0; i < 12; ++i) {
      const std::string n = std::to_string(i);
      Write(directory + "/" + kName + n + ".txt",
            "heron" + n + " waits swift" + n + " flies owl" + n + " hunts\n");
    }
    ASSERT_EQ(Run({"init", "--store", directory}).exit, 0);
    ASSERT_EQ(Run({"add", directory, "--store", directory}).exit, 0);
  }

  void WriteBirds(const std::string& directory) {
    Write(directory + "/corpus.jsonl",
          "{\"_id\":\"b1\",\"title\":\"Heron\",\"text\":\"It stands in the water.\"}\n"
          "{\"_id\":\"b2\",\"title\":\"Swift\",\"text\":\"It sleeps while it flies.\"}\n");
    Write(directory + "/queries.jsonl",
          "{\"_id\":\"q1\",\"text\":\"heron\"}\n{\"_id\":\"q2\",\"text\":\"sleeping\"}\n");
    Write(directory + "/qrels.tsv", "query-id\tcorpus-id\tscore\nq1\tb1\t1\nq2\tb2\t2\n");
  }

  // Runs a command that writes a page. Checks that the page is well-formed, has no script, refers
  // to nothing and shows the name as text. Returns its text.
  std::string PageOf(std::vector<std::string> args, bool with_name = true) {
    args.insert(args.end(), {"--html", "page.html"});
    const RunResult run = Run(args);
    EXPECT_EQ(run.exit, 0) << run;
    const std::string page = Read("page.html");
    const XmlContent content = ReadXml(page);
    EXPECT_EQ(content.fault, "");
    for (const std::string& element : content.elements) {
      for (const char* foreign : {"script", "link", "img", "iframe", "object", "use", "b"}) {
        EXPECT_NE(element, foreign);
      }
    }
    for (const std::string& attribute : content.attributes) {
      for (const char* reference : {"href=", "src=", "on", "data=", "xlink:"}) {
        EXPECT_FALSE(attribute.starts_with(reference)) << attribute;
      }
      EXPECT_TRUE(attribute.find("://") == attribute.npos || attribute.starts_with("xmlns="))
          << attribute;
    }
    EXPECT_EQ(page.find("url("), std::string::npos);
    EXPECT_EQ(page.find("@import"), std::string::npos);
    EXPECT_TRUE(!with_name || content.text.find(kName) != std::string::npos) << content.text;
    return content.text;
  }
};

TEST_F(PagesTest, InspectMapsTheFile) {
  const std::string directory = std::string(kName) + "store";
  MakeStore(directory);
  const std::string page = PageOf({"inspect", "--store", directory});
  for (const char* part : {"Map of the file", "full-text index", "Vector spaces", "text_block"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(PageOf({"inspect", "--store", directory, "--stable"}).find("Map of the file"),
            std::string::npos);
  const std::string once = Read("page.html");
  PageOf({"inspect", "--store", directory, "--stable"});
  EXPECT_EQ(Read("page.html"), once);
}

TEST_F(PagesTest, InspectShowsChecksumsOnlyWhenAsked) {
  MakeStore("store");
  const auto text = [&](std::vector<std::string> args) {
    args.insert(args.begin(), {"inspect", "--store", "store"});
    return Run(args).out;
  };
  const Json json = Run({"inspect", "--store", "store", "--json"}).Json()["inspect"];
  int64_t pages = 0;
  for (const Json& owner : json["owners"]) pages += owner["pages"].get<int64_t>();
  EXPECT_EQ(pages, json["pages"]);
  EXPECT_NE(text({}).find("map of the file, one letter for 1 page:\n  S"), std::string::npos);
  EXPECT_EQ(text({"--stable"}).find("map of the file"), std::string::npos);
  EXPECT_EQ(text({}).find("checksum"), std::string::npos);
}

TEST_F(PagesTest, BenchShowsDistributions) {
  const std::string directory = std::string(kName) + "store";
  MakeStore(directory);
  const std::vector<std::string> bench = {"bench", "--store", directory,    "--samples",
                                          "5",     "--only",  "search,bm25"};
  const std::string page = PageOf(bench);
  for (const char* part : {"Latency", "milliseconds", "p99", "Measured 2"}) {
    EXPECT_NE(page.find(part), std::string::npos) << part;
  }
  std::vector<std::string> stable = bench;
  stable.push_back("--stable");
  PageOf(stable);
  const std::string once = Read("page.html");
  PageOf(stable);
  EXPECT_EQ(Read("page.html"), once);
}

TEST_F(PagesTest, EvalShowsIntervals) {
  const std::string directory = std::string(kName) + "birds";
  WriteBirds(directory);
  const std::string page = PageOf({"eval", directory});
  EXPECT_NE(page.find("95 % intervals"), std::string::npos);
  const std::string once = Read("page.html");
  PageOf({"eval", directory});
  EXPECT_EQ(Read("page.html"), once);
}

TEST_F(PagesTest, APageIsWrittenWholeOrNotAtAll) {
  WriteBirds("birds");
  Write("page.html", "mine");
  std::filesystem::create_directories(Path("directory"));
  EXPECT_EQ(Run({"eval", "none", "--html", "page.html"}).exit, 1);
  EXPECT_EQ(Read("page.html"), "mine");
  EXPECT_EQ(Run({"eval", "birds", "--html", "directory"}).exit, 2);
  EXPECT_EQ(Run({"eval", "birds", "--html", "none/page.html"}).exit, 3);
  EXPECT_EQ(Run({"eval", "birds", "--html", ""}).exit, 2);
  for (const auto& entry : std::filesystem::directory_iterator(directory())) {
    EXPECT_EQ(entry.path().string().find(".new-"), std::string::npos) << entry.path();
  }
}

TEST_F(PagesTest, AnEvaluationAgainstItselfIsTheSame) {
  WriteBirds("birds");
  Write("old.json", Run({"eval", "birds", "--json"}).out);
  const std::vector<std::string> again = {"eval", "birds", "--against", "old.json"};
  const Json against =
      Run({"eval", "birds", "--against", "old.json", "--json"}).Json()["eval"]["against"];
  EXPECT_TRUE(against["settings"].empty());
  ASSERT_EQ(against["changes"].size(), 3u);
  for (const Json& change : against["changes"]) {
    EXPECT_EQ(change["verdict"], "same");
    EXPECT_EQ(change["difference"], 0.0);
    EXPECT_EQ(change["queries"], 2);
  }
  EXPECT_NE(Run(again).out.find("against old.json"), std::string::npos);
  EXPECT_NE(PageOf(again, false).find("Against an earlier run"), std::string::npos);
}

TEST_F(PagesTest, ABenchmarkIsComparedQueryByQuery) {
  MakeStore("store");
  const std::vector<std::string> bench = {"bench",  "--store", "store",     "--samples", "5",
                                          "--only", "search",  "--against", "old.json"};
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> args = bench;
    args.insert(args.end(), more.begin(), more.end());
    return Run(args);
  };
  Write("old.json",
        Run({"bench", "--store", "store", "--samples", "5", "--only", "search", "--json"}).out);
  const Json against = run({"--json"}).Json()["bench"]["against"];
  EXPECT_EQ(against["same_queries"], true);
  EXPECT_EQ(against["latencies"][0]["what"], "search");
  EXPECT_LE(against["latencies"][0]["ratio"]["low"], against["latencies"][0]["ratio"]["high"]);
  const Json other = run({"--json", "--seed", "7"}).Json()["bench"]["against"];
  EXPECT_EQ(other["same_queries"], false);
  EXPECT_TRUE(other["latencies"][0]["ratio"].is_null());
  EXPECT_NE(run({"--seed", "7"}).out.find("asked different queries"), std::string::npos);
  EXPECT_NE(PageOf(bench, false).find("the earlier run, downwards"), std::string::npos);
}

TEST_F(PagesTest, AnotherFileIsOneErrorBeforeAnythingIsMeasured) {
  MakeStore("store");
  Write("other.json", "{\"ok\": true}\n");
  for (const std::string command : {"bench", "eval"}) {
    std::vector<std::string> args = {command, "--against", "other.json", "--json"};
    if (command == "bench") args.insert(args.end(), {"--store", "store"});
    if (command == "eval") args.push_back("none");
    const RunResult run = Run(args);
    EXPECT_EQ(run.exit, 2) << run;
    EXPECT_EQ(run.Json()["error"]["code"], "invalid_argument");
    EXPECT_EQ(run.Json()["error"]["message"],
              "other.json is not an answer of `recall " + command + " --json`");
    args[2] = "none.json";
    EXPECT_EQ(Run(args).Json()["error"]["code"], "not_found");
  }
}

}  // namespace
}  // namespace recall
