#include "cli/run/reference/help.h"

#include "cli/options/flags/global_flags.h"
#include "cli/run/reference/program_facts.h"
#include "cli/show/terminal/exit_code.h"

namespace recall {
namespace {

constexpr size_t kNameColumns = 26;

std::string Row(const std::string& name, std::string_view text) {
  // A long name gets its own line.
  if (name.size() + 2 > kNameColumns) return "  " + name + "\n" + Row("", text);
  const size_t gap = kNameColumns - name.size();
  return "  " + name + std::string(gap, ' ') + std::string(text) + "\n";
}

// "-k,--k" with value "N" is "-k, --k N".
std::string Spelling(const FlagSet::Entry& entry) {
  std::string name = entry.name;
  if (const size_t comma = name.find(','); comma != name.npos) name.insert(comma + 1, " ");
  return entry.value.empty() ? name : name + " " + entry.value;
}

std::string Rows(const std::vector<FlagSet::Entry>& entries, bool arguments, bool global) {
  std::string rows;
  for (const FlagSet::Entry& entry : entries) {
    if (entry.is_argument() != arguments || entry.global != global) continue;
    const std::string name = Spelling(entry);
    rows += Row(name, entry.help);
  }
  return rows;
}

std::string Facts(std::string_view title, std::span<const NamedFact> facts) {
  std::string text = std::string(title) + ":\n";
  for (const NamedFact& fact : facts) text += Row(std::string(fact.name), fact.text);
  return text + "\n";
}

// A row for the command, or for all commands of `row` together unless `each` has its own.
std::string CommandRows(const HelpRow& row, bool each) {
  std::string rows;
  std::string names;
  for (const CommandInfo* command : row.commands) {
    names += (names.empty() ? "" : ", ") + std::string(command->name);
    rows += Row(std::string(command->name), command->summary);
  }
  return each || row.summary.empty() ? rows : Row(names, row.summary);
}

}  // namespace

std::string ProgramHelp(std::span<const HelpGroup> groups, bool full) {
  std::string text =
      "Recall: search your documents, and pack the relevant passages for a model. Local, one "
      "file.\n"
      "\n"
      "  recall init                              make recall.db here\n"
      "  recall add docs src                      add or update files\n"
      "  recall search how are segments merged    find the chunks that answer\n"
      "  recall context --budget-tokens 2000 ...  pack them into a budget\n"
      "\n"
      "Usage: recall COMMAND [OPTIONS] [ARGUMENTS], or recall WORDS... to search\n"
      "\n";
  for (const HelpGroup& group : groups) {
    text += std::string(group.title) + "\n";
    for (const HelpRow& row : group.rows) text += CommandRows(row, full);
  }
  text += "\n";
  if (full) {
    text += "Options of every command:\n" + Rows(GlobalEntries(), false, true) + "\n";
    return text + Facts("Environment", EnvironmentFacts()) + Facts("Files", FileFacts()) +
           "Exit codes:\n" + std::string(ExitCodeHelp());
  }
  return text + "`recall COMMAND -h` shows its options, `recall --help` everything else.\n";
}

std::string CommandHelp(const CommandInfo& command, const std::vector<FlagSet::Entry>& entries,
                        bool full) {
  const std::string name(command.name);
  std::string text = "recall " + name + ": " + std::string(command.summary) + "\n\n" +
                     std::string(command.examples) + "\nUsage: recall " + name + " " +
                     std::string(command.arguments) + "\n";
  if (full && !command.details.empty()) text += "\n" + std::string(command.details);
  const std::string arguments = Rows(entries, true, false);
  if (!arguments.empty()) text += "\nArguments:\n" + arguments;
  const std::string own = Rows(entries, false, false);
  if (!own.empty()) text += "\nOptions:\n" + own;
  text += "\nOptions of every command:\n" + Rows(entries, false, true);
  if (full) text += "\nExit codes:\n" + std::string(ExitCodeHelp());
  return text;
}

}  // namespace recall
