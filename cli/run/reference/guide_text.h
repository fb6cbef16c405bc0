#pragma once

#include <string_view>

namespace recall {

// The bytes of docs/guide.md; cmake/EmbedText.cmake embeds them into the program.
extern const std::string_view kGuideText;

}  // namespace recall
