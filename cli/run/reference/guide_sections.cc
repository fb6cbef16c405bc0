#include "cli/run/reference/guide_sections.h"

#include <algorithm>

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

}  // namespace recall
