#pragma once

#include <string>
#include <string_view>

namespace recall {

// Returns: the text of a note without the section of related notes that bastra-recall generates,
// between `<!-- bastra:auto-related:start -->`, on the line of its heading, and the line with
// `<!-- bastra:auto-related:end -->`.
std::string WithoutGeneratedSection(std::string_view text);

}  // namespace recall
