#include "cli/run/reference/man_page.h"

#include "cli/options/settings/config.h"
#include "cli/run/reference/program_facts.h"
#include "cli/run/reference/roff.h"
#include "cli/show/terminal/exit_code.h"
#include "query/maintenance/build_info.h"

namespace recall {
namespace {

RoffPage StartPage(const std::string& title, std::string_view summary) {
  RoffPage page(title, "recall " + BuildInformation().version);
  page.Section("NAME");
  page.Text(title + " - " + std::string(summary));
  return page;
}

void AddFlags(const std::vector<FlagSet::Entry>& entries, RoffPage* page) {
  for (const FlagSet::Entry& entry : entries) {
    if (!entry.is_argument()) page->Item(Join(Spellings(entry), ", "), entry.value, entry.help);
  }
}

void AddFacts(std::string_view section, std::span<const NamedFact> facts, RoffPage* page) {
  page->Section(section);
  for (const NamedFact& fact : facts) page->Item(fact.name, "", fact.text);
}

void AddExitStatus(RoffPage* page) {
  page->Section("EXIT STATUS");
  for (const ExitCodeInfo& info : AllExitCodes()) {
    page->Item(std::to_string(static_cast<int>(info.code)), "", info.meaning);
  }
}

void AddSettings(RoffPage* page) {
  page->Section("SETTINGS");
  page->Text(
      "In descending precedence: what the store recorded, a flag, an environment variable, "
      "recall.toml "
      "beside the store, the user's own recall.toml, the default. See recall-config(1).");
  for (const ConfigKeyInfo& key : AllConfigKeys()) {
    page->Item(key.name, "= " + PrintConfigValue(key.default_value), key.help);
  }
}

}  // namespace

std::string ManPageName(std::string_view command) {
  return command.empty() ? "recall.1" : "recall-" + std::string(command) + ".1";
}

std::string ProgramManPage(const ProgramReference& program) {
  RoffPage page = StartPage("recall", "local hybrid search over documents, in one file");
  page.Section("SYNOPSIS");
  page.Text("recall COMMAND [OPTIONS] [ARGUMENTS]");
  page.Section("DESCRIPTION");
  page.Text(kProgramDescription);
  page.Section("COMMANDS");
  for (const CommandReference& command : program.commands) {
    page.Item("recall-" + std::string(command.info->name) + "(1)", "", command.info->summary);
  }
  page.Section("OPTIONS");
  page.Text("These options may precede or follow the command.");
  AddFlags(program.globals, &page);
  AddSettings(&page);
  AddFacts("ENVIRONMENT", EnvironmentFacts(), &page);
  AddFacts("FILES", FileFacts(), &page);
  AddExitStatus(&page);
  page.Section("SEE ALSO");
  page.Text("recall guide prints the complete manual in one page, with examples of everything.");
  return page.text();
}

std::string CommandManPage(const ProgramReference& program, const CommandReference& command) {
  const std::string name(command.info->name);
  RoffPage page = StartPage("recall-" + name, command.info->summary);
  page.Section("SYNOPSIS");
  page.Text("recall " + name + " " + std::string(command.info->arguments));
  if (!command.info->details.empty()) {
    page.Section("DESCRIPTION");
    page.Text(command.info->details);
  }
  if (const FlagSet::Entry* argument = FindArgument(command)) {
    page.Section("ARGUMENTS");
    page.Item("", argument->name, argument->help);
  }
  page.Section("OPTIONS");
  AddFlags(command.entries, &page);
  AddFlags(program.globals, &page);
  page.Section("EXAMPLES");
  page.Verbatim(command.info->examples);
  AddExitStatus(&page);
  page.Section("SEE ALSO");
  page.Text("recall(1)");
  return page.text();
}

}  // namespace recall
