// Answers without results say why, and what to do.

#include "tests/cli/recall_process.h"

namespace recall {
namespace {

class EmptyAnswersTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  // The warning of a command in text, which must be that in JSON.
  std::string WarningOf(std::vector<std::string> args) {
    const RunResult text = Run(args);
    EXPECT_EQ(text.exit, 0) << text;
    args.push_back("--json");
    const auto warnings = Run(args).Json()["warnings"];
    EXPECT_EQ(warnings.size(), 1u) << warnings;
    const std::string warning = warnings.empty() ? "" : std::string(warnings[0]);
    EXPECT_EQ(text.err, "warning: " + warning + "\n");
    return warning;
  }
};

TEST_F(EmptyAnswersTest, OfAStoreWithoutDocuments) {
  EXPECT_EQ(WarningOf({"ls"}), "no results: the store has no documents; `recall add` adds them");
  EXPECT_EQ(WarningOf({"query", "FROM doc"}),
            "no results: the store has no documents; `recall add` adds them");
  EXPECT_EQ(WarningOf({"query", "FROM chunk"}),
            "no results: the store has no texts; `recall add` adds them");
  EXPECT_EQ(WarningOf({"sessions"}),
            "no results: the store has no sessions; `recall capture` adds them");
  EXPECT_EQ(WarningOf({"review", "--list"}),
            "nothing is due: no review is scheduled; `recall save` writes notes");
}

TEST_F(EmptyAnswersTest, OfAStoreWithOthers) {
  Write("a.md", "# A\n\nThe walrus sleeps on the ice.\n");
  Write("b.md", "# B\n\nThe walrus sleeps on the shore.\n");
  ASSERT_EQ(Run({"add", "a.md", "b.md"}).exit, 0);
  ASSERT_EQ(Run({"save", "lesson", "Test it", "--text", "It runs."}).exit, 0);
  EXPECT_EQ(WarningOf({"ls", "--filter", "doc.tag = 'none'"}),
            "no results: the filter matches nothing");
  EXPECT_EQ(WarningOf({"query", "FROM chunk FILTER doc.tag = 'none'"}),
            "no results: the filter matches nothing");
  // Ids name notes elsewhere, but filters compare texts.
  for (const auto& [id, path] : {std::pair("adr-7", "notes/adr-7.md"), {"docs/a", "docs/a.md"}}) {
    EXPECT_EQ(WarningOf({"query", "FROM doc FILTER doc.tag = 'x' OR doc.link.supports = '" +
                                      std::string(id) + "'"}),
              "no results: the filter matches nothing; links are compared by paths, such as '" +
                  std::string(path) + "'");
  }
  EXPECT_EQ(WarningOf({"ls", "--filter", "doc.backlink.any = 'notes/adr-7.md'"}),
            "no results: the filter matches nothing");
  EXPECT_EQ(WarningOf({"ls", "--offset", "7"}), "no results: row 7 is past the last of 3");
  EXPECT_EQ(WarningOf({"similar", "a.md", "--filter", "doc.tag = 'none'"}),
            "no results: nothing else that passes the filter is similar");
  EXPECT_EQ(WarningOf({"links", "a.md"}), "a.md has no such links; `recall link` makes one");
  EXPECT_EQ(WarningOf({"stale"}),
            "nothing is stale: no document has expired, and none that was used has been left for "
            "so long");
  EXPECT_TRUE(
      WarningOf({"review", "--list"}).starts_with("nothing is due; the next review is on 2"));
  EXPECT_EQ(WarningOf({"sessions", "walrus"}),
            "no results: the store has no sessions; `recall capture` adds them");
  Write("logs/a.txt", "nothing\n");
  EXPECT_EQ(WarningOf({"capture", "logs"}), "no transcripts of coding agents were found in logs");
  EXPECT_EQ(Run({"query", "FROM doc LIMIT 0"}).err, "");
}

}  // namespace
}  // namespace recall
