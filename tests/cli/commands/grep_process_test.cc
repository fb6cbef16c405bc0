// `recall grep`. The oracle is the grep of the system, over the same files.

#include <algorithm>
#include <sstream>

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;

class GrepTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Write("src/net.py", "import os\n\ndef retry(n):\n    # TODO(ann): backoff\n    return n + 1\n");
    Write("src/Main.java", "class Main {\r\n  int Retry = 3; // retry, retry\r\n}\r\n");
    Write("docs/net.md", "# Retry\n\nA request is sent again.\n\n- retry: 3\n- todo: none");
    Write("docs/long.txt", std::string(3000, 'a') + " needle " + std::string(3000, 'b') + "\n");
    ASSERT_EQ(Run({"add", "src", "docs"}).exit, 0);
  }

  std::vector<std::string> Sorted(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    std::ranges::sort(lines);
    return lines;
  }
};

TEST_F(GrepTest, FindsTheLinesThatGrepFinds) {
  const std::vector<std::vector<std::string>> cases = {
      {"retry"},
      {"-i", "retry"},
      {"-w", "retry"},
      {"-F", "n + 1"},
      {"^import|return$"},
      {"TODO\\(\\w+\\)"},
      {"-i", "-w", "todo"},
      {"-c", "retry"},
      {"-l", "-i", "t"},
      {"^$"},
      {"[0-9];"},
      {"e.*e"},
  };
  for (std::vector<std::string> args : cases) {
    std::string grep = args[0] == "-F" ? "grep -rHn" : "grep -rHnE";
    const bool of_files = args[0] == "-c" || args[0] == "-l";
    for (const std::string& arg : args) grep += " '" + arg + "'";
    grep += " src docs | tr -d '\\r'";
    // grep -c also prints the files without a match.
    if (args[0] == "-c") grep += " | grep -v ':0$'";
    if (of_files) grep.replace(0, 10, "grep -rHE");
    const std::string wanted = RunShell(grep, directory()).out;
    args.insert(args.begin(), "grep");
    // The long line is cut.
    const auto without_long = [&](const std::string& text) {
      std::vector<std::string> lines = Sorted(text);
      if (!of_files) std::erase_if(lines, [](auto& line) { return line.starts_with("docs/long"); });
      return lines;
    };
    const RunResult found = Run(args);
    EXPECT_EQ(found.exit, 0) << found;
    EXPECT_EQ(without_long(found.out), without_long(wanted)) << grep;
  }
}

TEST_F(GrepTest, ContextIsPrintedOnceAsGrepDoes) {
  const RunResult one = Run({"grep", "-C", "1", "TODO|return", "src/net.py"});
  EXPECT_EQ(one.out, RunShell("grep -HnE -C 1 'TODO|return' src/net.py", directory()).out);
  const RunResult apart = Run({"grep", "-A", "1", "import|TODO", "src/net.py"});
  EXPECT_EQ(apart.out, RunShell("grep -HnE -A 1 'import|TODO' src/net.py", directory()).out);
  EXPECT_EQ(Run({"grep", "-B", "1", "retry: 3", "docs"}).out,
            "docs/net.md-4-\ndocs/net.md:5:- retry: 3\n");
}

TEST_F(GrepTest, JsonHasTheLinesAndTheirMatches) {
  const Json answer = Run({"grep", "retry", "src", "--json"}).Json();
  ASSERT_EQ(answer["results"].size(), 2u) << answer;
  const Json& java = answer["results"][0];
  EXPECT_EQ(java["doc"]["path"], "src/Main.java");
  EXPECT_EQ(java["lines"][0]["line"], 2);
  EXPECT_EQ(java["lines"][0]["column"], 21);
  EXPECT_EQ(java["lines"][0]["text"], "  int Retry = 3; // retry, retry") << "no line end";
  EXPECT_EQ(java["lines"][0]["matches"],
            Json::parse(R"([{"start":20,"end":25},{"start":27,"end":32}])"));
  EXPECT_EQ(answer["grep"], Json::parse(R"({"pattern":"retry","lines":2,"documents":2})"));
  EXPECT_EQ(answer["stats"]["total_hits"], 2);
}

TEST_F(GrepTest, ALongLineIsCutAroundItsMatch) {
  const Json line = Run({"grep", "needle", "--json"}).Json()["results"][0]["lines"][0];
  EXPECT_EQ(line["cut"], true);
  EXPECT_EQ(line["column"], 3002);
  const std::string text = line["text"];
  EXPECT_EQ(text.size(), 500u);
  const size_t start = line["matches"][0]["start"];
  EXPECT_EQ(text.substr(start, 6), "needle");
}

TEST_F(GrepTest, PagesAreThoseOfTheWhole) {
  const std::string whole = Run({"grep", "-i", "r"}).out;
  std::string pages;
  for (int offset = 0; offset < 20; offset += 3) {
    pages += Run({"grep", "-i", "r", "-k", "3", "--offset", std::to_string(offset)}).out;
  }
  EXPECT_EQ(pages, whole);
  const RunResult first = Run({"grep", "-i", "r", "-k", "3", "--json"});
  EXPECT_EQ(first.Json()["next_offset"], 3);
  // Who has not asked for a page learns that there is more.
  std::string many;
  for (int i = 0; i < 150; ++i) many += "row\n";
  Write("many.txt", many);
  ASSERT_EQ(Run({"add", "many.txt"}).exit, 0);
  const RunResult cut = Run({"grep", "^row"});
  EXPECT_EQ(std::ranges::count(cut.out, '\n'), 100);
  EXPECT_NE(cut.err.find("100 of 150 lines in 1 document; --offset 100"), std::string::npos) << cut;
}

TEST_F(GrepTest, TheAnswerIsTheSameForAnyNumberOfThreads) {
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "line " + std::to_string(i) + " of many words here\n";
  for (int i = 0; i < 40; ++i) Write("many/" + std::to_string(i) + ".txt", many);
  ASSERT_EQ(Run({"add", "many"}).exit, 0);
  const std::string one = Run({"grep", "9 of", "-k", "3900", "--threads", "1"}).out;
  EXPECT_EQ(std::ranges::count(one, '\n'), 3900);
  EXPECT_EQ(Run({"grep", "9 of", "-k", "3900", "--threads", "4"}).out, one);
}

TEST_F(GrepTest, PathsAndFiltersSelectDocuments) {
  EXPECT_EQ(Run({"grep", "-c", "etry", "*.md"}).out, "docs/net.md:2\n");
  EXPECT_EQ(Run({"grep", "-l", "etry", "SRC"}).out, "src/Main.java\nsrc/net.py\n");
  EXPECT_EQ(Run({"grep", "-l", "etry", "--filter", "doc.path LIKE 'docs/%'"}).out, "docs/net.md\n");
  const RunResult missing = Run({"grep", "retry", "nosuch"});
  EXPECT_EQ(missing.exit, 1) << missing;
  EXPECT_EQ(Run({"grep", "retry", "*.nosuch"}).exit, 0);
  // A filter of chunks: the lines of other chunks do not count.
  std::string text;
  for (int i = 0; i < 200; ++i) text += "## Part " + std::to_string(i) + "\n\nthe same words\n\n";
  Write("docs/parts.md", text);
  ASSERT_EQ(Run({"add", "docs"}).exit, 0);
  const std::string filter = "chunk.text LIKE '%Part 77%' AND doc.path = 'docs/parts.md'";
  const Json chunk =
      Run({"query", "FROM chunk FILTER " + filter + " SELECT chunk.start_line, chunk.end_line",
           "--json"})
          .Json();
  const Json lines = Run({"grep", "Part", "--filter", filter, "--json"}).Json()["results"][0];
  ASSERT_GT(lines["count"], 0);
  ASSERT_LT(lines["count"], 200);
  EXPECT_GE(lines["lines"][0]["line"], chunk["results"][0]["chunk"]["start_line"]) << chunk;
}

TEST_F(GrepTest, WrongInput) {
  const RunResult wrong = Run({"grep", "a(b"});
  EXPECT_EQ(wrong.exit, 2) << wrong;
  EXPECT_NE(wrong.err.find("--fixed-strings"), std::string::npos) << wrong;
  EXPECT_EQ(Run({"grep", ""}).exit, 2);
  EXPECT_EQ(Run({"grep"}).exit, 2);
  EXPECT_EQ(Run({"grep", "x", "-l", "-c"}).exit, 2);
  EXPECT_EQ(Run({"grep", "x", "-l", "-C", "1"}).exit, 2);
  EXPECT_EQ(Run({"grep", "x", "--filter", "doc.nosuch = 1"}).exit, 2);
  EXPECT_EQ(Run({"grep", "-rn", "retry", "src/net.py"}).out, "src/net.py:3:def retry(n):\n");
}

}  // namespace
}  // namespace recall
