#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

// Command lines without a command.
class RootTest : public RecallTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(Run({"init"}).exit, 0);
    Write("a.md", "# Tokens\nJWT expiry is checked twice, and a stale one is refused\n");
    Write("b.md", "# Status\nthe stat of a file, and its stats; a search of files\n");
    ASSERT_EQ(Run({"add", "."}).exit, 0);
  }
};

TEST_F(RootTest, WordsWithoutACommandAreSearchedFor) {
  const RunResult root = Run({"JWT", "expiry"});
  EXPECT_EQ(root.exit, 0) << root;
  EXPECT_EQ(root.err, "searched for JWT expiry\n");
  EXPECT_EQ(root.out, Run({"search", "JWT", "expiry"}).out);
  EXPECT_NE(root.out.find("a.md"), std::string::npos);
  EXPECT_EQ(Run({"--quiet", "JWT"}).err, "");
}

TEST_F(RootTest, TheFlagsAreThoseOfSearch) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"JWT", "--k", "1", "--json", "--stable"},
        std::vector<std::string>{"--json", "--stable", "-k", "1", "JWT"},
        std::vector<std::string>{"--k=1", "JWT", "--json", "--stable"}}) {
    const RunResult root = Run(args);
    EXPECT_EQ(root.exit, 0) << root;
    EXPECT_EQ(root.out, Run({"search", "JWT", "--k", "1", "--json", "--stable"}).out);
  }
  const RunResult wrong = Run({"JWT", "--bogus"});
  EXPECT_EQ(wrong.exit, 2);
  EXPECT_NE(wrong.err.find("unknown option '--bogus'"), std::string::npos) << wrong;
}

TEST_F(RootTest, CommandsWin) {
  EXPECT_EQ(Run({"stats", "--json"}).Json().contains("stats"), true);
  EXPECT_EQ(Run({"stats", "JWT"}).exit, 2) << "stats has no arguments";
  EXPECT_NE(Run({"-k", "3", "search", "x"}).err.find("unknown option '-k' before the command"),
            std::string::npos);
}

TEST_F(RootTest, BehindTwoDashesThereAreOnlyWords) {
  const RunResult root = Run({"--", "stats"});
  EXPECT_EQ(root.exit, 0) << root;
  EXPECT_EQ(root.out, Run({"search", "--", "stats"}).out);
  EXPECT_NE(root.out.find("b.md"), std::string::npos);
  EXPECT_EQ(Run({"--", "serach"}).err.find("did you mean"), std::string::npos);
  EXPECT_EQ(Run({"--"}).exit, 2) << "no words";
}

TEST_F(RootTest, AMisspeltCommandIsAnErrorUnlessATextHasTheWord) {
  for (const char* word : {"serach", "searhc", "serch", "searchh", "sesrch", "delete"}) {
    const RunResult root = Run({word, "foo"});
    EXPECT_EQ(root.exit, 2) << word;
    EXPECT_EQ(root.out, "");
    EXPECT_NE(root.err.find(std::string("unknown command '") + word + "'"), std::string::npos);
    EXPECT_NE(root.err.find(std::string(word) == "delete" ? "did you mean `recall rm`"
                                                          : "did you mean `recall search`"),
              std::string::npos)
        << root;
    EXPECT_EQ(Run({word, "--json"}).Json()["error"]["code"], "invalid_argument");
  }
  EXPECT_EQ(Run({"stat", "of", "a", "file"}).exit, 0) << "a text has it";
  EXPECT_TRUE(Run({"frobnicate"}).err.starts_with("searched for frobnicate\n"))
      << "no command is like it";
  EXPECT_EQ(Run({"ad"}).exit, 0) << "commands of three letters are near too many words";
}

// Whoever types `recall delete x` must not believe that it was deleted because a text has the word.
TEST_F(RootTest, AUsualVerbIsNeverASearch) {
  Write("verbs.md", "delete list show status open update purge view remove\n");
  ASSERT_EQ(Run({"add", "verbs.md"}).exit, 0);
  for (const char* verb :
       {"delete", "list", "show", "status", "open", "update", "purge", "view", "remove"}) {
    for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
             {verb, "verbs.md"}, {verb}, {"-k", "3", verb, "x"}}) {
      const RunResult root = Run(args);
      EXPECT_EQ(root.exit, 2) << root;
      EXPECT_NE(root.err.find("did you mean `recall "), std::string::npos) << root;
    }
    EXPECT_EQ(Run({"--", verb, "verbs.md"}).exit, 0) << verb;
    EXPECT_EQ(Run({"search", verb}).exit, 0) << verb;
  }
}

TEST_F(RootTest, TheNumberOfResultsHasOtherSpellings) {
  const std::string two = Run({"search", "-k", "2", "JWT"}).out;
  for (const char* flag : {"-n", "--limit", "--k"}) {
    EXPECT_EQ(Run({"search", flag, "2", "JWT"}).out, two) << flag;
    EXPECT_EQ(Run({flag, "2", "JWT"}).out, two) << flag;
  }
  EXPECT_EQ(Run({"ls", "-n", "1"}).out, Run({"ls", "--k", "1"}).out);
}

TEST_F(RootTest, WithoutAStore) {
  Write("empty/x", "");
  const RunOptions there{.directory = Path("empty"), .env = {{"RECALL_STORE", Path("none.db")}}};
  EXPECT_EQ(Run({"JWT"}, there).exit, 3);
  EXPECT_EQ(Run({"serach", "foo"}, there).exit, 2);
  EXPECT_EQ(Run({}).exit, 2);
  EXPECT_NE(Run({}).err.find("or recall WORDS... to search"), std::string::npos);
}

// Someone who has just installed the program types its name, or a question.
class NoStoreTest : public RecallTest {
 protected:
  void SetUp() override { Write("a.md", "# Tokens\nJWT expiry is checked twice\n"); }

  // What is printed when `input` is typed on a terminal.
  RunResult Type(const std::vector<std::string>& args, const std::string& input) {
    return Run(args, {.env = {{"NO_COLOR", "1"}}, .input = input, .terminal = true, .typed = true});
  }
};

TEST_F(NoStoreTest, TheNameAloneSaysWhatToTypeNext) {
  const RunResult alone = Run({});
  EXPECT_EQ(alone.exit, 2);
  EXPECT_EQ(alone.out, "");
  EXPECT_TRUE(alone.err.starts_with("There is no store in " + directory())) << alone;
  EXPECT_NE(alone.err.find("recall init && recall add ."), std::string::npos) << alone;
  EXPECT_EQ(Run({"--json"}).Json()["error"]["message"], "the command is missing");
  // What it says works; then there is a store, and the name alone lists the commands.
  ASSERT_EQ(Run({"init"}).exit, 0);
  ASSERT_EQ(Run({"add", "."}).exit, 0);
  EXPECT_NE(Run({}).err.find("or recall WORDS... to search"), std::string::npos);
}

TEST_F(NoStoreTest, AQuestionOnATerminalIsFollowedByAnOffer) {
  for (const std::vector<std::string>& question : std::vector<std::vector<std::string>>{
           {"search", "JWT", "expiry"}, {"JWT", "expiry"}, {"context", "JWT", "expiry"}}) {
    const RunResult asked = Type(question, "yes\n");
    EXPECT_EQ(asked.exit, 0) << asked;
    EXPECT_NE(asked.out.find("now, and search them? [y/N] "), std::string::npos) << asked;
    EXPECT_NE(asked.out.find("is checked twice"), std::string::npos) << asked;
    EXPECT_EQ(Run(question).exit, 0) << "the store stays";
    EXPECT_EQ(Type(question, "yes\n").out.find("[y/N]"), std::string::npos) << "and is found";
    Erase("recall.db");
  }
}

TEST_F(NoStoreTest, NothingIsIndexedUnlessItWasWanted) {
  for (const std::string& answer : {std::string("\n"), std::string("no\n"), std::string("n\n")}) {
    const RunResult asked = Type({"search", "JWT"}, answer);
    EXPECT_EQ(asked.exit, 3) << asked;
    EXPECT_NE(asked.out.find("error: store not found"), std::string::npos) << asked;
  }
  // Only a question is followed by the offer, only to a person, only where no store was named.
  const RunOptions named = {.env = {{"RECALL_STORE", Path("none.db")}}, .terminal = true};
  for (const RunResult& result :
       {Type({"search", "--json", "JWT"}, "yes\n"), Type({"search", "--quiet", "JWT"}, "yes\n"),
        Type({"search", "--store", "none.db", "JWT"}, "yes\n"), Type({"stats"}, "yes\n"),
        Run({"search", "JWT"}, named), Run({"search", "JWT"}, {.terminal = true}),
        Run({"search", "JWT"}, {.input = "yes\n"})}) {
    EXPECT_EQ(result.exit, 3) << result;
    EXPECT_EQ(result.out.find("[y/N]"), std::string::npos) << result;
    EXPECT_EQ(result.err.find("[y/N]"), std::string::npos) << result;
  }
  EXPECT_EQ(Run({"stats"}).exit, 3) << "there is still no store";
}

TEST_F(RootTest, FlagsOfSessionsAskForSessions) {
  for (const std::vector<std::string>& args : {std::vector<std::string>{"--actor", "human", "JWT"},
                                               std::vector<std::string>{"JWT", "--file", "^src/"},
                                               std::vector<std::string>{"--author", "stats", "JWT"},
                                               std::vector<std::string>{"--commit=a3f9b12"}}) {
    std::vector<std::string> sessions = args;
    sessions.insert(sessions.begin(), "sessions");
    const RunResult root = Run(args);
    EXPECT_EQ(root.exit, Run(sessions).exit) << root;
    EXPECT_EQ(root.out, Run(sessions).out);
    EXPECT_TRUE(root.err.starts_with("searched sessions")) << root;
  }
  EXPECT_NE(Run({"--checkpoint", "x", "JWT"}).err.find("--checkpoint is reserved"),
            std::string::npos);
}

TEST_F(RootTest, AsRekalItTakesTheCommandsOfThatProgram) {
  const auto shell = [&](const std::string& script) {
    return RunShell("set -e\nln -sf \"$(command -v recall)\" ./rekal\n" + script, directory());
  };
  const std::string told = shell("./rekal JWT 2>&1 >/dev/null").out;
  EXPECT_TRUE(told.starts_with("searched sessions for JWT\n")) << told;
  // In a pipe the answer is the document of that program, unless another form is asked for.
  EXPECT_EQ(shell("diff <(./rekal JWT 2>/dev/null) <(recall sessions JWT --shape rekal)\n"
                  "diff <(./rekal JWT --lean 2>/dev/null) <(recall sessions JWT --lean)\n"
                  "diff <(./rekal --actor human 2>/dev/null) "
                  "<(recall sessions --actor human --shape rekal)")
                .exit,
            0);
  const ShellResult made = shell(
      "mkdir -p new && cd new && git init -q . && ../rekal init && test -e recall.db\n"
      "grep -q 'recall capture' .git/hooks/post-commit\n"
      "../rekal init\n"  // again
      "../rekal checkpoint\n"
      "../rekal clean\n"
      "! grep -q 'recall capture' .git/hooks/post-commit 2>/dev/null\n"
      "../rekal stats > /dev/null\n");
  EXPECT_EQ(made.exit, 0) << made.out;
}

}  // namespace
}  // namespace recall
