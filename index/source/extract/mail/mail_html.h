#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace recall {

// The text of a part in HTML, in a simple way: blocks and table rows are lines, list items begin
// with "- ", cells are parted by tabs, headings begin with "#", quotes with "> ". Comments,
// scripts, styles and the head are left out. Linear in the bytes; any bytes are accepted. `html` is
// UTF-8, and so is the text.
// Reading ends soon after the text exceeds `max_bytes`.
std::string MailHtmlText(std::string_view html, uint64_t max_bytes);

// The text of a part in HTML; both are UTF-8. It may end where it exceeds `max_bytes`.
using MailHtmlFunction = std::string (*)(std::string_view html, uint64_t max_bytes);

}  // namespace recall
