#include "cli/run/reference/completions.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/commands/commands.h"

namespace recall {
namespace {

TEST(Completions, EveryScriptHasEveryCommandAndEveryFlag) {
  const ProgramReference program = DescribeProgram();
  ASSERT_EQ(program.commands.size(), AllCommands().size());
  for (const std::string& shell : CompletionShells()) {
    const std::string script = CompletionScript(shell, program);
    // In fish's form: " -l lexical-mode".
    const auto has_flag = [&](const std::string& flag) {
      const std::string in_fish =
          flag.starts_with("--") ? " -l " + flag.substr(2) : " -s " + flag.substr(1);
      return script.find(shell == "fish" ? in_fish : flag) != std::string::npos;
    };
    std::vector<FlagSet::Entry> entries = program.globals;
    for (const CommandReference& command : program.commands) {
      EXPECT_NE(script.find(command.info->name), std::string::npos) << shell << command.info->name;
      entries.insert(entries.end(), command.entries.begin(), command.entries.end());
    }
    for (const FlagSet::Entry& entry : entries) {
      for (const std::string& spelling : Spellings(entry)) {
        if (!entry.is_argument()) {
          EXPECT_TRUE(has_flag(spelling)) << shell << " " << spelling;
        }
      }
      for (const std::string& choice : entry.choices) {
        EXPECT_NE(script.find(choice), std::string::npos) << shell << " " << choice;
      }
    }
  }
}

TEST(Completions, NamesOfArgumentsSayWhatStandsForThem) {
  const auto argument = [](std::string_view name) {
    for (const CommandReference& command : DescribeProgram().commands) {
      if (command.info->name == name) return ValueKindOf(*FindArgument(command));
    }
    return ValueKind::kNone;
  };
  for (const char* name : {"init", "add", "rm", "get", "import", "merge", "migrate"}) {
    EXPECT_EQ(argument(name), ValueKind::kFiles) << name;
  }
  EXPECT_EQ(argument("search"), ValueKind::kText);
  EXPECT_EQ(argument("help"), ValueKind::kOneOfFew);
}

// A command whose texts contain characters that shells interpret.
TEST(Completions, QuotesAreSafeInEveryShell) {
  static constexpr CommandInfo kInfo = {"odd", "", "a 'b' [c] : \\ $d `e` \"f\"", "", "", nullptr};
  FlagSet flags;
  bool on = false;
  flags.Switch("-o,--on", &on, "it's [so]: \\$x");
  const ProgramReference program = {{{&kInfo, flags.entries()}}, {}};
  const std::map<std::string, std::string> expected = {
      {"fish", "-s o -l on -d 'it\\'s [so]: \\\\$x'"},
      {"zsh", "'(-o --on)'{-o,--on}'[it'\\''s \\[so\\]\\: \\\\$x]'"},
  };
  for (const auto& [shell, words] : expected) {
    const std::string script = CompletionScript(shell, program);
    EXPECT_NE(script.find(words), std::string::npos) << script;
  }
}

}  // namespace
}  // namespace recall
