// `recall browse` where it cannot be used, and what it prints and writes in a pseudo terminal, as
// processes.
// tests/clients/terminal looks at its screens.

#include <csignal>
#include <filesystem>
#include <regex>

#include "cli/show/browse/terminal_screen.h"
#include "tests/cli/recall_process.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

class BrowseTest : public RecallTest {
 protected:
  void SetUp() override {
    if (!TerminalScreen::IsBuiltIn()) GTEST_SKIP() << "built without the terminal view";
    MakeSmallStore();
  }
};

TEST_F(BrowseTest, NeedsATerminal) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"browse"}, {"browse", "--print", "install"}}) {
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, 3) << result;
    EXPECT_EQ(result.out, "");
    EXPECT_NE(result.err.find("browse needs a terminal"), std::string::npos) << result;
    EXPECT_NE(result.err.find("hint: `recall search`"), std::string::npos) << result;
  }
}

TEST_F(BrowseTest, HasNoJson) {
  const RunResult result = Run({"browse", "--json"});
  EXPECT_EQ(result.exit, 2);
  EXPECT_EQ(result.Json()["error"]["code"], "invalid_argument");
  EXPECT_EQ(result.Json()["error"]["hint"], "use `recall search --json`");
}

TEST_F(BrowseTest, ChecksItsFlagsFirst) {
  EXPECT_EQ(Run({"browse", "--filter", ""}).exit, 2);
  const RunResult filter = Run({"browse", "--filter", "doc.pat = 'x'"});
  EXPECT_EQ(filter.exit, 2);
  EXPECT_NE(filter.err.find("unknown field 'doc.pat'"), std::string::npos) << filter;
  EXPECT_EQ(Run({"browse", "-k", "0"}).exit, 2);
}

// The keys of a terminal lead from turn to turn, and nothing of a transcript reaches the terminal
// but as text.
TEST_F(BrowseTest, TheTurnsOfASession) {
  std::string lines;
  for (int i = 0; i < 30; ++i) {
    const std::string said = i == 9 ? R"(The numbat \u001b]0;owned\u0007 eats.)"
                                    : "Spoken " + std::to_string(i) + " of thirty.";
    lines += R"({"session": "talk", "role": ")" + std::string(i % 2 == 0 ? "human" : "assistant") +
             R"(", "text": ")" + said + "\"}\n";
  }
  Write("talk.jsonl", lines);
  ASSERT_EQ(Run({"capture", "--from", "jsonl", "talk.jsonl"}).exit, 0);
  const auto browse = StartOnTerminal({"browse", "--bm25", "numbat"}, {.env = {{"TERM", "xterm"}}});
  browse->See("assistant 9");
  browse->See("\\x1b]0;owned\\x07");
  browse->Type("\x1b[1;2C");            // Shift-Right
  browse->See("Spoken 14 of thirty.");  // at the end of the preview
  browse->Type("\x1bj");                // Alt-J
  browse->See("Spoken 15 of thirty.");
  browse->Type("\x1b[1;2D\x1bk\x1bk");  // back to before the hit
  browse->See("Spoken 8 of thirty.");
  browse->Type("\x03");
  EXPECT_EQ(browse->Finish().exit, 0);
}

class BrowseReviewTest : public BrowseTest {
 protected:
  void SetUp() override {
    BrowseTest::SetUp();
    for (const std::string id : {"alpha", "beta", "gamma"}) {
      ASSERT_EQ(Run({"save", "lesson", "Lesson " + id, "--id", id, "--text", "Text of " + id + ".",
                     "--at", "2026-01-01"})
                    .exit,
                0);
    }
  }

  std::vector<std::string> Due() {
    std::vector<std::string> paths;
    const RunResult result = Run({"review", "--list", "--json"});
    const auto json = result.Json();
    for (const auto& due : json["review"]["due"]) paths.push_back(due["path"]);
    EXPECT_EQ(json["review"]["total"], paths.size());
    return paths;
  }

  std::unique_ptr<TerminalProgram> Browse(std::vector<std::string> args = {"browse", "--review"}) {
    return StartOnTerminal(args, {.env = {{"TERM", "xterm"}}});
  }
};

TEST_F(BrowseReviewTest, ARatingIsOneLessDue) {
  ASSERT_EQ(Due(), (std::vector<std::string>{"notes/alpha.md", "notes/beta.md", "notes/gamma.md"}));
  const auto browse = Browse();
  browse->See("Lesson alpha");
  // A rating before the text is seen does nothing, skipping neither.
  browse->Type("3");
  browse->Type("\r");
  browse->See("Text of alpha.");
  browse->Type("4");
  browse->See("reviewed notes/alpha.md");
  browse->Type("sq");
  const RunResult result = browse->Finish();
  EXPECT_EQ(result.exit, 0) << result;
  EXPECT_EQ(result.out.find("Text of beta."), std::string::npos) << "nobody asked for it";
  EXPECT_TRUE(browse->has_first_modes());
  EXPECT_EQ(Due(), (std::vector<std::string>{"notes/beta.md", "notes/gamma.md"}));
}

TEST_F(BrowseReviewTest, RatesByTheSettings) {
  const auto browse = StartOnTerminal(
      {"browse", "--review"}, {.env = {{"TERM", "xterm"}, {"RECALL_REVIEW_ALGORITHM", "rekall"}}});
  browse->Type(" 4");
  browse->See("in 2 days");
  browse->Type("q");
  EXPECT_EQ(browse->Finish().exit, 0);
}

TEST_F(BrowseReviewTest, AllCanBeRatedInOneRound) {
  const auto browse = Browse();
  browse->Type(" 0 5 3");
  browse->See("3 reviewed");
  browse->Type("\x1b");
  EXPECT_EQ(browse->Finish().exit, 0);
  EXPECT_EQ(Due(), std::vector<std::string>());
}

TEST_F(BrowseReviewTest, ASignalLeavesTheTerminalAsItWas) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) {
    const auto browse = Browse();
    browse->See("Lesson alpha");
    EXPECT_FALSE(browse->has_first_modes());
    browse->Signal(signal);
    const RunResult result = browse->Finish();
    EXPECT_EQ(result.exit, 130) << result;
    EXPECT_TRUE(browse->has_first_modes());
    EXPECT_NE(result.out.find("\x1b[?1049l"), std::string::npos) << "the screen of before is back";
  }
  EXPECT_EQ(Due().size(), 3u);
}

TEST_F(BrowseReviewTest, LinksAndViewsOnATerminal) {
  ASSERT_EQ(Run({"link", "alpha", "beta", "--as", "supports"}).exit, 0);
  for (const int signal : {0, SIGINT, SIGTERM}) {
    const auto browse = Browse({"browse", "--view", "memory", "--as-of", "2026-01-10", "alpha"});
    browse->See("view: memory");
    browse->See("notes/alpha.md");
    browse->Type("\x0f");  // Ctrl-O
    browse->See("Enter go there");
    browse->Type("j\r");  // to beta
    browse->See("←");
    if (signal == 0) {
      browse->Type("\x1b");
      browse->Type("q\x03");
    } else {
      browse->Signal(signal);
    }
    EXPECT_EQ(browse->Finish().exit, signal == 0 ? 0 : 130);
    EXPECT_TRUE(browse->has_first_modes());
  }
  EXPECT_EQ(Due().size(), 3u) << "looking writes nothing";
}

TEST_F(BrowseReviewTest, LeavesTheProgramOnlyIfItBeganWithReviews) {
  const auto browse = Browse({"browse"});
  browse->See("Type a question");
  browse->Type("\x14");  // Ctrl-T
  browse->See("Lesson alpha");
  browse->Type("q");
  browse->Type("beta");
  browse->See("notes/beta.md");
  browse->Type("\x1b");
  EXPECT_EQ(browse->Finish().exit, 0);
}

// What a program has printed on the screen of the shell, after its own.
std::string PrintedBehindScreen(const RunResult& result) {
  const size_t end = result.out.rfind("\x1b[?1049l");
  return end == std::string::npos ? "" : result.out.substr(end);
}

TEST_F(BrowseReviewTest, PrintsAllThatAreMarkedInTheirOrder) {
  for (const bool prints : {true, false}) {
    const auto browse = Browse({"browse", prints ? "--print" : "--no-history", "--bm25", "text"});
    browse->See("of 3 hits");
    browse->Type("\x1b[B\t\x1b[A\x1b[A\t");  // the second, then the first
    browse->See("2 marked");
    browse->Type("\r");
    const RunResult result = browse->Finish();
    EXPECT_EQ(result.exit, 0) << result;
    static const std::regex kTwoLines(
        R"((notes/[a-z]+\.md:\d+-\d+)\r?\n(notes/[a-z]+\.md:\d+-\d+))");
    const std::string printed = PrintedBehindScreen(result);
    std::smatch lines;
    ASSERT_TRUE(std::regex_search(printed, lines, kTwoLines)) << result;
    EXPECT_NE(lines[1].str(), lines[2].str());
    EXPECT_TRUE(browse->has_first_modes());
  }
}

TEST_F(BrowseReviewTest, TheFirstScreenShowsTheStoreAndOpensWhatItLists) {
  const auto browse = Browse({"browse"});
  browse->See("6 documents");
  browse->See("3 due for review");
  browse->See("Due for review");
  browse->See("Lesson alpha");
  browse->Type("\x0f");  // the links of the first one
  browse->See("no links");
  browse->Type("q\x03");
  EXPECT_EQ(browse->Finish().exit, 0);
}

class BrowseNotesTest : public BrowseReviewTest {
 protected:
  // The view with an editor that runs this command of the shell; $f is the file.
  std::unique_ptr<TerminalProgram> BrowseWithEditor(const std::string& command,
                                                    std::vector<std::string> args = {"browse"}) {
    Write("editor.sh", "for f; do :; done\n" + command + "\n");
    return StartOnTerminal(args, {.env = {{"TERM", "xterm"},
                                          {"EDITOR", "sh " + Path("editor.sh")},
                                          {"XDG_STATE_HOME", Path("state")}}});
  }

  std::vector<std::string> Drafts() const {
    std::vector<std::string> texts;
    std::error_code error;
    for (const auto& draft :
         std::filesystem::directory_iterator(Path("state/recall/drafts"), error)) {
      texts.push_back(draft.path().string());
    }
    return texts;
  }

  static constexpr const char* kNew =
      "\x1b"
      "i";  // Alt-I
  static constexpr const char* kEdit =
      "\x1b"
      "e";  // Alt-E
};

TEST_F(BrowseNotesTest, WritesANoteInTheEditor) {
  Write("new.md", "---\ntitle: Zebra: stripes\ntype: lesson\ntags: a, b\n---\n\nBlack on white.\n");
  const auto browse = BrowseWithEditor("cat '" + Path("new.md") + "' >\"$f\"");
  browse->See("Type a question");
  browse->Type(kNew);
  browse->See("saved notes/zebra-stripes.md");
  browse->Type("\x03");
  EXPECT_EQ(browse->Finish().exit, 0);
  EXPECT_TRUE(browse->has_first_modes());
  const RunResult note = Run({"get", "zebra-stripes"});
  EXPECT_NE(note.out.find("Black on white."), std::string::npos) << note;
  EXPECT_NE(note.out.find("tags:\n  - a\n  - b\n"), std::string::npos) << note;
  EXPECT_EQ(Drafts(), std::vector<std::string>());
}

TEST_F(BrowseNotesTest, EditsANoteWithItsCard) {
  const auto browse =
      BrowseWithEditor("sed -i 's/Text of alpha/Changed text/; s/^type: .*/type: bug/' \"$f\"",
                       {"browse", "--bm25", "alpha"});
  browse->See("1/1 of 1 hit");
  browse->Type(kEdit);
  browse->See("changed notes/alpha.md");
  browse->Type("\x03");
  EXPECT_EQ(browse->Finish().exit, 0);
  const RunResult note = Run({"get", "alpha"});
  EXPECT_NE(note.out.find("Changed text."), std::string::npos) << note;
  EXPECT_NE(note.out.find("type: bug\n"), std::string::npos) << note;
  EXPECT_EQ(Drafts(), std::vector<std::string>());
}

TEST_F(BrowseNotesTest, AnEditorThatFailsLosesNoText) {
  const std::string commit = Run({"stats", "--json"}).Json()["stats"]["snapshot"];
  const auto browse = BrowseWithEditor("echo 'half a thought' >>\"$f\"; exit 1");
  browse->See("Type a question");
  browse->Type(kNew);
  browse->See("the editor ended with status 1");
  browse->See("the text is kept in");
  browse->Type("\x03");
  EXPECT_EQ(browse->Finish().exit, 0);
  EXPECT_EQ(Run({"stats", "--json"}).Json()["stats"]["snapshot"], commit) << "nothing was saved";
  ASSERT_EQ(Drafts().size(), 1u);
  EXPECT_NE(Read(Drafts()[0].substr(directory().size() + 1)).find("half a thought\n"),
            std::string::npos);
  // Another view goes on with it.
  const auto again = BrowseWithEditor("sed -i 's/^title:.*/title: A thought/' \"$f\"");
  again->See("Type a question");
  again->Type(kNew);
  again->See("saved notes/a-thought.md");
  again->Type("\x03");
  EXPECT_EQ(again->Finish().exit, 0);
  EXPECT_NE(Run({"get", "a-thought"}).out.find("half a thought"), std::string::npos);
  EXPECT_EQ(Drafts(), std::vector<std::string>());
}

TEST_F(BrowseNotesTest, ANoteThatSomebodyElseChangesIsNotOverwritten) {
  // While the editor runs, another process saves.
  const auto browse = BrowseWithEditor(
      "echo mine >>\"$f\"; '" + RecallBinary() + "' save --rewrite alpha --text theirs --quiet",
      {"browse", "--bm25", "alpha"});
  browse->See("1/1 of 1 hit");
  browse->Type(kEdit);
  browse->See("was changed meanwhile");
  browse->Type("\x03");
  EXPECT_EQ(browse->Finish().exit, 0);
  const RunResult note = Run({"get", "alpha"});
  EXPECT_NE(note.out.find("theirs"), std::string::npos) << note;
  EXPECT_EQ(note.out.find("mine"), std::string::npos) << note;
  EXPECT_EQ(Drafts().size(), 1u);
}

TEST_F(BrowseNotesTest, ASnapshotTakesNoNotes) {
  const std::string token = Run({"stats", "--json"}).Json()["stats"]["snapshot"];
  const auto browse =
      BrowseWithEditor("touch '" + Path("ran") + "'", {"browse", "--snapshot", token});
  browse->See("Type a question");
  browse->Type(kNew);
  browse->See("takes no notes");
  browse->Type("\x03");
  EXPECT_EQ(browse->Finish().exit, 0);
  EXPECT_FALSE(std::filesystem::exists(Path("ran")));
}

TEST_F(BrowseReviewTest, NoColorMeansNone) {
  const std::regex color("\x1b\\[([0-9]+;)*3[0-7]m");
  for (const bool colored : {true, false}) {
    std::map<std::string, std::string> env = {{"TERM", "xterm"}};
    if (!colored) env["NO_COLOR"] = "1";
    const auto browse = StartOnTerminal({"browse", "alpha"}, {.env = env});
    browse->See("notes/alpha.md");
    browse->Type("\x0f");  // the links
    browse->See("no links");
    browse->Type("q\x14");  // the reviews
    browse->See("1 of 3");
    browse->Type("\x03");
    EXPECT_EQ(std::regex_search(browse->Finish().out, color), colored);
  }
}

TEST_F(BrowseReviewTest, ASnapshotTakesNoRatings) {
  const std::string token = Run({"stats", "--json"}).Json()["stats"]["snapshot"];
  const auto browse = Browse({"browse", "--review", "--snapshot", token});
  browse->Type(" 4");
  browse->See("takes no reviews");
  browse->Type("q");
  EXPECT_EQ(browse->Finish().exit, 0);
  EXPECT_EQ(Due().size(), 3u);
}

TEST_F(BrowseReviewTest, AStoreThatCannotBeWrittenIsReadAndTakesNoRatings) {
  namespace fs = std::filesystem;
  fs::permissions(Path("recall.db"), fs::perms(0444));
  fs::permissions(directory(), fs::perms(0555));
  const auto browse = StartOnTerminal({"browse", "--review", "--no-history"},
                                      {.env = {{"TERM", "xterm"}}, .unprivileged = true});
  browse->Type("\r");
  browse->See("Text of alpha.");
  browse->Type("4");
  browse->See("cannot");
  browse->Type("4sq");
  const RunResult result = browse->Finish();
  fs::permissions(directory(), fs::perms::all);
  EXPECT_EQ(result.exit, 0) << result;
  EXPECT_EQ(Due().size(), 3u);
}

TEST_F(BrowseReviewTest, ReviewsWhatSatisfiesTheFilter) {
  const auto browse = Browse({"browse", "--review", "--filter", "doc.title = 'Lesson beta'"});
  browse->Type(" 4");
  browse->See("1 reviewed");
  browse->Type("q");
  EXPECT_EQ(browse->Finish().exit, 0);
  EXPECT_EQ(Due(), (std::vector<std::string>{"notes/alpha.md", "notes/gamma.md"}));
  EXPECT_EQ(Run({"browse", "--review", "question"}).exit, 2);
  EXPECT_EQ(Run({"browse", "--review", "--print"}).exit, 2);
}

}  // namespace
}  // namespace recall
