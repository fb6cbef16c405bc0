#include "cli/run/reference/command_reference.h"

#include <algorithm>

namespace recall {

ValueKind ValueKindOf(const FlagSet::Entry& entry) {
  const std::string& name = entry.is_argument() ? entry.name : entry.value;
  if (name.empty()) return ValueKind::kNone;
  if (!OfferedValues(entry).empty()) return ValueKind::kOneOfFew;
  // In "OLD [NEW]" both words have the same kind.
  const std::string_view word = std::string_view(name).substr(0, name.find(' '));
  constexpr std::string_view kFileNames[] = {"PATH", "FILE", "DIR", "TARGET", "OLD", "OTHER"};
  return std::ranges::count(kFileNames, word) > 0 ? ValueKind::kFiles : ValueKind::kText;
}

const std::vector<std::string>& OfferedValues(const FlagSet::Entry& entry) {
  return entry.choices.empty() ? entry.suggestions : entry.choices;
}

const FlagSet::Entry* FindArgument(const CommandReference& command) {
  const auto found = std::ranges::find_if(command.entries, &FlagSet::Entry::is_argument);
  return found == command.entries.end() ? nullptr : &*found;
}

std::string Join(const std::vector<std::string>& words, std::string_view separator) {
  std::string joined;
  for (const std::string& word : words) {
    if (!joined.empty()) joined += separator;
    joined += word;
  }
  return joined;
}

std::string Escaped(std::string_view text, std::string_view special, std::string_view escape) {
  std::string escaped;
  for (const char c : text) {
    if (special.find(c) != special.npos) escaped += escape;
    escaped += c;
  }
  return escaped;
}

}  // namespace recall
