#include "cli/run/reference/guide_sections.h"

#include <algorithm>

#include "cli/run/reference/command_reference.h"

namespace recall {
namespace {

constexpr std::string_view kHeading = "## ";

std::string NameOf(std::string_view heading) {
  std::string name;
  for (const char c : heading) {
    if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
    } else if (c >= 'a' && c <= 'z') {
      name += c;
    } else {
      break;
    }
  }
  return name;
}

// Whether a row of the table of commands is about this one: its first cell has `recall NAME`.
bool IsRowOf(std::string_view row, const std::string& command) {
  const std::string_view cell = row.substr(0, row.find(" | "));
  const std::string begin = "`recall " + command;
  for (size_t at = cell.find(begin); at != cell.npos; at = cell.find(begin, at + 1)) {
    const size_t end = at + begin.size();
    if (end < cell.size() && (cell[end] == ' ' || cell[end] == '`')) return true;
  }
  return false;
}

// "| `-k`, `--k N` | results of a page |"
std::string FlagRow(const FlagSet::Entry& entry) {
  std::vector<std::string> spellings = Spellings(entry);
  if (!entry.value.empty()) spellings.back() += " " + entry.value;
  std::string row;
  for (const std::string& spelling : spellings) {
    row += (row.empty() ? "| `" : ", `") + Escaped(spelling, "|", "\\") + "`";
  }
  return row + " | " + Escaped(entry.help, "|", "\\") + " |\n";
}

}  // namespace

std::vector<GuideSection> GuideSections(std::string_view guide) {
  std::vector<GuideSection> sections;
  std::vector<size_t> starts;
  bool fenced = false;  // examples may print headings
  for (size_t at = 0; at < guide.size();) {
    const std::string_view line = guide.substr(at, guide.find('\n', at) - at);
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced && line.starts_with(kHeading)) starts.push_back(at);
    at += line.size() + 1;
  }
  starts.push_back(guide.size());
  for (size_t i = 0; i + 1 < starts.size(); ++i) {
    std::string_view text = guide.substr(starts[i], starts[i + 1] - starts[i]);
    while (text.ends_with("\n\n")) text.remove_suffix(1);
    sections.push_back({NameOf(text.substr(kHeading.size())), text});
  }
  if (!sections.empty()) {
    std::string_view& first = sections[0].text;
    first = guide.substr(0, starts[0] + first.size());
  }
  return sections;
}

std::vector<std::string> GuideSectionNames(std::string_view guide) {
  std::vector<std::string> names;
  for (const GuideSection& section : GuideSections(guide)) names.push_back(section.name);
  if (!names.empty()) names.erase(names.begin());
  return names;
}

std::string GuideOfCommand(std::string_view guide, const CommandInfo& command,
                           const std::vector<FlagSet::Entry>& own) {
  const std::string name(command.name);
  std::string text = "| command | what it does, and its options |\n| --- | --- |\n";
  for (const GuideSection& section : GuideSections(guide)) {
    if (section.name != kGuideOfCommands) continue;
    for (size_t at = 0; at < section.text.size();) {
      const std::string_view line = section.text.substr(at, section.text.find('\n', at) - at);
      if (line.starts_with("| `recall ") && IsRowOf(line, name)) text += std::string(line) + "\n";
      at += line.size() + 1;
    }
  }
  std::string flags;
  for (const FlagSet::Entry& entry : own) {
    if (!entry.is_argument()) flags += FlagRow(entry);
  }
  if (!flags.empty()) text += "\n| option | |\n| --- | --- |\n" + flags;
  return text;
}

}  // namespace recall
