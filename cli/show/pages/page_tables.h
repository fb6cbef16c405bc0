#pragma once

#include <string>
#include <vector>

#include "cli/show/output/text_table.h"

namespace recall {

// Returns: the HTML table of a table of text; "" if it has headings only.
std::string TextTableHtml(const TextTable& table);

// Returns: the section of a comparison with an earlier run.
std::string ComparisonSection(const std::string& file, const std::vector<std::string>& notes,
                              const std::string& content);

}  // namespace recall
