// What answers look like on a terminal: where one stands, in its window, with links and a pager.

#include <algorithm>
#include <sstream>

#include "cli/show/terminal/terminal.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class TerminalProcessTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Write("notes/one.md", "# One\n\na heron at the pond\n");
    Write("docs/with space.md", "# Two\n\nanother heron\n");
    ASSERT_EQ(Run({"add", "notes", "docs"}).exit, 0);
  }

  RunResult OnTerminal(const std::vector<std::string>& args,
                       std::map<std::string, std::string> env = {}, std::string directory = "") {
    env.insert({"TERM", "xterm"});
    return Run(args, {.directory = directory.empty() ? this->directory() : directory,
                      .env = std::move(env),
                      .terminal = true});
  }

  static size_t Widest(const std::string& text) {
    size_t widest = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      widest = std::max(widest, DisplayColumns(line));
    }
    return widest;
  }
};

TEST_F(TerminalProcessTest, PathsAreThoseOfTheWorkingDirectory) {
  const std::vector<std::string> search = {"search", "heron", "--color", "never"};
  const std::string shown = OnTerminal(search, {}, Path("notes")).out;
  EXPECT_NE(shown.find("  one.md:1-3  One"), std::string::npos) << shown;
  EXPECT_NE(shown.find("  ../docs/with space.md:1-3  Two"), std::string::npos) << shown;
  // Whoever reads a pipe gets the paths of the store.
  const std::string piped = Run(search, {.directory = Path("notes")}).out;
  EXPECT_NE(piped.find("  notes/one.md:1-3  One"), std::string::npos) << piped;
}

TEST_F(TerminalProcessTest, PathsLinkToTheirFiles) {
  const auto has_link = [&](const RunResult& result) {
    return result.out.find("\x1b]8;;file://") != std::string::npos;
  };
  const RunResult shown = OnTerminal({"search", "another"});
  EXPECT_NE(shown.out.find(Path("docs/with%20space.md") + "\x1b\\"), std::string::npos) << shown;
  EXPECT_TRUE(has_link(OnTerminal({"ls"})));
  EXPECT_TRUE(has_link(OnTerminal({"query", "FROM doc SELECT doc.path"})));
  EXPECT_TRUE(has_link(Run({"search", "heron", "--hyperlink", "always"})));
  EXPECT_FALSE(has_link(Run({"search", "heron"})));
  EXPECT_FALSE(has_link(OnTerminal({"search", "heron", "--hyperlink", "never"})));
  EXPECT_FALSE(has_link(OnTerminal({"search", "heron"}, {{"NO_COLOR", "1"}})));
  Erase("notes/one.md");
  EXPECT_FALSE(has_link(OnTerminal({"ls", "notes/one.md"}))) << "of a file that is not there";
}

TEST_F(TerminalProcessTest, RowsOfAQueryFitTheWindow) {
  Write("long.md", "# Long\n\n" + std::string(500, 'x') + " heron " + std::string(500, 'y') + "\n");
  ASSERT_EQ(Run({"add", "long.md"}).exit, 0);
  const std::vector<std::string> query = {
      "query", "--color", "never",
      "FROM chunk USING lexical('heron') SELECT score, doc.path, "
      "chunk.start_line, chunk.text"};
  const RunResult shown = OnTerminal(query, {{"TERM", "dumb"}});
  EXPECT_EQ(Widest(shown.out), 80u) << shown;
  EXPECT_EQ(std::count(shown.out.begin(), shown.out.end(), '\n'), 4) << shown;
  EXPECT_EQ(shown.out.find("e-"), std::string::npos) << shown;
}

// Headings and citations are broken after words, and pieces are left as they are.
TEST_F(TerminalProcessTest, HeadingsFitTheWindow) {
  const std::string deep =
      "Notes of a long summer at the lake behind the old mill > What was seen there in the morning";
  const std::string line = "another stork, " + std::string(90, 'z') + " end";
  Write("long.md", "# " + deep.substr(0, deep.find(" > ")) + "\n\n## " +
                       deep.substr(deep.find(" > ") + 3) + "\n\n" + line + "\n");
  ASSERT_EQ(Run({"add", "long.md"}).exit, 0);
  const RunResult found =
      OnTerminal({"search", "stork", "--bm25", "--color", "never", "--snippet", "0"});
  EXPECT_LE(Widest(found.out), 80u) << found;
  EXPECT_NE(found.out.find("> What was seen there\n    in the morning\n"), std::string::npos)
      << found;
  const RunResult context = OnTerminal({"context", "stork", "--no-expand"});
  EXPECT_NE(context.out.find(line), std::string::npos) << context;
  std::istringstream rows(context.out);
  for (std::string row; std::getline(rows, row);) {
    EXPECT_TRUE(row.find("zzz") != row.npos || DisplayColumns(row) <= 81) << context;
  }
  EXPECT_NE(Run({"context", "stork"}).out.find(deep), std::string::npos);
}

TEST_F(TerminalProcessTest, HelpAndReportsFitTheWindow) {
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"help"}, {"help", "search"}, {"add", "-h"}, {"add", "--help"}, {"inspect"}}) {
    const RunResult shown = OnTerminal(args, {{"PAGER", "cat"}});
    EXPECT_LE(Widest(shown.out), 80u) << shown;
    EXPECT_GT(shown.out.size(), 400u);
  }
}

TEST_F(TerminalProcessTest, LongAnswersGoThroughThePager) {
  const std::map<std::string, std::string> marking = {{"RECALL_PAGER", "sed s/^/P:/"}};
  const RunResult paged = OnTerminal({"help", "search"}, marking);
  EXPECT_EQ(paged.exit, 0);
  EXPECT_TRUE(paged.out.starts_with("P:recall search: ")) << paged;
  EXPECT_NE(paged.out.find("\nP:  130"), std::string::npos) << paged;
  // Short answers, JSON and pipes do not; nor does whoever refuses.
  EXPECT_EQ(OnTerminal({"ls"}, marking).out.find("P:"), std::string::npos);
  EXPECT_EQ(OnTerminal({"search", "heron", "--json"}, marking).out.find("P:"), std::string::npos);
  EXPECT_EQ(Run({"help", "search"}, {.env = marking}).out.find("P:"), std::string::npos);
  EXPECT_EQ(OnTerminal({"help", "search", "--no-pager"}, marking).out.find("P:"),
            std::string::npos);
  for (const char* none : {"", "cat", "no-such-pager"}) {
    const RunResult plain = OnTerminal({"help", "search"}, {{"RECALL_PAGER", none}});
    EXPECT_TRUE(plain.out.starts_with("recall search: ")) << plain;
  }
  // A pager that is left early is not an error.
  EXPECT_EQ(OnTerminal({"guide"}, {{"PAGER", "head -n 1"}}).exit, 0);
}

TEST_F(TerminalProcessTest, RemarksFollowTheAnswerIntoThePager) {
  for (int i = 0; i < 40; ++i) Write("many/" + std::to_string(i) + ".md", "a heron\n");
  ASSERT_EQ(Run({"add", "many"}).exit, 0);
  const RunResult paged = OnTerminal({"ls", "-k", "30"}, {{"RECALL_PAGER", "sed s/^/P:/"}});
  const size_t remark = paged.out.find("30 of 42 documents");
  ASSERT_NE(remark, std::string::npos) << paged;
  EXPECT_EQ(paged.out[paged.out.rfind('\n', remark) + 1], 'P') << paged;
}

}  // namespace
}  // namespace recall
