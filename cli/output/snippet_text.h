#pragma once

#include <string>

#include "cli/terminal/terminal.h"
#include "query/types/search_types.h"

namespace recall {

// The lines of a snippet that are not blank, indented, its highlights bold where there is colour.
// On a terminal lines are broken between words to fit it.
std::string FormatSnippet(const Snippet& snippet, const TextStyle& style);

}  // namespace recall
