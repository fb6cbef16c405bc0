// The manual pages as groff formats them, and their installation.

#include <regex>

#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

class ManTest : public RecallTest {
 protected:
  std::string Shell(const std::string& script) {
    const ShellResult result = RunShell(script, directory());
    EXPECT_EQ(result.exit, 0) << script << "\n" << result.out;
    return result.out;
  }
};

TEST_F(ManTest, GroffFormatsEveryPageWithoutAWarning) {
  Shell("recall man --directory man1");
  std::vector<std::string> pages;
  for (const auto& entry : std::filesystem::directory_iterator(Path("man1"))) {
    pages.push_back(entry.path().filename());
  }
  EXPECT_GE(pages.size(), 11u);
  for (const std::string& page : pages) {
    EXPECT_EQ(Shell("groff -man -Tutf8 -ww -z man1/" + page), "") << page;
    std::string command = page.substr(0, page.size() - 2);
    if (command != "recall") command = command.substr(7);
    EXPECT_EQ(Run({"man", command == "recall" ? "--quiet" : command}).out, Read("man1/" + page));
  }
}

// Wide lines without overstriking, so that words can be found.
TEST_F(ManTest, APageTellsWhatHelpTells) {
  const std::regex word("--?[a-z][a-z0-9-]*|[0-9]+ ");
  for (const std::string command : {"search", "add", "context", "rm", "config", "man"}) {
    const std::string page =
        Shell("recall man " + command + " | groff -man -Tascii -rLL=200n -P-cbou");
    const std::string help = Run({command, "-h"}).out;
    const size_t options = help.find("\nOptions");
    for (std::sregex_iterator i(help.begin() + static_cast<ptrdiff_t>(options), help.end(), word),
         end;
         i != end; ++i) {
      EXPECT_NE(page.find(i->str()), std::string::npos) << command << " " << i->str();
    }
    EXPECT_NE(page.find("EXIT STATUS"), std::string::npos);
    EXPECT_NE(page.find("recall " + command + " "), std::string::npos);
  }
}

TEST_F(ManTest, ThePageOfTheProgramNamesCommandsSettingsAndVariables) {
  const std::string page = Shell("recall man | groff -man -Tascii -rLL=200n -P-cbou");
  for (const char* words : {"recall-search(1)", "recall-config(1)", "busy_timeout_ms = 10000",
                            "RECALL_STORE", ".gitignore", "--store PATH", "130"}) {
    EXPECT_NE(page.find(words), std::string::npos) << words << "\n" << page;
  }
}

TEST_F(ManTest, AsJson) {
  const auto page = Run({"man", "search", "--json"}).Json()["man"];
  EXPECT_EQ(page["page"], "recall-search.1");
  EXPECT_EQ(page["text"], Run({"man", "search"}).out);
  const auto all = Run({"man", "--directory", "all", "--json"}).Json()["man"];
  EXPECT_EQ(all["pages"][0], "recall.1");
  EXPECT_TRUE(std::filesystem::exists(Path("all/recall-search.1")));
}

TEST_F(ManTest, WhatCannotBeIsSaid) {
  EXPECT_EQ(Run({"man", "serch"}).err,
            "error: COMMAND cannot be 'serch'\nhint: did you mean search?\n");
  EXPECT_EQ(Run({"man", "add", "--directory", "x"}).exit, 2);
  Write("file", "in the way\n");
  const RunResult result = Run({"man", "--directory", "file/man1"});
  EXPECT_EQ(result.exit, 3) << result;
}

TEST_F(ManTest, InstallingPutsPagesAndCompletionsWhereTheyAreLookedFor) {
  Shell("cmake --install " + ShellQuoted(BuildDir()) + " --prefix prefix >/dev/null");
  EXPECT_EQ(Read("prefix/share/man/man1/recall-search.1"), Run({"man", "search"}).out);
  EXPECT_EQ(Read("prefix/share/bash-completion/completions/recall"),
            Run({"completions", "bash"}).out);
  EXPECT_EQ(Read("prefix/share/zsh/site-functions/_recall"), Run({"completions", "zsh"}).out);
  EXPECT_EQ(Read("prefix/share/fish/vendor_completions.d/recall.fish"),
            Run({"completions", "fish"}).out);
}

}  // namespace
}  // namespace recall
