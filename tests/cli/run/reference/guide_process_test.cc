// The examples of the guide are right: every command prints what the guide shows, and every query
// and filter is valid.

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/run/reference/guide_sections.h"
#include "index/subword/token_estimate.h"
#include "tests/cli/listed_commands.h"
#include "tests/cli/made_documents.h"
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
  size_t RunBlocks(const std::vector<FencedBlock>& blocks) {
    return RunConsole("docs/guide.md", blocks, directory(), directory());
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

  const std::string open =
      "```console\n$ a <<'END'\nx\n\n$ y\nEND\nshown\n$ b \\\n  c\nd\n$ e <<'F'\n> f\n> F\n```\n";
  const std::vector<ConsoleStep> copied = ConsoleSteps(FencedBlocks(open).at(0));
  ASSERT_EQ(copied.size(), 3u);
  EXPECT_EQ(copied[0].command, "a <<'END'\nx\n\n$ y\nEND");
  EXPECT_EQ(copied[0].output, "shown\n");
  EXPECT_EQ(copied[1].command, "b \\\n  c");
  EXPECT_EQ(copied[1].output, "d\n");
  EXPECT_EQ(copied[2].command, "e <<'F'\nf\nF");

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

TEST_F(GuideTest, TheShortGuideIsShort) { EXPECT_LE(EstimateTokens(Run({"guide"}).out), 1500); }

// Its commands, queries and filters work in the store of the guide.
TEST_F(GuideTest, TheShortGuideWorks) {
  std::vector<FencedBlock> start = FencedBlocks(Run({"guide", "start"}).out);
  start.resize(1);
  RunBlocks(start);
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

// The code of the guide that begins so, with values in place of its names in capitals.
std::string CodeOf(const std::string& guide, const std::string& begin,
                   const std::map<std::string, std::string>& values) {
  const size_t at = guide.find("`" + begin);
  if (at == std::string::npos) return "false # the guide has no " + begin;
  std::string code = guide.substr(at + 1, guide.find('`', at + 1) - at - 1);
  for (const auto& [name, value] : values) {
    if (const size_t place = code.find(name); place != std::string::npos) {
      code.replace(place, name.size(), value);
    }
  }
  return code;
}

// What agents do with a store: each task can be begun from the short guide alone. The commands are
// those of the guide, in the store of the guide.
TEST_F(GuideTest, TheShortGuideAnswersTheUsualTasks) {
  std::vector<FencedBlock> start = FencedBlocks(Run({"guide", "start"}).out);
  RunBlocks(start);
  Write("report.pdf", MakePdf({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "heron"}));
  Write("session.jsonl",
        R"({"type":"user","sessionId":"11111111-1111-4111-8111-111111111111","uuid":"a",)"
        R"("timestamp":"2026-02-25T10:00:00.000Z","cwd":"/w",)"
        R"("message":{"role":"user","content":"Why is the gateway slow?"}})"
        "\n");
  ASSERT_EQ(Run({"add", "report.pdf"}).exit, 0);
  const std::string guide = Run({"guide"}).out;
  const std::map<std::string, std::string> names = {
      {"SOURCE", "docs/limits.md"},
      {"TARGET", "docs/retention.md"},
      {"NOTE", "retry-five-times"},
      {"NEWER", "docs/limits.md"},
      {"path@hash:9-17", "$(cat cite)"},
      {"SESSION", "sessions/claude-code/11111111-1111-4111-8111-111111111111"}};
  const auto code = [&](const std::string& begin) { return CodeOf(guide, begin, names); };
  const std::string totals = "recall search -k 1 --lean logs | tail -n 1 > totals; ";
  const std::string token = "$(sed 's/.*\"snapshot\":\"\\([^\"]*\\)\".*/\\1/' totals)";
  struct Task {
    std::string name;
    std::vector<std::string> said;  // by the short guide
    std::string command;
    std::string printed;
  };
  const Task tasks[] = {
      {"find", {"recall search -k 5"}, "recall search how long are backups kept", "90 days"},
      {"cite", {"`--cite`"}, "recall search --fields cite -k 1 backups | tee cite", "@"},
      {"read again", {}, code("recall get path@hash"), "90 days"},
      {"verify", {"`--verify`"}, "recall get --verify \"$(cat cite)\"", "90 days"},
      {"page",
       {"`--offset`", "`next_offset`", "`--snapshot`"},
       totals + "recall search -k 1 --lean --offset 1 --snapshot " + token + " logs",
       "\"path\""},
      {"filter",
       {"doc.mtime >=", "doc.meta.topics"},
       "recall search " + code("--filter \"") + " logs",
       "docs/retention.md"},
      {"pack", {"recall context --budget-tokens"}, "recall context --cite logs", "[docs/"},
      {"read by a program", {"`--json`"}, "recall search --json logs", "\"results\""},
      {"find a definition", {"`recall symbols Commit`"}, code("recall grep -F"), ""},
      {"save a note", {}, code("recall save"), "notes/retry-five-times.md"},
      {"find a note", {}, code("recall search --view memory"), "Retry five times"},
      {"link", {}, code("recall link ") + " && " + code("recall links "), "supports"},
      {"review", {}, code("recall review --list") + "; " + code("recall review --rate"), "next on"},
      {"capture", {"`recall capture`"}, "recall capture session.jsonl", "captured 1 session"},
      {"find a session",
       {},
       code("recall sessions ") + " && " + code("recall get SESSION"),
       "gateway"},
      {"cite a page", {"`(p. 12)`"}, code("recall get report.pdf"), "heron"},
      {"retire a note", {}, code("recall retire"), "retired notes/retry-five-times.md"},
  };
  for (const Task& task : tasks) {
    for (const std::string& words : task.said) {
      EXPECT_NE(guide.find(words), std::string::npos) << task.name << ": " << words;
    }
    const ShellResult result = RunShell(task.command, directory());
    EXPECT_EQ(result.exit, 0) << task.name << ": " << task.command << "\n" << result.out;
    EXPECT_NE(result.out.find(task.printed), std::string::npos)
        << task.name << ": " << task.command << "\n"
        << result.out;
  }
}

TEST_F(GuideTest, ThePartOfACommandHasItsRowAndItsFlags) {
  const std::string part = Run({"guide", "commands", "grep"}).out;
  EXPECT_NE(part.find("\n| `recall grep PATTERN [PATH...]` | "), std::string::npos) << part;
  EXPECT_NE(part.find("\n| `-F`, `--fixed-strings` | "), std::string::npos) << part;
  EXPECT_EQ(part.find("`recall symbols"), std::string::npos) << part;
  EXPECT_EQ(part.find("`--store"), std::string::npos) << part;
  // Commands that share a row, and the choices of a flag.
  EXPECT_NE(Run({"guide", "commands", "version"}).out.find("`recall version`"), std::string::npos);
  EXPECT_NE(Run({"guide", "commands", "get"}).out.find("`--payload lean\\|full`"),
            std::string::npos);
  EXPECT_EQ(Run({"guide", "commands", "grep", "--json"}).Json()["guide"]["text"], part);
  const std::string all = Run({"guide", "commands"}).out;
  for (const std::string& command : ListedCommands(Run({"--help"}).out)) {
    const std::string text = Run({"guide", "commands", command}).out;
    EXPECT_LT(text.size(), all.size() / 3) << command;
    EXPECT_NE(text.find("`recall " + command), std::string::npos) << command << "\n" << text;
  }
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"guide", "commands", "nothing"},
        {"guide", "rql", "grep"},
        {"guide", "commands", "grep", "--all"}}) {
    EXPECT_EQ(Run(wrong).exit, 2);
  }
}

TEST_F(GuideTest, EveryCommandPrintsWhatIsShown) { EXPECT_GE(RunBlocks(blocks_), 65u); }

// A block of filters has one filter per line, with a comment; a block of RQL is one query.
TEST_F(GuideTest, EveryQueryAndFilterRuns) {
  RunBlocks(blocks_);
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
