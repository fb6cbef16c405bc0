#include "cli/run/reference/help.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "cli/commands/commands.h"

namespace recall {
namespace {

TEST(Help, OfEveryCommandShowsEveryFlagAndArgument) {
  for (const CommandInfo* info : AllCommands()) {
    const std::vector<FlagSet::Entry> entries = EntriesOf(*info);
    for (const bool full : {false, true}) {
      const std::string help = CommandHelp(*info, entries, full);
      for (const FlagSet::Entry& entry : entries) {
        for (const std::string& spelling : Spellings(entry)) {
          EXPECT_NE(help.find(spelling), std::string::npos) << info->name << " " << spelling;
        }
        for (const std::string& choice : entry.choices) {
          if (entry.is_argument()) continue;  // help need not list the choices of an argument
          EXPECT_NE(help.find(choice), std::string::npos) << info->name << " " << choice;
        }
        EXPECT_NE(help.find(entry.help), std::string::npos) << info->name << " " << entry.name;
      }
    }
  }
}

// The parser is given only the flags of a command line, so it would not notice.
TEST(Help, NoTwoFlagsOfACommandHaveTheSameSpelling) {
  for (const CommandInfo* info : AllCommands()) {
    std::set<std::string> spellings;
    for (const FlagSet::Entry& entry : EntriesOf(*info)) {
      if (entry.is_argument()) continue;
      std::istringstream names(entry.name + (entry.other.empty() ? "" : ",") + entry.other);
      for (std::string name; std::getline(names, name, ',');) {
        EXPECT_TRUE(spellings.insert(name).second) << info->name << " " << name;
      }
    }
  }
}

TEST(Help, LinesFitATerminal) {
  std::string all = ProgramHelp(CommandGroups(), true) + ProgramHelp(CommandGroups(), false);
  for (const CommandInfo* info : AllCommands()) {
    all += CommandHelp(*info, EntriesOf(*info), true);
  }
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

// The full help has a row for each command; the short one may have several in a row.
TEST(Help, TheProgramsHelpNamesEveryCommand) {
  const std::string full = ProgramHelp(CommandGroups(), true);
  const std::string brief = ProgramHelp(CommandGroups(), false);
  for (const CommandInfo* info : AllCommands()) {
    const std::string row = "\n  " + std::string(info->name) + " ";
    EXPECT_NE(full.find(row), std::string::npos) << info->name;
    const std::regex named("\n  ([a-z]+, )*" + std::string(info->name) + "(, [a-z]+)*  ");
    EXPECT_TRUE(std::regex_search(brief, named)) << info->name;
  }
  EXPECT_EQ(full.find(", unlink "), std::string::npos);
}

TEST(Help, EveryCommandIsInOneGroup) {
  std::vector<std::string_view> grouped;
  for (const HelpGroup& group : CommandGroups()) {
    EXPECT_NE(ProgramHelp(CommandGroups(), false).find("\n" + std::string(group.title) + "\n"),
              std::string::npos);
    for (const HelpRow& row : group.rows) {
      EXPECT_EQ(row.commands.size() > 1, !row.summary.empty()) << row.commands[0]->name;
      for (const CommandInfo* command : row.commands) grouped.push_back(command->name);
    }
  }
  std::vector<std::string_view> all;
  for (const CommandInfo* command : AllCommands()) all.push_back(command->name);
  std::ranges::sort(grouped);
  std::ranges::sort(all);
  EXPECT_EQ(grouped, all);
}

}  // namespace
}  // namespace recall
