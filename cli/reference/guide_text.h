#pragma once

#include <string_view>

namespace recall {

// docs/guide.md, byte for byte; cmake/EmbedText.cmake puts it into the program.
extern const std::string_view kGuideText;

}  // namespace recall
