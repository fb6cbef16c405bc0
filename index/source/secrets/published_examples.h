#pragma once

#include <string_view>

namespace recall {

// Whether a text contains a credential that a standard or a vendor publishes as an example: those
// of the RFCs about OAuth, HTTP authentication and JSON web tokens, Amazon's, and those of the
// pages that explain JSON web tokens. Copies of them stand in many packages and pages.
bool IsPublishedExample(std::string_view text);

}  // namespace recall
