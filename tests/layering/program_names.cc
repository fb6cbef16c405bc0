#include "tests/layering/program_names.h"

#include <algorithm>

namespace recall {
namespace {

constexpr std::string_view kWings[] = {"query/compat/", "cli/compat/"};

// Words in lower case. A name comes before those that it begins with.
struct Name {
  std::string_view first;
  std::string_view second;  // "" if the name has one word
};
constexpr Name kNames[] = {{"rekall", ""},      {"rekal", ""},        {"bastra", ""},
                           {"basic", "memory"}, {"memory", "server"}, {"server", "memory"}};

// A comment may break a line between words.
constexpr std::string_view kSeparators = " -_/\n";

// Whether the name is at this place. `text`: in lower case.
bool IsAt(std::string_view text, size_t at, const Name& name) {
  if (!text.substr(at).starts_with(name.first)) return false;
  if (name.second.empty()) return true;
  const size_t next = text.find_first_not_of(kSeparators, at + name.first.size());
  return next != text.npos && text.substr(next).starts_with(name.second);
}

std::string Lowered(std::string_view text) {
  std::string lowered(text);
  for (char& c : lowered) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lowered;
}

}  // namespace

std::vector<std::pair<std::string, size_t>> ProgramNamesIn(std::string_view text) {
  const std::string lowered = Lowered(text);
  std::vector<std::pair<std::string, size_t>> found;
  size_t line = 1;
  for (size_t at = 0; at < lowered.size(); ++at) {
    line += lowered[at] == '\n' ? 1 : 0;
    const auto* const name =
        std::ranges::find_if(kNames, [&](const Name& each) { return IsAt(lowered, at, each); });
    if (name == std::end(kNames)) continue;
    const std::string space = name->second.empty() ? "" : " ";
    found.emplace_back(std::string(name->first) + space + std::string(name->second), line);
  }
  return found;
}

std::vector<std::string> ProgramNameViolations(const std::vector<SourceFile>& sources,
                                               const std::set<ProgramName>& exceptions) {
  std::vector<std::string> violations;
  std::set<ProgramName> unused = exceptions;
  for (const SourceFile& source : sources) {
    const bool exempt = std::ranges::any_of(
        kWings, [&](std::string_view wing) { return source.path.starts_with(wing); });
    if (exempt) continue;
    for (const auto& [name, line] : ProgramNamesIn(source.text)) {
      const ProgramName use(source.path, name);
      unused.erase(use);
      if (exceptions.contains(use)) continue;
      violations.push_back(source.path + ":" + std::to_string(line) + " names " + name +
                           ": only query/compat and cli/compat name other programs");
    }
  }
  for (const auto& [path, name] : unused) {
    violations.push_back(path + " does not name " + name + ", but is an exception");
  }
  return violations;
}

}  // namespace recall
