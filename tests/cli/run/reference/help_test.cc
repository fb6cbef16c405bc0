#include "cli/run/reference/help.h"

#include <gtest/gtest.h>

#include <sstream>

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

TEST(Help, LinesFitATerminal) {
  std::string all = ProgramHelp(AllCommands(), true);
  for (const CommandInfo* info : AllCommands()) {
    all += CommandHelp(*info, EntriesOf(*info), true);
  }
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST(Help, TheProgramsHelpNamesEveryCommand) {
  for (const bool full : {false, true}) {
    const std::string help = ProgramHelp(AllCommands(), full);
    for (const CommandInfo* info : AllCommands()) {
      EXPECT_NE(help.find("\n  " + std::string(info->name) + " "), std::string::npos) << info->name;
    }
  }
}

}  // namespace
}  // namespace recall
