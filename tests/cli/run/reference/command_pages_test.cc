// docs/cli has a page for each command, and what the pages say of flags is what the program says.

#include "tests/cli/run/reference/command_pages.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "cli/commands/commands.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

const fs::path kPages = fs::path(SourceDir()) / "docs/cli";

std::string ReadPage(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// With RECALL_UPDATE_GOLDEN the page is written instead.
void ExpectPage(const fs::path& path, const std::string& expected) {
  if (std::getenv("RECALL_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << expected;
  EXPECT_EQ(ReadPage(path), expected)
      << path << " differs from the program's table of commands. To write the generated parts:\n"
      << "RECALL_UPDATE_GOLDEN=1 build/dev/tests/cli/cli_test --gtest_filter='CommandPages.*'";
}

TEST(CommandPages, EveryCommandHasAPageMadeFromItsFlags) {
  for (const CommandReference& command : DescribeProgram().commands) {
    const std::string name(command.info->name);
    const fs::path path = kPages / (name + ".md");
    const std::string title = "# recall " + name + "\n\n<!-- generated: reference -->\n";
    const std::string page =
        fs::exists(path) ? ReadPage(path) : title + "<!-- end -->\n";  // of a new command
    EXPECT_TRUE(page.starts_with(title)) << path;
    ExpectPage(path, WithPart(page, "reference", CommandPart(command)));
  }
}

TEST(CommandPages, TheFirstPageListsCommandsOptionsAndVariables) {
  const ProgramReference program = DescribeProgram();
  std::string page = ReadPage(kPages / "README.md");
  page = WithPart(page, "commands", CommandsPart(program));
  page = WithPart(page, "options", OptionsPart(program));
  page = WithPart(page, "environment", EnvironmentPart());
  ExpectPage(kPages / "README.md", page);
}

TEST(CommandPages, EveryOtherPageIsOfASubject) {
  std::set<std::string> others;
  for (const auto& entry : fs::directory_iterator(kPages)) {
    const std::string name = entry.path().stem();
    if (FindCommand(name) == nullptr) others.insert(name);
  }
  EXPECT_EQ(others, (std::set<std::string>{"README", "settings", "stores"}));
}

TEST(CommandPages, WhatMarkdownWouldTakeForItsOwnIsEscaped) {
  const CommandInfo info = {"x", "[A|B]", "do a*b", "  recall x | y\n", "", nullptr};
  FlagSet flags;
  std::string choice;
  flags.Choice("-c,--choice", &choice, {"a", "b"}, "`a|b*` <c>");
  EXPECT_EQ(CommandPart({&info, flags.entries()}),
            "Do a\\*b.\n\nUsage: `recall x [A|B]`\n\n```text\nrecall x | y\n```\n\n"
            "| argument or option | meaning |\n| --- | --- |\n"
            "| `-c`, `--choice a\\|b` | `a\\|b*` \\<c> |\n\n"
            "The [options of every command](README.md#options-of-every-command) apply as well.\n");
}

}  // namespace
}  // namespace recall
