// The examples of the guide are right: every command prints what the guide shows, and every query
// and filter is valid.

#include <algorithm>
#include <fstream>
#include <sstream>

#include "cli/run/reference/guide_sections.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/run/reference/guide_examples.h"
#include "tests/cli/shell.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

std::string ReadSource(const std::string& name) {
  std::ifstream file(SourceDir() + "/" + name);
  EXPECT_TRUE(file) << name;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

class GuideTest : public RecallTest {
 protected:
  // Runs the commands of the page in order.
  void RunConsole(const std::vector<FencedBlock>& blocks) {
    for (const FencedBlock& block : blocks) {
      if (block.language != "console") continue;
      for (const ConsoleStep& step : ConsoleSteps(block)) {
        const std::string actual = RunShell(step.command, directory()).out;
        EXPECT_TRUE(MatchesShown(step.output, actual))
            << "docs/guide.md:" << step.line << ": $ " << step.command << "\nshown:\n"
            << step.output << "printed:\n"
            << actual;
      }
    }
  }

  std::vector<FencedBlock> blocks_ = FencedBlocks(ReadSource("docs/guide.md"));
};

TEST(GuideExamples, AreTakenApartAndCompared) {
  const std::string page = "text\n```console\n$ a\nx\n$ b \\\n> c\n\ny\n```\n```fel\nz\n```\n";
  const std::vector<FencedBlock> blocks = FencedBlocks(page);
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[1].language, "fel");
  const std::vector<ConsoleStep> steps = ConsoleSteps(blocks[0]);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].output, "x\n");
  EXPECT_EQ(steps[1].command, "b \\\nc");
  EXPECT_EQ(steps[1].output, "\ny\n");
  EXPECT_EQ(steps[1].line, 5);

  EXPECT_TRUE(MatchesShown("a\nb\n", "a\nb\n"));
  EXPECT_FALSE(MatchesShown("a\n", "a\nb\n"));
  EXPECT_FALSE(MatchesShown("a\nb\n", "a\n"));
  EXPECT_TRUE(MatchesShown("a\n...\nz\n", "a\nb\nc\nz\n"));
  EXPECT_TRUE(MatchesShown("...\n", ""));
  EXPECT_TRUE(MatchesShown("id …, n … end\n", "id 5, n 6 end\n"));
  EXPECT_FALSE(MatchesShown("id … end\n", "id 5 end.\n"));
}

TEST_F(GuideTest, IsThePageInTheDocs) {
  const std::string page = ReadSource("docs/guide.md");
  EXPECT_EQ(Run({"guide", "--all"}).out, page);
  EXPECT_EQ(Run({"guide", "--all", "--json"}).Json()["guide"]["text"], page);

  // The short guide and the sections, which it names, are the whole page.
  const std::string short_guide = Run({"guide"}).out;
  std::string parts = short_guide;
  for (const std::string& name : GuideSectionNames(page)) {
    EXPECT_NE(short_guide.find("`" + name + "`"), std::string::npos) << name;
    const std::string section = Run({"guide", name}).out;
    EXPECT_EQ(Run({"guide", name, "--json"}).Json()["guide"]["text"], section);
    parts += "\n" + section;
  }
  EXPECT_EQ(parts, page);
  EXPECT_EQ(Run({"guide", "nothing"}).exit, 2);
  EXPECT_EQ(Run({"guide", "rql", "--all"}).exit, 2);
}

// About 1,500 tokens of a model.
TEST_F(GuideTest, TheShortGuideIsShort) { EXPECT_LE(Run({"guide"}).out.size(), 6000u); }

// Its commands, queries and filters work in the store of the guide.
TEST_F(GuideTest, TheShortGuideWorks) {
  std::vector<FencedBlock> start = FencedBlocks(Run({"guide", "start"}).out);
  start.resize(1);
  RunConsole(start);
  const std::string short_guide = Run({"guide"}).out;
  const std::vector<FencedBlock> blocks = FencedBlocks(short_guide);
  ASSERT_EQ(blocks.size(), 1u);
  size_t commands = 0;
  std::istringstream lines(blocks[0].text);
  for (std::string line; std::getline(lines, line); ++commands) {
    const ShellResult result = RunShell(line, directory());
    EXPECT_EQ(result.exit, 0) << line << "\n" << result.out;
    EXPECT_NE(result.out, "") << line;
  }
  EXPECT_EQ(commands, 5u);
  size_t spans = 0;
  for (size_t at = short_guide.find('`'); at != std::string::npos;) {
    const size_t end = short_guide.find('`', at + 1);
    const std::string code = short_guide.substr(at + 1, end - at - 1);
    const bool filter = code.starts_with("--filter \"");
    if (code.starts_with("recall query \"") || filter) {
      const ShellResult result =
          RunShell(filter ? "recall search -k 1 " + code + " logs" : code, directory());
      EXPECT_EQ(result.exit, 0) << code << "\n" << result.out;
      EXPECT_NE(result.out, "") << code;
      ++spans;
    }
    at = short_guide.find('`', end + 1);
  }
  EXPECT_EQ(spans, 2u);
}

TEST_F(GuideTest, EveryCommandPrintsWhatIsShown) {
  RunConsole(blocks_);
  size_t steps = 0;
  for (const FencedBlock& block : blocks_) {
    if (block.language == "console") steps += ConsoleSteps(block).size();
  }
  EXPECT_GE(steps, 40u);
}

// A block of filters has one filter per line, with a comment; a block of RQL is one query.
TEST_F(GuideTest, EveryQueryAndFilterRuns) {
  RunConsole(blocks_);
  size_t count = 0;
  for (const FencedBlock& block : blocks_) {
    std::vector<std::string> queries;
    if (block.language == "rql") queries.push_back(block.text);
    if (block.language == "fel") {
      std::istringstream lines(block.text);
      for (std::string line; std::getline(lines, line);) {
        queries.push_back("FROM chunk FILTER " + line + "\nLIMIT 1 SELECT doc.path");
      }
    }
    for (const std::string& query : queries) {
      const RunResult result = Run({"query", "--rql", query});
      EXPECT_EQ(result.exit, 0) << "docs/guide.md:" << block.line << "\n" << query << result;
      // Some find nothing in the store of the guide.
      EXPECT_TRUE(result.err.empty() || result.err.starts_with("warning: no results: "))
          << query << result;
      ++count;
    }
  }
  EXPECT_GE(count, 13u);
}

}  // namespace
}  // namespace recall
