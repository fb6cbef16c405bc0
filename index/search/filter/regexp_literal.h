#pragma once

#include <string>
#include <string_view>

namespace recall {

// Returns a literal that occurs in every text in which the regular expression of RE2 matches, as
// long as it finds one; empty if it finds none. Requires: a pattern that RE2 accepts with its
// default options.
std::string RequiredLiteral(std::string_view pattern);

}  // namespace recall
