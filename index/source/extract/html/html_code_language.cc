#include "index/source/extract/html/html_code_language.h"

#include <algorithm>

namespace recall {
namespace {

bool IsLanguageName(std::string_view name) {
  return !name.empty() && name.size() <= 24 && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '#' || c == '-' || c == '_' || c == '.';
  });
}

}  // namespace

std::string_view CodeLanguage(const HtmlTree& tree, const HtmlNode& node) {
  std::string_view classes = tree.Attribute(node, "class");
  while (!classes.empty()) {
    const size_t end = std::min(classes.find_first_of(" \t\n"), classes.size());
    std::string_view name = classes.substr(0, end);
    classes.remove_prefix(std::min(end + 1, classes.size()));
    for (const std::string_view prefix :
         {"language-", "lang-", "highlight-source-", "highlight-", "brush:"}) {
      if (!name.starts_with(prefix)) continue;
      name.remove_prefix(prefix.size());
      if (IsLanguageName(name) && name != "default" && name != "none" && name != "text" &&
          name != "notranslate") {
        return name;
      }
      break;
    }
  }
  return {};
}

std::string_view ParentCodeLanguage(const HtmlTree& tree, int32_t pre) {
  const auto node = [&](int32_t n) -> const HtmlNode& {
    return tree.nodes()[static_cast<size_t>(n)];
  };
  int32_t i = node(pre).parent;
  for (int steps = 0; i >= 0 && steps < 2; ++steps, i = node(i).parent) {
    const std::string_view language = CodeLanguage(tree, node(i));
    if (!language.empty()) return language;
    // An element of another kind may contain other code, so its class says nothing about this.
    if (node(i).tag != GUMBO_TAG_DIV && node(i).tag != GUMBO_TAG_FIGURE) break;
  }
  return {};
}

}  // namespace recall
