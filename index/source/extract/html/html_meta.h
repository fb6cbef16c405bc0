#pragma once

#include <map>
#include <string>
#include <vector>

#include "index/source/extract/html/html_tree.h"

namespace recall {

// Adds what a page says about itself: "title", "lang", "canonical", "author", "description",
// "published", "modified" (ISO 8601), and "links": the absolute targets of its links as written,
// each once, in their order, at most kMaxHtmlLinks. Keys that `meta` has are left alone.
void ReadHtmlMeta(const HtmlTree& tree, std::map<std::string, std::vector<std::string>>* meta);

inline constexpr size_t kMaxHtmlLinks = 1000;

}  // namespace recall
