// Runs the completion scripts in their shells. zsh's zpty drives bash and zsh through a
// pseudo-terminal; fish prints its candidates.

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"

namespace recall {
namespace {

class CompletionsTest : public RecallTest {
 protected:
  CompletionsTest() {
    for (const char* shell : {"bash", "fish", "zsh"}) {
      const RunResult result = Run({"completions", shell});
      EXPECT_EQ(result.exit, 0) << result;
      EXPECT_EQ(result.err, "");
      Write(std::string(shell) + ".script", result.out);
    }
    Write("notes.md", "a file to be completed\n");
  }

  std::string Shell(const std::string& script) {
    const ShellResult result = RunShell(script, directory());
    EXPECT_EQ(result.exit, 0) << script << "\n" << result.out;
    return result.out;
  }

  // The command line that `shell` executes after these lines are typed; "\t" is the Tab key.
  std::string Typed(const std::string& shell, const std::string& setup,
                    const std::vector<std::string>& lines) {
    std::string script =
        "zmodload zsh/zpty\n"
        "export PS1='> ' TERM=dumb\n"
        "zpty shell " +
        ShellQuoted(shell) + "\n";
    std::vector<std::string> all = {setup, "recall() { printf '%s:%s\\n' ran \"$*\"; }"};
    all.insert(all.end(), lines.begin(), lines.end());
    all.emplace_back("exit");
    for (const std::string& line : all) script += "zpty -w shell " + ShellQuoted(line) + "\n";
    script += "while zpty -r shell chunk; do print -rn -- $chunk; done\n";
    Write("drive.zsh", script);
    std::string ran;
    std::string out = Shell("zsh -f drive.zsh");
    for (size_t at = 0; (at = out.find("ran:", at)) != out.npos; ++at) {
      const size_t start = at + 4;
      ran += out.substr(start, out.find_first_of("\r\n", start) - start) + "\n";
    }
    return ran;
  }
};

const std::vector<std::string> kTypedLines = {
    "recall sea\t",                           // a command
    "recall search --lexical-mode lit\t",     // a value
    "recall search --off\t",                  // a flag
    "recall --color=al\t get not\t",          // a value after '=', then a file
    "recall --store notes.md stat\t",         // a command after a flag with a value
    "recall search -- --ex\t",                // what follows -- is not a flag
    "recall completions fi\t",                // an argument with a fixed list of values
    "recall add --parser markdown note\t",    // a file after a flag with a value
    "recall search --explain sea\t another",  // words of a query are not completed
    "recall search --stages near-d\t",        // a suggestion
};

constexpr const char* kRan =
    "search\n"
    "search --lexical-mode literal\n"
    "search --offset\n"
    "--color=always get notes.md\n"
    "--store notes.md stats\n"
    "search -- --ex\n"
    "completions fish\n"
    "add --parser markdown notes.md\n"
    "search --explain sea another\n"
    "search --stages near-duplicates\n";

TEST_F(CompletionsTest, BashCompletesWhatAUserTypes) {
  Shell("bash -n bash.script");
  const std::string ran =
      Typed("bash --norc --noprofile -i", "set -u; source bash.script", kTypedLines);
  EXPECT_EQ(ran, kRan);
}

TEST_F(CompletionsTest, ZshCompletesWhatAUserTypes) {
  Shell("zsh -n zsh.script");
  const std::string setup = "autoload -Uz compinit; compinit -u -D; source zsh.script";
  EXPECT_EQ(Typed("zsh -f", setup, kTypedLines), kRan);
}

TEST_F(CompletionsTest, ZshFindsTheScriptInADirectoryOfFunctions) {
  Write("functions/_recall", Read("zsh.script"));
  const std::string setup = "fpath=($PWD/functions $fpath); autoload -Uz compinit; compinit -u -D";
  EXPECT_EQ(Typed("zsh -f", setup, {"recall sea\t", "recall stat\t"}), "search\nstats\n");
}

// A stub stands for the program that the script asks.
TEST_F(CompletionsTest, TagsAreThoseOfTheStore) {
  Write("tags.fish",
        "function recall; printf 'notes\\nbugs\\nnotes\\n'; end\nsource fish.script\n"
        "complete -C 'recall add --tag '\n");
  const std::string offered = Shell("fish --no-config tags.fish");
  EXPECT_TRUE(offered.starts_with("bugs\t")) << offered;
  EXPECT_NE(offered.find("\nnotes\t"), std::string::npos) << offered;
  Write("tags.bash",
        "source bash.script\nrecall() { printf 'notes\\nbugs\\n'; }\n"
        "COMP_WORDS=(recall add --tag '') COMP_CWORD=3\n_recall\n"
        "printf '%s ' \"${COMPREPLY[@]}\"\n");
  EXPECT_EQ(Shell("bash tags.bash"), "bugs notes ");
}

// A store comes from anybody: its tags are neither run nor expanded, and stay one word when they
// are inserted.
TEST_F(CompletionsTest, HostileTagsAreData) {
  const std::vector<std::string> tags = {"$(touch ran1)",      "`touch ran2`", "x; touch ran3", "*",
                                         "it's \"two\" words", "${HOME}",      "a\\b"};
  std::string lines;
  for (const std::string& tag : tags) lines += tag + "\n";
  Write("tags", lines);
  Write("tags.bash",
        "set -u; source bash.script\nrecall() { cat tags; }\n"
        "COMP_WORDS=(recall add --tag '') COMP_CWORD=3\n_recall\n"
        "eval \"printf '%s\\n' ${COMPREPLY[*]}\"\n");
  std::string offered = Shell("bash tags.bash | LC_ALL=C sort");
  EXPECT_EQ(offered, Shell("LC_ALL=C sort tags"));
  EXPECT_EQ(Shell("ls | grep ran || true"), "");

  Write("prefix.bash",
        "source bash.script\nrecall() { cat tags; }\n"
        "COMP_WORDS=(recall add --tag it) COMP_CWORD=3\n_recall\n"
        "eval \"printf '%s\\n' ${COMPREPLY[*]}\"\n");
  EXPECT_EQ(Shell("bash prefix.bash"), "it's \"two\" words\n");
}

TEST_F(CompletionsTest, FishOffersWhatFits) {
  Shell("fish --no-execute fish.script");
  const auto offered = [&](const std::string& line) {
    Write("ask.fish", "source fish.script\ncomplete -C " + ShellQuoted(line) + "\n");
    return Shell("fish --no-config ask.fish");
  };
  EXPECT_EQ(offered("recall sea"), "search\tfind the chunks that answer a question\n");
  EXPECT_EQ(offered("recall search --off"),
            "--offset\tnumber of results to skip, for the next page\n");
  EXPECT_EQ(offered("recall --store notes.md stat"),
            "stats\tshow the contents and the size of the store\n");
  EXPECT_TRUE(offered("recall search --lexical-mode lit").starts_with("literal\t"));
  EXPECT_TRUE(offered("recall --color=al").starts_with("--color=always\t"));
  EXPECT_EQ(offered("recall get note"), "notes.md\n");
  EXPECT_EQ(offered("recall completions fi"), "fish\n");
  EXPECT_EQ(offered("recall search note"), "");
  EXPECT_TRUE(offered("recall search --stages near").starts_with("near-duplicates\t"));
  EXPECT_TRUE(offered("recall embed --as ls").starts_with("lsa\t"));
}

TEST_F(CompletionsTest, AsJson) {
  const auto json = Run({"completions", "fish", "--json"}).Json();
  EXPECT_EQ(json["ok"], true);
  EXPECT_EQ(json["completions"]["shell"], "fish");
  EXPECT_EQ(json["completions"]["text"], Read("fish.script"));
}

TEST_F(CompletionsTest, AnUnknownShellIsAUsageError) {
  for (const std::string shell : {"zhs", "tcsh-tops", "elvish", "powershell"}) {
    const RunResult result = Run({"completions", shell});
    EXPECT_EQ(result.exit, 2);
    EXPECT_EQ(result.err,
              "error: SHELL cannot be '" + shell + "'\nhint: it must be one of bash|fish|zsh\n");
  }
}

}  // namespace
}  // namespace recall
