#pragma once

#include <string_view>

namespace recall {

// The bytes of page.html, page.css and page.js; cmake/EmbedText.cmake embeds them into the program.
extern const std::string_view kPageHtml;
extern const std::string_view kPageStyle;
extern const std::string_view kPageScript;

}  // namespace recall
