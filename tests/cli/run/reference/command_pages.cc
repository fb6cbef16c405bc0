#include "tests/cli/run/reference/command_pages.h"

#include <gtest/gtest.h>

#include <cctype>

#include "cli/run/reference/program_facts.h"

namespace recall {
namespace {

// Plain text for a cell of a table, in one line. Text between backquotes is code, where only '|' is
// special.
std::string Cell(std::string_view text) {
  std::string cell;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (c == '|' || (!code && (c == '*' || c == '<'))) cell += '\\';
    cell += c == '\n' ? ' ' : c;
  }
  return cell;
}

std::string Code(std::string_view text) { return "`" + Escaped(text, "|", "\\") + "`"; }

std::string Row(const std::string& name, std::string_view text) {
  return "| " + name + " | " + Cell(text) + " |\n";
}

// "-k,--k" with the value "N" is "`-k`, `--k N`".
std::string SpelledAsCode(const FlagSet::Entry& entry) {
  std::vector<std::string> codes;
  std::vector<std::string> spellings = Spellings(entry);
  if (!entry.value.empty()) spellings.back() += " " + entry.value;
  for (const std::string& spelling : spellings) codes.push_back(Code(spelling));
  return Join(codes, ", ");
}

std::string FlagRows(const std::vector<FlagSet::Entry>& entries) {
  std::string rows;
  for (const FlagSet::Entry& entry : entries) {
    if (!entry.is_argument()) rows += Row(SpelledAsCode(entry), entry.help);
  }
  return rows;
}

// Without the indentation of help.
std::string Examples(std::string_view examples) {
  std::string lines;
  while (!examples.empty()) {
    const size_t end = examples.find('\n');
    std::string_view line = examples.substr(0, end);
    line.remove_prefix(line.starts_with("  ") ? 2 : 0);
    lines += std::string(line) + "\n";
    examples.remove_prefix(end == examples.npos ? examples.size() : end + 1);
  }
  return "```text\n" + lines + "```\n";
}

}  // namespace

std::string CommandPart(const CommandReference& command) {
  const std::string name(command.info->name);
  std::string summary(command.info->summary);
  summary[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(summary[0])));
  std::string part = Cell(summary) + ".\n\nUsage: `recall " + name + " " +
                     std::string(command.info->arguments) + "`\n\n" +
                     Examples(command.info->examples) + "\n";
  std::string rows;
  if (const FlagSet::Entry* argument = FindArgument(command)) {
    rows = Row(Code(argument->name), argument->help);
  }
  rows += FlagRows(command.entries);
  if (!rows.empty()) part += "| argument or option | meaning |\n| --- | --- |\n" + rows + "\n";
  return part +
         "The [options of every command](README.md#options-of-every-command) apply as well.\n";
}

std::string CommandsPart(const ProgramReference& program) {
  std::string part = "| command | what it does |\n| --- | --- |\n";
  for (const CommandReference& command : program.commands) {
    const std::string name(command.info->name);
    part += Row("[`recall " + name + "`](" + name + ".md)", command.info->summary);
  }
  return part;
}

std::string OptionsPart(const ProgramReference& program) {
  return "| option | meaning |\n| --- | --- |\n" + FlagRows(program.globals);
}

std::string EnvironmentPart() {
  std::string part = "| variable | meaning |\n| --- | --- |\n";
  for (const NamedFact& fact : EnvironmentFacts()) part += Row(Code(fact.name), fact.text);
  return part;
}

std::string WithPart(const std::string& page, std::string_view name, const std::string& part) {
  const std::string begin = "<!-- generated: " + std::string(name) + " -->\n";
  const size_t start = page.find(begin);
  const size_t end = start == page.npos ? page.npos : page.find("<!-- end -->\n", start);
  if (end == page.npos || page.find(begin, start + 1) != page.npos) {
    ADD_FAILURE() << "the page does not have the lines " << begin << "and <!-- end --> once";
    return page;
  }
  return page.substr(0, start + begin.size()) + part + page.substr(end);
}

}  // namespace recall
